import Foundation
import Support

/// A small HTTP/1.1 server on loopback, on a thread of its own, which ends with this object.
///
/// It answers one connection after the other, and closes each.
final class OriginServer: Sendable {
    /// What was asked for.
    struct Request: Sendable {
        let path: String
        /// The header fields, by names in lower case.
        let fields: [String: String]
    }

    /// What is answered, and how.
    struct Reply: Sendable {
        var response: NaiveOrigin.Response
        /// Whether each byte of the body is sent by itself.
        var isSlow = false
    }

    /// The handler's answer; nil closes the connection without one.
    typealias Handler = @Sendable (Request) -> Reply?

    let port: UInt16
    private let listener: Int32
    private let stopped = DispatchSemaphore(value: 0)

    init(_ handler: @escaping Handler) throws {
        let listener = Socket.make()
        var address = Socket.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let stopped = stopped
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                let goesOn = Self.serve(connection, handler)
                close(connection)
                if !goesOn { break }
            }
            stopped.signal()
        }
    }

    deinit {
        // A request for nothing ends the thread.
        if let connection = Socket.connect(port: port) {
            Socket.send(connection, Array("STOP\r\n\r\n".utf8))
            close(connection)
            stopped.wait()
        }
        close(listener)
    }

    /// The URL of a path.
    func url(_ path: String) -> [UInt8] { Array("http://127.0.0.1:\(port)\(path)".utf8) }

    /// Answers one request; false if it is the last.
    private static func serve(_ connection: Int32, _ handler: Handler) -> Bool {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.suffix(4) != [13, 10, 13, 10], recv(connection, &byte, 1, 0) == 1 { head.append(byte) }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        if lines[0] == "STOP" { return false }
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[0] == "GET" else { return true }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        guard let reply = handler(Request(path: String(words[1]), fields: fields)) else { return true }
        let header = reply.response.header.map { "\($0.name): \($0.value)\r\n" }.joined()
        Socket.send(
            connection, Array("HTTP/1.1 \(reply.response.status) x\r\n\(header)Connection: close\r\n\r\n".utf8))
        if reply.isSlow {
            for byte in reply.response.body where !Socket.send(connection, [byte]) { break }
        } else {
            Socket.send(connection, reply.response.body)
        }
        return true
    }
}

/// What is the same of sockets for both ends.
enum Socket {
    static func make() -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // Nobody waits for ever.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        #if !canImport(Glibc)
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return descriptor
    }

    static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func connect(port: UInt16) -> Int32? {
        let descriptor = make()
        var address = loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                #if canImport(Glibc)
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                #else
                Darwin.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                #endif
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    /// Sends all of `bytes`; false if nobody takes them.
    @discardableResult
    static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { buffer in
                #if canImport(Glibc)
                Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags)
                #else
                Darwin.send(descriptor, buffer.baseAddress, buffer.count, flags)
                #endif
            }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }
}
