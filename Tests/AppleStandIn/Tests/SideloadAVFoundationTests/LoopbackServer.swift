import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A server of HTTP/1.1 on this machine: one request a connection.
final class LoopbackServer: Sendable {
    enum Page: Sendable {
        case found(String)
        case moved(to: String)
        /// This page, of which the end is missing.
        case cutShort(String)
        /// A body that does not end.
        case endless
        /// No answer.
        case silent
        /// This page, and a cookie.
        case setting(cookie: String, String)
        /// This page for those who say who they are, by the Basic scheme, and 401 for others.
        case secret(credential: String, String)
    }

    struct NoSocket: Error {}

    let port: UInt16
    private let listener: Int32
    private let pages: [String: Page]
    private let asked = Locked<[String]>([])
    private let ended = Locked(0)

    /// The heads of the requests that have come.
    var heads: [String] { asked.withLock { $0 } }
    /// How many clients have hung up before they had all of an answer that does not end.
    var hangUps: Int { ended.withLock { $0 } }

    init(_ pages: [String: Page]) throws {
        self.pages = pages
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { [listener, length] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, length) }
        }
        guard listener >= 0, isBound == 0, listen(listener, 16) == 0 else { throw NoSocket() }
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { [listener] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(listener, $0, &length)
            }
        }
        guard isNamed == 0 else { throw NoSocket() }
        port = UInt16(bigEndian: address.sin_port)
        // A client that hangs up must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let (listener, pages, asked, ended) = (listener, pages, asked, ended)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    close(listener)
                    return
                }
                Thread.detachNewThread { Self.serve(connection, pages, asked, ended) }
            }
        }
    }

    // The thread that accepts closes it: until then the number must be nobody else's.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(
        _ connection: Int32, _ pages: [String: Page], _ asked: Locked<[String]>, _ ended: Locked<Int>
    ) {
        var head = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while head.range(of: Data("\r\n\r\n".utf8)) == nil {
            let count = unsafe read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            head += buffer[..<count]
        }
        let text = String(decoding: head, as: UTF8.self)
        asked.withLock { $0.append(text) }
        let words = text.split(separator: " ")
        func send(_ text: String) -> Bool {
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = unsafe bytes.withUnsafeBytes { unsafe write(connection, $0.baseAddress, $0.count) }
                guard count > 0 else { return false }
                bytes = bytes.dropFirst(count)
            }
            return true
        }
        let end = "Connection: close\r\n\r\n"
        switch words.count > 1 ? pages[String(words[1])] : nil {
        case .found(let text):
            _ = send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\(end)\(text)")
        case .cutShort(let text):
            _ = send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count + 10)\r\n\(end)\(text)")
        case .setting(let cookie, let text):
            _ = send("HTTP/1.1 200 OK\r\nSet-Cookie: \(cookie)\r\nContent-Length: \(text.utf8.count)\r\n\(end)\(text)")
        case .secret(let credential, let text):
            let isKnown = String(decoding: head, as: UTF8.self).contains("Authorization: Basic \(credential)\r\n")
            let status = isKnown ? "200 OK" : "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"films\""
            _ = send("HTTP/1.1 \(status)\r\nContent-Length: \(text.utf8.count)\r\n\(end)\(text)")
        case .moved(let target): _ = send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\(end)")
        case .endless:
            _ = send("HTTP/1.1 200 OK\r\n\(end)")
            while send(String(repeating: "x", count: 10_000)) {}
            ended.withLock { $0 += 1 }
        case .silent:
            while unsafe read(connection, &buffer, buffer.count) > 0 {}
            ended.withLock { $0 += 1 }
        case nil: _ = send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\(end)")
        }
        close(connection)
    }
}
