import HTTPResponseSideloader
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Sideload
import Testing

/// The fields that go on, of requests and of responses.
@Suite struct HeaderFieldsTests {
    private static func list(_ headers: HTTPHeaders?) -> [String] { (headers ?? [:]).map { "\($0.name): \($0.value)" } }

    /// The fields of the next response.
    private static func fields(_ exchange: Exchange) throws -> [String] {
        guard case .head(let head)? = try exchange.channel.readOutbound(as: HTTPServerResponsePart.self) else {
            return []
        }
        while try exchange.channel.readOutbound(as: HTTPServerResponsePart.self) != nil {}
        return list(head.headers)
    }

    /// What is edited stands where it is found whatever the case of its name, and names as long stay.
    @Test func fieldsOfARequest() throws {
        let exchange = try Exchange()
        let others = [
            ("Rbnge", "a"), ("If-Rangf", "b"), ("X", "c"), ("Accept-Encodings", "d"),
        ]
        let edited = [("rAnge", "bytes=0-9"), ("IF-RANGE", "\"a\""), ("accept-encoding", "gzip")]
        let stay = others.map { "\($0): \($1)" }
        var asked = Self.list(try exchange.ask(fields: others + edited)?.headers)
        #expect(asked == stay + ["Accept-Encoding: identity"])
        asked = Self.list(try exchange.ask(fields: edited + others)?.headers)
        #expect(asked == stay + ["Accept-Encoding: identity"])
        asked = Self.list(try exchange.ask(fields: others)?.headers)
        #expect(asked == stay + ["Accept-Encoding: identity"])
        #expect(try Self.list(exchange.ask(.GET, "/a.ts", edited)?.headers) == edited.map { "\($0): \($1)" })
    }

    @Test func fieldsOfAPlaylist() throws {
        let exchange = try Exchange()
        let tag = "\"a\""
        let fields = [
            ("content-length", "7"), ("X-A", "b"), ("ACCEPT-RANGES", "bytes"), ("etag", tag), ("Content-MD5", "c"),
            ("transfer-encodinG", "chunked"), ("Transfer_Encoding", "d"), ("Trailes", "e"),
        ]
        for fields in [fields, fields.reversed()] {
            try exchange.ask()
            exchange.answer(Playlists.multivariant(500), fields)
            let count = try Playlists.tracks().sideloaded(into: Playlists.multivariant(500)).bytes.count
            let found = try Self.fields(exchange)
            let derived = found.filter { $0.lowercased().hasPrefix("etag: ") }
            #expect(derived.count == 1 && derived[0].contains("surtitle"))
            #expect(
                found.filter { $0 != derived[0] }.sorted()
                    == [
                        "Accept-Ranges: none", "Content-Length: \(count)",
                        "Content-Type: application/vnd.apple.mpegurl",
                        "Trailes: e", "Transfer_Encoding: d", "X-A: b",
                    ])
        }
    }

    /// Of an answer that passes fields are edited too: what HEAD is told, and 304.
    @Test func fieldsOfWhatPasses() throws {
        let exchange = try Exchange()
        for (method, status) in [(HTTPMethod.HEAD, HTTPResponseStatus.ok), (.GET, .notModified)] {
            try exchange.ask(method)
            exchange.begin(status, [("Content-Type", "audio/mpegurl"), ("Content-Length", "9"), ("X-A", "b")])
            exchange.write(.end(nil))
            #expect(try Self.fields(exchange) == ["Content-Type: audio/mpegurl", "X-A: b"])
        }
        try exchange.ask(.GET, "/a.ts")
        exchange.begin(.ok, [("Content-Length", "9")])
        #expect(try Self.fields(exchange) == ["Content-Length: 9"])
    }

    /// Pages may read what gets tracks, and nothing else.
    @Test(arguments: [
        (Playlists.multivariant(500), "https://player.example"), (Playlists.media, "b"),
        (Playlists.multivariant(500) + Array("#EXTINF:4,\na.ts\n".utf8), "https://player.example"),
        (Array("#EXTM3U\n".utf8), "b"), (Playlists.multivariant(100_000), "https://player.example"),
    ]) func pagesMayReadWhatGetsTracks(_ playlist: [UInt8], _ pages: String) throws {
        let exchange = try Exchange()
        exchange.shared.pages = "https://player.example"
        try exchange.ask()
        exchange.answer(playlist, size: 1000, [("access-control-allow-origin", "b")])
        let found = try Self.fields(exchange).filter { $0.lowercased().hasPrefix("access-control") }
        #expect(found.map { $0.split(separator: " ").last.map(String.init) } == [pages])
    }

    /// Interim responses pass, and the final one is edited all the same.
    @Test(arguments: [100, 103, 199]) func interimResponses(_ status: Int) throws {
        let exchange = try Exchange()
        try exchange.ask()
        exchange.begin(HTTPResponseStatus(statusCode: status), [("Content-Type", "audio/mpegurl"), ("ETag", "\"a\"")])
        #expect(try Self.fields(exchange) == ["Content-Type: audio/mpegurl", "ETag: \"a\""])
        exchange.answer(Playlists.multivariant(500))
        #expect(try exchange.response().body.count > Playlists.multivariant(500).count)
    }

    /// Where nobody waits for the whole the head goes with the first byte.
    @Test func whatIsAnnouncedAsLongIsNotHeld() throws {
        for (count, isHeld) in [(65_536, true), (65_537, false)] {
            let exchange = try Exchange()
            try exchange.ask(version: .http1_0)
            exchange.begin(
                .ok,
                [("Content-Type", "audio/mpegurl"), ("Content-Length", "\(count)"), ("connection", "keep-alive")])
            exchange.send([UInt8(ascii: "#")])
            #expect(try Self.fields(exchange) == (isHeld ? [] : ["Content-Type: audio/mpegurl", "Connection: close"]))
        }
    }

    @Test func theReportIsOfTheLatestResponse() throws {
        let exchange = try Exchange()
        let handler = try exchange.channel.pipeline.syncOperations.handler(type: HTTPResponseSideloader.self)
        #expect(handler.report == nil)
        let playlist = Playlists.multivariant(500)
        for _ in 0..<2 {
            try exchange.ask()
            exchange.answer(playlist)
            let added = try exchange.response().body.count - playlist.count
            let report = try #require(handler.report)
            #expect(report.verdict == .multivariant && 0 < report.addedBytes && report.addedBytes < added)
            try exchange.ask()
            exchange.begin(.notFound, [])
            #expect(handler.report?.verdict == nil && handler.report?.addedBytes == 0)
            exchange.write(.end(nil))
            _ = try exchange.response()
        }
    }
}

extension Exchange {
    @discardableResult
    fileprivate func ask(fields: [(String, String)]) throws -> HTTPRequestHead? {
        try ask(.GET, "/master.m3u8", fields)
    }
}
