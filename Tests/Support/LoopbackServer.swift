#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An HTTP server of a test's own on 127.0.0.1: each connection gets one answer, by whatever the test says, and is
/// closed.
///
///     let server = try LoopbackServer { request in .ok("#EXTM3U\n") }
///     … server.url("/master.m3u8") … server.requests
public final class LoopbackServer: @unchecked Sendable {
    /// What has been asked for.
    public struct Request: Sendable {
        /// The path with its query, as it came.
        public let target: String
        /// The header fields, names in lower case.
        public let fields: [String: String]
    }

    /// What is done with a request.
    public enum Answer: Sendable {
        /// These bytes, whatever they are.
        case bytes([UInt8])
        /// These bytes over and over, until nobody reads them.
        case endless([UInt8])
        /// Nothing, for as long as the client waits.
        case silence

        /// 200 with this body.
        public static func ok(_ body: [UInt8], _ fields: String = "") -> Answer {
            .bytes(
                Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8)
                    + body)
        }

        /// A redirect to `location`.
        public static func redirect(_ location: String, status: Int = 302) -> Answer {
            .bytes(
                Array(
                    "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .utf8))
        }

        /// The part of `body` that `request` asks for, or all of it.
        public static func part(of body: [UInt8], _ request: Request) -> Answer {
            guard let range = request.fields["range"], range.hasPrefix("bytes=") else { return ok(body) }
            let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count == 2, let first = ends[0], first < body.count else {
                return .bytes(Array("HTTP/1.1 416 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            }
            let last = min(ends[1] ?? body.count - 1, body.count - 1)
            let head =
                "HTTP/1.1 206 Part\r\nContent-Range: bytes \(first)-\(last)/\(body.count)\r\n"
                + "Content-Length: \(last - first + 1)\r\nConnection: close\r\n\r\n"
            return .bytes(Array(head.utf8) + body[first...last])
        }
    }

    /// The server has no socket.
    public struct NoSocket: Error {}

    /// The port it listens on.
    public let port: UInt16
    private let socket: Int32
    private let answer: @Sendable (Request) -> Answer
    private var mutex = pthread_mutex_t()
    private var seen: [Request] = []
    private var hasEnded = false

    /// A server that answers by `answer`, in threads of its own.
    public init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        self.answer = answer
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        socket = Self.open(kind)
        guard socket >= 0, let port = Self.listen(socket) else { throw NoSocket() }
        self.port = port
        pthread_mutex_init(&mutex, nil)
        Self.inThread { [self] in serve() }
    }

    /// The URL of `path` on this server.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// What has been asked for so far.
    public var requests: [Request] {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        return seen
    }

    /// Takes no connections any more.
    public func end() {
        pthread_mutex_lock(&mutex)
        hasEnded = true
        pthread_mutex_unlock(&mutex)
        // The thread that accepts closes it: until then the number must be nobody else's.
        shutdown(socket, Int32(SHUT_RDWR))
        #if canImport(Darwin)
        close(socket)
        #endif
    }

    private static func open(_ kind: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.socket(AF_INET, kind, 0)
        #elseif canImport(Musl)
        Musl.socket(AF_INET, kind, 0)
        #else
        Darwin.socket(AF_INET, kind, 0)
        #endif
    }

    private static func listen(_ socket: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
            }
        }
        #if canImport(Glibc)
        guard isBound, Glibc.listen(socket, 16) == 0 else { return nil }
        #elseif canImport(Musl)
        guard isBound, Musl.listen(socket, 16) == 0 else { return nil }
        #else
        guard isBound, Darwin.listen(socket, 16) == 0 else { return nil }
        #endif
        return UInt16(bigEndian: address.sin_port)
    }

    private func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            if connection < 0 {
                #if !canImport(Darwin)
                close(socket)
                #endif
                return
            }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            Self.inThread { [self] in
                if let request = read(from: connection) { reply(to: request, on: connection) }
                close(connection)
            }
        }
    }

    private func read(from connection: Int32) -> Request? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let request = Request(target: String(words[1]), fields: fields)
        pthread_mutex_lock(&mutex)
        seen.append(request)
        pthread_mutex_unlock(&mutex)
        return request
    }

    private func reply(to request: Request, on connection: Int32) {
        switch answer(request) {
        case .bytes(let bytes): _ = Self.send(bytes, on: connection)
        case .endless(let bytes):
            let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
            guard Self.send(head, on: connection) else { return }
            while Self.send(bytes, on: connection) {}
        case .silence:
            // Until the client goes.
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
        }
    }

    private static func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Self.write(connection, UnsafeRawBufferPointer(rebasing: buffer[sent...]))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Writes without a signal if nobody reads.
    private static func write(_ connection: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #elseif canImport(Musl)
        Musl.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        Darwin.send(connection, bytes.baseAddress, bytes.count, 0)
        #endif
    }

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private static func inThread(_ body: @escaping () -> Void) {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        #if canImport(Glibc)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { work in
                work.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            }, work)
        pthread_detach(thread)
        #else
        var thread: pthread_t?
        pthread_create(
            &thread, nil,
            { work in
                Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                return nil
            }, work)
        if let thread { pthread_detach(thread) }
        #endif
    }
}
