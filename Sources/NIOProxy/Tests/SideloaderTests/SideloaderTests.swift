import HTTPResponseSideloader
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Sideload
import Testing

/// The handler by itself: what goes out, in which parts, and when.
@Suite struct SideloaderTests {
    private static func expected(_ bytes: [UInt8]) throws -> [UInt8] {
        try Playlists.tracks().sideloaded(into: bytes).bytes
    }

    @Test(arguments: [1, 7, 64, 1000, 16_384, .max])
    func fixturesBecomeWhatTheLibraryMakesOfThem(size: Int) throws {
        #expect(Playlists.fixtures.isEmpty == false)
        let exchange = try Exchange()
        for (name, bytes) in Playlists.fixtures + [
            ("large", Playlists.multivariant(100_000)), ("media", Playlists.media),
        ] {
            try exchange.ask()
            exchange.answer(bytes, size: size)
            let response = try exchange.response()
            #expect(response.body == (try Self.expected(bytes)), "\(name) in chunks of \(size)")
            #expect(response.isWhole)
            if let length = response.fields["content-length"] { #expect(Int(length) == response.body.count) }
        }
    }

    @Test func whatIsHeldGoesOutWholeWithItsLength() throws {
        let exchange = try Exchange()
        try exchange.ask()
        let playlist = Playlists.multivariant(60_000)
        exchange.begin(
            .ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "\(playlist.count)"), ("ETag", "\"a\"")])
        exchange.send(playlist, size: 1000)
        #expect(try exchange.response() == Exchange.Response())
        exchange.write(.end(nil))
        let response = try exchange.response()
        #expect(response.parts == 1)
        #expect(response.fields["content-length"] == "\(response.body.count)")
        #expect(response.fields["transfer-encoding"] == nil)
        #expect(response.fields["etag"]?.contains("surtitle") == true)
    }

    @Test func whatIsLongerIsStreamed() throws {
        let exchange = try Exchange()
        try exchange.ask()
        exchange.begin(.ok, [("Content-Type", "audio/mpegurl")])
        let playlist = Playlists.multivariant(200_000)
        exchange.send(Array(playlist[..<65_536]), size: 16_384)
        #expect(try exchange.response().status == 0)
        exchange.send(Array(playlist[65_536..<70_000]))
        let first = try exchange.response()
        #expect(
            (first.status, first.fields["content-length"], first.fields["transfer-encoding"]) == (200, nil, "chunked"))
        #expect(first.body.count > 65_536)
        exchange.send(Array(playlist[70_000...]), size: 10_000)
        exchange.write(.end(nil))
        let rest = try exchange.response()
        #expect(first.body + rest.body == (try Self.expected(playlist)))
        // One part a flush, where slices would be thousands.
        #expect(rest.parts <= 15)
    }

    @Test func aMediaPlaylistIsNotHeld() throws {
        let exchange = try Exchange()
        try exchange.ask()
        exchange.begin(.ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "\(Playlists.media.count)")])
        // Up to the end of a line: of the next one the first bytes wait until they tell which tag it has.
        exchange.send(Array(Playlists.media[..<472]))
        let first = try exchange.response()
        #expect(first.fields["content-length"] == "\(Playlists.media.count)")
        #expect(first.body == Array(Playlists.media[..<472]))
    }

    /// Once nothing will be edited any more, what the application writes goes out as it is: the same parts, and nothing
    /// is kept.
    @Test(arguments: [true, false])
    func theRestOfAMediaPlaylistPasses(hasLength: Bool) throws {
        let exchange = try Exchange()
        for _ in 0..<2 {
            try exchange.ask()
            let length = hasLength ? [("Content-Length", "\(Playlists.media.count)")] : []
            exchange.begin(.ok, [("Content-Type", "audio/mpegurl")] + length)
            exchange.send(Array(Playlists.media[..<472]))
            _ = try exchange.response()
            exchange.send(Array(Playlists.media[472...]), size: 3)
            exchange.write(.end(HTTPHeaders([("Repr-Digest", "a")])))
            let rest = try exchange.response()
            #expect(rest.body == Array(Playlists.media[472...]) && rest.isWhole && rest.trailers == nil)
            #expect(rest.parts == (Playlists.media.count - 472 + 2) / 3)
        }
        let counts = exchange.shared.counts
        #expect(counts.multivariant == 0 && counts.abandoned == 0 && counts.bailouts == 0)
    }

    /// Of a long first chunk the beginning mostly tells what it is. Where it does not, all of it is rewritten.
    @Test(arguments: [1, 1023, 1024, 1025, 3000])
    func aLongFirstChunk(after count: Int) throws {
        let comment = Array("#EXTM3U\n#\(String(repeating: "a", count: count))\n".utf8)
        let media = comment + Playlists.media.dropFirst(8) + Playlists.media.dropFirst(33)
        let master = comment + Playlists.multivariant(5000).dropFirst(8)
        let exchange = try Exchange()
        for (playlist, isMedia) in [(media, true), (master, false), (media, true)] {
            try exchange.ask()
            exchange.begin(.ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "\(playlist.count)")])
            exchange.send(playlist)
            exchange.write(.end(nil))
            let response = try exchange.response()
            #expect(response.body == (isMedia ? playlist : try Self.expected(playlist)) && response.isWhole)
            #expect(response.fields["content-length"] == "\(response.body.count)" && response.parts == 1)
        }
        #expect(exchange.shared.counts.multivariant == 1 && exchange.shared.counts.abandoned == 0)
    }

    /// It breaks off after that, which is counted, and closes a connection that would have told its end.
    @Test func theRestOfAMediaPlaylistBreaksOff() throws {
        let exchange = try Exchange()
        try exchange.ask(version: .http1_0)
        exchange.begin(.ok, [("Content-Type", "audio/mpegurl")])
        exchange.send(Array(Playlists.media[..<600]), size: 100)
        exchange.channel.close(promise: nil)
        let response = try exchange.response()
        #expect(response.body == Array(Playlists.media[..<600]) && !response.isWhole)
        #expect(exchange.shared.counts.abandoned == 1)
        let whole = try Exchange()
        try whole.ask(version: .http1_0)
        whole.begin(.ok, [("Content-Type", "audio/mpegurl")])
        whole.send(Playlists.media, size: 100)
        whole.write(.end(nil))
        #expect(try whole.response().isWhole && !whole.channel.isActive)
    }

    @Test func trailersOfWhatIsEditedAreDropped() throws {
        let exchange = try Exchange()
        let trailers = HTTPHeaders([("Repr-Digest", "a")])
        try exchange.ask()
        exchange.answer(Playlists.multivariant(100), trailers: trailers)
        #expect(try exchange.response().trailers == nil)
        try exchange.ask(.GET, "/film.ts")
        exchange.begin(.ok, [("Content-Type", "video/mp2t"), ("Transfer-Encoding", "chunked")])
        exchange.send([1, 2, 3])
        exchange.write(.end(trailers))
        #expect(try exchange.response().trailers == trailers)
    }

    @Test(arguments: [HTTPResponseStatus.noContent, .notModified, .notFound, .found])
    func statusesThatAreNotEdited(status: HTTPResponseStatus) throws {
        let exchange = try Exchange()
        try exchange.ask()
        exchange.begin(status, [("Content-Type", "audio/mpegurl"), ("X-A", "b")])
        exchange.write(.end(nil))
        let response = try exchange.response()
        #expect((response.status, response.fields["x-a"], response.body.count) == (Int(status.code), "b", 0))
    }

    @Test func headHasNoLength() throws {
        let exchange = try Exchange()
        try exchange.ask(.HEAD)
        exchange.begin(.ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "100")])
        exchange.write(.end(nil))
        let response = try exchange.response()
        #expect(
            (response.fields["content-length"], response.fields["transfer-encoding"], response.isWhole) == (
                nil, nil, true
            ))
    }

    @Test func requestsThatComeEarlyGetTheirOwnDecisions() throws {
        let exchange = try Exchange()
        let ranged = [("Range", "bytes=0-9")]
        #expect(try exchange.ask(.GET, "/a.m3u8", ranged)?.headers["Range"] == [])
        #expect(try exchange.ask(.GET, "/b.ts", ranged)?.headers["Range"] == ["bytes=0-9"])
        #expect(try exchange.ask(.GET, "/c.m3u8", ranged)?.headers["Accept-Encoding"] == ["identity"])
        let playlist = Playlists.multivariant(1000)
        exchange.answer(playlist)
        exchange.begin(.partialContent, [("Content-Type", "video/mp2t"), ("Content-Range", "bytes 0-9/100")])
        exchange.send(Array(0..<10))
        exchange.write(.end(nil))
        exchange.answer(playlist)
        #expect(try exchange.response().body == (try Self.expected(playlist)))
        #expect(try exchange.response().body == Array(0..<10))
        #expect(try exchange.response().body == (try Self.expected(playlist)))
    }

    @Test func aPartIsAskedForAgainWhole() throws {
        let exchange = try Exchange()
        try exchange.ask(.GET, "/play", [("Range", "bytes=0-9"), ("X-A", "b")])
        exchange.begin(.partialContent, [("Content-Type", "audio/mpegurl"), ("Content-Range", "bytes 0-9/100")])
        exchange.send(Array(0..<10))
        exchange.write(.end(nil))
        #expect(try exchange.response() == Exchange.Response())
        exchange.channel.embeddedEventLoop.run()
        let again = try #require(try exchange.received())
        #expect((again.uri, again.headers["Range"], again.headers["X-A"]) == ("/play", [], ["b"]))
        exchange.answer(Playlists.multivariant(1000))
        let response = try exchange.response()
        #expect((response.status, response.body) == (200, try Self.expected(Playlists.multivariant(1000))))
    }

    @Test func whatCannotBeAskedForAgainPasses() throws {
        let exchange = try Exchange()
        try exchange.ask(.GET, "/play", [("Range", "bytes=0-9")])
        try exchange.ask(.GET, "/next")
        exchange.begin(.partialContent, [("Content-Type", "audio/mpegurl"), ("Content-Range", "bytes 0-9/100")])
        exchange.send(Array(0..<10))
        exchange.write(.end(nil))
        let response = try exchange.response()
        #expect((response.status, response.body) == (206, Array(0..<10)))
    }

    @Test(arguments: [0, 5, 13, 40, 1000, 50_000, 70_001, 150_000])
    func aPlaylistThatBreaksOffIsNotFinished(count: Int) throws {
        let exchange = try Exchange()
        let playlist = Playlists.multivariant(200_000)
        try exchange.ask()
        exchange.begin(.ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "200000")])
        exchange.send(Array(playlist[..<count]), size: 9000)
        exchange.channel.close(promise: nil)
        let response = try exchange.response()
        let lines = playlist[..<count].split(separator: 10, omittingEmptySubsequences: false)
        let whole = try Self.expected(playlist).split(separator: 10, omittingEmptySubsequences: false)
        #expect(response.isWhole == false)
        #expect(response.fields["content-length"] == nil)
        let expected = Array((whole[..<(lines.count - 1)] + lines.suffix(1)).joined(separator: [10]))
        #expect(response.body.elementsEqual(expected), "\(response.body.count) bytes, not \(expected.count)")
        #expect(exchange.shared.counts.abandoned == 1)
    }

    @Test func aTornPlaylistForHTTP10IsAnError() throws {
        let exchange = try Exchange()
        try exchange.ask(version: .http1_0)
        exchange.begin(.ok, [("Content-Type", "audio/mpegurl")])
        exchange.send(Array(Playlists.multivariant(1000)[..<500]))
        exchange.channel.close(promise: nil)
        let response = try exchange.response()
        #expect((response.status, response.body, response.fields["content-length"]) == (502, [], "0"))
    }

    @Test func promisesAreKept() throws {
        let exchange = try Exchange()
        try exchange.ask()
        let promises = (0..<4).map { _ in exchange.channel.eventLoop.makePromise(of: Void.self) }
        exchange.write(
            .head(HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Type": "audio/mpegurl"])),
            promise: promises[0])
        exchange.write(.body(.byteBuffer(ByteBuffer(bytes: Playlists.multivariant(1000)))), promise: promises[1])
        exchange.write(.body(.byteBuffer(ByteBuffer(bytes: Playlists.multivariant(100_000)))), promise: promises[2])
        exchange.write(.end(nil), promise: promises[3])
        for promise in promises { try promise.futureResult.wait() }
    }

    @Test func aClientThatLeavesLeavesNothingBehind() throws {
        let exchange = try Exchange()
        let tracks = try Playlists.tracks()
        for count in [0, 5, 1000, 100_000] {
            let left = try Exchange(exchange.shared)
            try left.ask()
            left.begin(.ok, [("Content-Type", "audio/mpegurl")])
            left.send(Array(Playlists.multivariant(200_000)[..<count]))
            left.channel.pipeline.fireChannelInactive()
        }
        // The rewriter that was left in the middle is as new.
        try exchange.ask()
        exchange.answer(Playlists.multivariant(1000))
        #expect(try exchange.response().body == (try tracks.sideloaded(into: Playlists.multivariant(1000)).bytes))
    }

    @Test func tracksMayChangeBetweenRequests() throws {
        let exchange = try Exchange()
        let playlist = Playlists.multivariant(500)
        let others = try SubtitleTracks([SubtitleTrack(uri: "de.m3u8", language: "de", name: "Deutsch")])
        try exchange.ask()
        exchange.shared.tracks = { _ in Sideloading.Tracks(others) }
        try exchange.ask()
        exchange.shared.tracks = { _ in nil }
        try exchange.ask()
        for expected in [try Self.expected(playlist), try others.sideloaded(into: playlist).bytes, playlist] {
            exchange.answer(playlist)
            #expect(try exchange.response().body == expected)
        }
    }

    /// A rewriter keeps the memory that it has needed, which shows whether it is the one before. Sixteen are kept.
    @Test func aRewriterIsUsedAgain() throws {
        let lists = try (0...16).map { number in
            try SubtitleTracks([SubtitleTrack(uri: "\(number).m3u8", language: "en", name: "English")])
        }
        let exchange = try Exchange()
        func memory(_ count: Int, _ list: Int) throws -> Int {
            exchange.shared.tracks = { _ in Sideloading.Tracks(lists[list]) }
            try exchange.ask()
            exchange.answer(Playlists.multivariant(count))
            return try exchange.response().memory
        }
        for list in 0...15 { #expect(try memory(40_000, list) > 40_000) }
        for list in 0...15 { #expect(try memory(500, list) > 40_000, "it is the one before") }
        #expect(try memory(500, 16) < 10_000, "other tracks need another")
        for list in 1...16 { #expect(try memory(500, list) > 40_000 || list == 16) }
        #expect(try memory(500, 0) < 10_000, "the one that has waited longest went")
    }
}
