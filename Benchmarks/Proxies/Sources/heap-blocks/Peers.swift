import Foundation

/// Something went wrong with a socket.
struct PeerError: Error {
    let what: String
    init(_ what: String) { self.what = "\(what): \(String(cString: strerror(errno)))" }
}

private func withLoopback<Answer>(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

private func stream() -> Int32 {
    #if canImport(Darwin)
    socket(AF_INET, SOCK_STREAM, 0)
    #else
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
}

/// Where the empty line that ends a head ends; nil if it is not there yet.
private func headEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var offset = max(start, 3)
    while offset < bytes.count {
        if bytes[offset] == 10, bytes[offset - 1] == 13, bytes[offset - 2] == 10, bytes[offset - 3] == 13 {
            return offset + 1
        }
        offset += 1
    }
    return nil
}

/// Answers every request with a playlist, on a thread for each connection, without asking the heap for anything.
final class Origin: Sendable {
    let port: Int

    init(_ playlist: [UInt8]) throws {
        let listener = stream()
        let isBound = withLoopback(0) { bind(listener, $0, $1) == 0 } && listen(listener, 16) == 0
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) == 0 }
        }
        guard isBound, isNamed else { throw PeerError("the origin does not listen") }
        port = Int(UInt16(bigEndian: address.sin_port))
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: audio/mpegurl\r\nContent-Length: \(playlist.count)\r\nETag: \"abc\"\r\n\r\n"
        let response = Array(head.utf8) + playlist
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection, response) }
            }
        }
    }

    private static func serve(_ connection: Int32, _ response: [UInt8]) {
        var requests = [UInt8](repeating: 0, count: 16 << 10)
        var count = 0
        while true {
            let received = requests.withUnsafeMutableBytes {
                recv(connection, $0.baseAddress?.advanced(by: count), $0.count - count, 0)
            }
            guard received > 0 else { break }
            count += received
            guard requests.withUnsafeBytes({ headEnd(UnsafeRawBufferPointer(rebasing: $0[..<count]), from: 0) }) != nil
            else { continue }
            count = 0
            var sent = 0
            while sent < response.count {
                let more = response.withUnsafeBytes {
                    send(connection, $0.baseAddress?.advanced(by: sent), $0.count - sent, 0)
                }
                guard more > 0 else { break }
                sent += more
            }
        }
        close(connection)
    }
}

/// Asks one request after the other on one connection, and reads the answers into memory of its own.
final class Client {
    private let connection: Int32
    private var buffer: [UInt8]

    init(port: Int) throws {
        connection = stream()
        buffer = [UInt8](repeating: 0, count: 4 << 20)
        guard withLoopback(port, { connect(connection, $0, $1) }) == 0 else {
            throw PeerError("no connection to the proxy")
        }
    }

    deinit { close(connection) }

    /// Asks `count` times, and checks that every answer is `playlist`, or longer if it is `edited`.
    func ask(_ count: Int, for playlist: [UInt8], edited: Bool) throws {
        let request: StaticString = "GET /master.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n"
        for _ in 0..<count {
            guard send(connection, request.utf8Start, request.utf8CodeUnitCount, 0) == request.utf8CodeUnitCount else {
                throw PeerError("the request does not go out")
            }
            let length = try readResponse()
            guard edited ? length > playlist.count : length == playlist.count else {
                throw PeerError("\(length) bytes came")
            }
        }
    }

    /// Reads a response; the length of its body, with the framing of chunks.
    private func readResponse() throws -> Int {
        var count = 0
        var head: Int?
        var length: Int?
        while true {
            let received = buffer.withUnsafeMutableBytes {
                recv(connection, $0.baseAddress?.advanced(by: count), $0.count - count, 0)
            }
            guard received > 0 else { throw PeerError("the response broke off") }
            count += received
            let isWhole = buffer.withUnsafeBytes { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                if head == nil {
                    head = headEnd(bytes, from: 0)
                    if let head { length = Self.contentLength(UnsafeRawBufferPointer(rebasing: bytes[..<head])) }
                }
                guard let head else { return false }
                if let length { return count == head + length }
                // The last chunk.
                return count > head + 5 && bytes[count - 5] == 48 && headEnd(bytes, from: count - 1) == count
            }
            if isWhole { return count - (head ?? 0) }
        }
    }

    /// What follows `ength: `, in either case of the field's name.
    private static func contentLength(_ head: UnsafeRawBufferPointer) -> Int? {
        let name: StaticString = "ontent-length: "
        let count = name.utf8CodeUnitCount
        var offset = 0
        while offset + count < head.count {
            var matched = 0
            while matched < count, head[offset + matched] | 0x20 == name.utf8Start[matched] | 0x20 { matched += 1 }
            if matched == count {
                var value = 0
                var place = offset + count
                while head[place] != 13 {
                    value = value * 10 + Int(head[place] - 48)
                    place += 1
                }
                return value
            }
            offset += 1
        }
        return nil
    }
}
