import HTTPResponseSideloader
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Sideload

/// A pipeline of a sideloader alone: requests go in as from a codec, and responses as from an application.
final class Exchange {
    /// What came out for one request.
    struct Response: Equatable {
        var status = 0
        var fields: [String: String] = [:]
        var body: [UInt8] = []
        /// How many parts the body had.
        var parts = 0
        /// How many bytes the memory of its largest part takes.
        var memory = 0
        var trailers: HTTPHeaders?
        var isWhole = false
    }

    let channel = EmbeddedChannel()
    let shared: Sideloading

    init(_ shared: Sideloading) throws {
        self.shared = shared
        try channel.pipeline.syncOperations.addHandler(HTTPResponseSideloader(shared))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    convenience init() throws {
        let tracks = Sideloading.Tracks(try Playlists.tracks())
        try self.init(Sideloading { _ in tracks })
    }

    /// Puts a request in, and takes out what the application gets of it.
    @discardableResult
    func ask(
        _ method: HTTPMethod = .GET, _ uri: String = "/master.m3u8", _ fields: [(String, String)] = [],
        version: HTTPVersion = .http1_1
    ) throws -> HTTPRequestHead? {
        let head = HTTPRequestHead(version: version, method: method, uri: uri, headers: HTTPHeaders(fields))
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        return try received()
    }

    /// The next request that the application gets, whole.
    func received() throws -> HTTPRequestHead? {
        var found: HTTPRequestHead?
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { found = head }
            if case .end = part { break }
        }
        return found
    }

    func write(_ part: HTTPServerResponsePart, promise: EventLoopPromise<Void>? = nil) {
        channel.writeAndFlush(part, promise: promise)
    }

    func begin(_ status: HTTPResponseStatus = .ok, _ fields: [(String, String)]) {
        write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: HTTPHeaders(fields))))
    }

    /// Answers with a playlist in chunks of `size`.
    func answer(_ bytes: [UInt8], size: Int = .max, _ fields: [(String, String)] = [], trailers: HTTPHeaders? = nil) {
        begin(.ok, [("Content-Type", "application/vnd.apple.mpegurl")] + fields)
        send(bytes, size: size)
        write(.end(trailers))
    }

    func send(_ bytes: [UInt8], size: Int = .max) {
        var rest = bytes[...]
        while !rest.isEmpty {
            write(.body(.byteBuffer(ByteBuffer(bytes: rest.prefix(size)))))
            rest = rest.dropFirst(size)
        }
    }

    /// What has come out since the last time, up to the end of a response.
    func response() throws -> Response {
        var response = Response()
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            switch part {
            case .head(let head):
                response.status = Int(head.status.code)
                for (name, value) in head.headers { response.fields[name.lowercased()] = value }
            case .body(.byteBuffer(let bytes)):
                response.body += bytes.readableBytesView
                if bytes.readableBytes > 0 { response.parts += 1 }
                response.memory = max(response.memory, bytes.storageCapacity)
            case .body: break
            case .end(let trailers):
                response.trailers = trailers
                response.isWhole = true
                return response
            }
        }
        return response
    }
}
