import Foundation

/// A TCP connection on loopback, closed when nobody holds it any more. Whoever waits longer than ten seconds gets nothing.
final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    static func connect(port: UInt16) -> Socket? {
        let socket = Socket(stream())
        let status = withAddress(port) { Foundation.connect(socket.descriptor, $0, $1) }
        return status == 0 ? socket : nil
    }

    /// A socket that listens; the process ends with it.
    static func listen(port: UInt16) -> Int32? {
        let listener = stream()
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard withAddress(port, { bind(listener, $0, $1) }) == 0, Foundation.listen(listener, 64) == 0 else {
            return nil
        }
        return listener
    }

    static func accept(_ listener: Int32) -> Socket? {
        let descriptor = Foundation.accept(listener, nil, nil)
        return descriptor < 0 ? nil : Socket(descriptor)
    }

    /// At most `count` bytes, none at the end of the stream; nil if something is wrong.
    func receive(_ count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, count, 0)
        return received < 0 ? nil : Array(buffer[..<received])
    }

    /// Sends `bytes`, or as many as the peer takes.
    func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let sent = bytes[start...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
            guard sent > 0 else { return }
            start += sent
        }
    }

    private static func stream() -> Int32 {
        #if canImport(Darwin)
        socket(AF_INET, SOCK_STREAM, 0)
        #else
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }

    private static func withAddress<Answer>(_ port: UInt16, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Answer)
        -> Answer
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// The first line and the fields of a request or response.
struct MessageHead {
    let start: String
    private(set) var fields: [(name: String, value: String)] = []

    /// Reads up to the empty line, at most 64 KiB.
    init?(_ connection: Socket) {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            // Byte by byte, so that none of the body is taken.
            guard head.count < 64 << 10, let byte = connection.receive(1), !byte.isEmpty else { return nil }
            head += byte
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        start = lines[0]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields.append((String(line[..<colon]), value))
        }
    }

    /// The status code of a response; 0 if there is none.
    var status: Int {
        let words = start.split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
}

/// A URL of http on this machine.
struct LoopbackURL {
    let host: String
    let port: UInt16
    let path: String

    /// Nil for any other URL: nothing else is ever asked for.
    init?(_ url: String) {
        guard url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(7)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash].split(separator: ":", omittingEmptySubsequences: false)
        guard authority.count == 2, ["127.0.0.1", "localhost"].contains(authority[0]), let port = UInt16(authority[1])
        else { return nil }
        host = String(authority[0])
        self.port = port
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
    }
}
