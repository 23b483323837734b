import Foundation
import HTTPResponseSideloader
import M3U8
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Sideload
import Testing

/// What the handler behind calls, and when it goes on to the channel.
@Suite struct CallsTests {
    /// Writes down what comes to the channel, flushed or not.
    private final class Recorder: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart
        var calls: [String] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(let head): calls.append("\(head.status.code)")
            case .body(.byteBuffer(let bytes)): calls.append("\(bytes.readableBytes) bytes")
            case .body: calls.append("a file")
            case .end: calls.append("end")
            }
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            calls.append("flush")
            context.flush()
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            calls.append("close \(mode)")
            context.close(mode: mode, promise: promise)
        }
    }

    private let exchange: Exchange
    private let recorder = Recorder()

    init() throws {
        exchange = try Exchange()
        try exchange.channel.pipeline.syncOperations.addHandler(recorder, position: .first)
    }

    private func write(_ part: HTTPServerResponsePart, promise: EventLoopPromise<Void>? = nil) {
        exchange.channel.write(part, promise: promise)
    }

    private func head(_ fields: HTTPHeaders, _ status: HTTPResponseStatus = .ok) {
        write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)))
    }

    private func body(_ bytes: [UInt8]) { write(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }

    private static let typed: HTTPHeaders = ["Content-Type": "audio/mpegurl"]

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Of what is streamed 128 KiB go out at once, and less with the next flush.
    @Test(arguments: [131_071, 131_072]) func manyBytesDoNotWaitForAFlush(_ count: Int) throws {
        try exchange.ask()
        head(Self.typed)
        let start = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"a\"\nv\n"
        body(Self.bytes(start + "#" + String(repeating: "a", count: 100_000 - start.utf8.count - 2) + "\n"))
        #expect(recorder.calls == ["200"])
        let first = exchange.channel
        first.flush()
        // What of the first lines has been edited is another matter.
        try #require(recorder.calls.count == 3 && recorder.calls.last == "flush")
        recorder.calls = []
        body(Self.bytes("#" + String(repeating: "a", count: count - 2) + "\n"))
        #expect(recorder.calls == (count == 131_072 ? ["131072 bytes"] : []))
        first.flush()
        #expect(recorder.calls == ["\(count) bytes", "flush"])
    }

    @Test func whatPassesGoesOutAsItIsCalled() throws {
        try exchange.ask(.GET, "/a.ts")
        head(["Content-Type": "video/mp2t"])
        body([1, 2])
        exchange.channel.flush()
        body([3])
        write(.end(nil))
        exchange.channel.close(promise: nil)
        #expect(recorder.calls == ["200", "2 bytes", "flush", "1 bytes", "end", "close all"])
    }

    @Test func theEndOfTheInputIsNoEndOfAResponse() throws {
        try exchange.ask()
        head(Self.typed)
        body(Self.bytes("#EXTM3U\n"))
        exchange.channel.close(mode: .input, promise: nil)
        #expect(recorder.calls == ["close input"])
    }

    /// The first bytes are looked at, and nobody knows yet what they are.
    @Test func whatIsLookedAtBreaksOffAsItCame() throws {
        try exchange.ask()
        head(["X-A": "b"])
        body(Self.bytes("#EX"))
        #expect(recorder.calls == [])
        exchange.channel.close(promise: nil)
        #expect(recorder.calls == ["200", "3 bytes", "0 bytes", "flush", "close all"])
        let response = try exchange.response()
        #expect((response.fields["x-a"], response.body, response.isWhole) == ("b", Self.bytes("#EX"), false))
    }

    @Test func whatIsLookedAtIsTakenTogether() throws {
        try exchange.ask()
        let promises = (0..<3).map { _ in exchange.channel.eventLoop.makePromise(of: Void.self) }
        head(["X-A": "b"])
        for (promise, text) in zip(promises, ["#EX", "TM3U\n#EXTINF:4,\n", "a.ts\n"]) {
            write(.body(.byteBuffer(ByteBuffer(string: text))), promise: promise)
        }
        exchange.write(.end(nil))
        #expect(String(decoding: try exchange.response().body, as: UTF8.self) == "#EXTM3U\n#EXTINF:4,\na.ts\n")
        for promise in promises { try promise.futureResult.wait() }
    }

    @Test(arguments: ["", "#", "a", "#EX", "abc"]) func whatIsTooShortToTellIsWhole(_ text: String) throws {
        for fields: HTTPHeaders in [["X-A": "b"], Self.typed] {
            recorder.calls = []
            try exchange.ask()
            head(fields)
            if text != "" { body(Self.bytes(text)) }
            exchange.write(.end(nil))
            let response = try exchange.response()
            #expect((response.body, response.isWhole) == (Self.bytes(text), true))
            #expect(recorder.calls == ["200"] + (text == "" ? [] : ["\(text.count) bytes"]) + ["end", "flush"])
        }
    }

    /// Parts that are held or dropped succeed at once, and those of which nothing goes out.
    @Test func promisesOfWhatDoesNotGoOut() throws {
        var kept = 0
        func promise() -> EventLoopPromise<Void> {
            let promise = exchange.channel.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenSuccess { kept += 1 }
            return promise
        }
        func head(_ fields: HTTPHeaders, _ status: HTTPResponseStatus = .ok) -> HTTPServerResponsePart {
            .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))
        }
        func text(_ text: String) -> HTTPServerResponsePart { .body(.byteBuffer(ByteBuffer(string: text))) }
        try exchange.ask()
        let playlist = text(String(decoding: Playlists.multivariant(70_000).dropFirst(3), as: UTF8.self))
        for (number, part) in [
            head(["X-A": "b"]), text("#EX"), playlist, text("#EXT-"), text("X-"), .end(nil),
        ].enumerated() {
            exchange.write(part, promise: promise())
            #expect(kept == number + 1)
            if number == 3 { recorder.calls = [] }
            if number == 4 { #expect(recorder.calls == ["flush"], "the line might be one that is edited") }
        }
        kept = 0
        try askForAPart(.end(nil), promise: promise())
        exchange.write(text("a"), promise: promise())
        exchange.write(.end(nil), promise: promise())
        #expect(kept == 3)
        exchange.channel.close(promise: promise())
        #expect(kept == 4 && exchange.channel.isActive)
    }

    /// Of a first chunk that tells that nothing will be edited no byte is copied.
    @Test(arguments: ["", "#EXT-X-STREAM"]) func whatIsNotEditedGoesOutAsItIs(_ end: String) throws {
        for count in [1, 100, 1000] {
            let media = "#EXTM3U\n" + String(repeating: "#EXTINF:4,\na.ts\n", count: count) + end
            try exchange.ask()
            head(Self.typed)
            let chunk = ByteBuffer(string: media)
            write(.body(.byteBuffer(chunk)))
            recorder.calls = []
            exchange.channel.flush()
            var bodies: [ByteBuffer] = []
            while let part = try exchange.channel.readOutbound(as: HTTPServerResponsePart.self) {
                if case .body(.byteBuffer(let bytes)) = part { bodies.append(bytes) }
            }
            #expect(bodies == [chunk])
            let places = (bodies + [chunk]).map { $0.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) } }
            #expect(Set(places).count == 1, "\(count) segments")
            write(.end(nil))
            exchange.channel.flush()
            #expect(try exchange.response().isWhole)
        }
    }

    @Test func aFileIsNotEdited() throws {
        try exchange.ask()
        head(Self.typed)
        let promise = exchange.channel.eventLoop.makePromise(of: Void.self)
        let file = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: dup(0))
        defer { try? file.close() }
        write(.body(.fileRegion(FileRegion(fileHandle: file, readerIndex: 0, endIndex: 1))), promise: promise)
        let error = #expect(throws: ChannelError.self) { try promise.futureResult.wait() }
        #expect(error == .operationUnsupported && recorder.calls == [])
    }

    // MARK: Asking again

    private static let part: HTTPHeaders = ["Content-Type": "audio/mpegurl", "Content-Range": "bytes 0-9/100"]

    /// Puts in a request for a part that turns out to be one of a playlist, as far as these parts.
    private func askForAPart(_ more: HTTPServerRequestPart..., promise: EventLoopPromise<Void>? = nil) throws {
        let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/play", headers: ["Range": "bytes=0-9"])
        for part in [.head(request)] + more { try exchange.channel.writeInbound(part) }
        write(.head(HTTPResponseHead(version: .http1_1, status: .partialContent, headers: Self.part)), promise: promise)
    }

    @Test func aRequestWithoutABodyIsAskedAgain() throws {
        try askForAPart(.end(nil))
        #expect(recorder.calls == [])
    }

    @Test func aRequestWithABodyIsNotAskedAgain() throws {
        try askForAPart(.body(ByteBuffer(bytes: [1])), .end(nil))
        #expect(recorder.calls == ["206"])
    }

    @Test func aRequestThatIsNotWholeIsNotAskedAgain() throws {
        try askForAPart()
        #expect(recorder.calls == ["206"])
    }

    @Test func whoClosesMeanwhileGetsTheRequestAgain() throws {
        let handler = try exchange.channel.pipeline.syncOperations.handler(type: HTTPResponseSideloader.self)
        try askForAPart(.end(nil))
        _ = try exchange.received()
        write(.end(nil))
        #expect(handler.isAskingAgain)
        let promise = exchange.channel.eventLoop.makePromise(of: Void.self)
        exchange.channel.close(promise: promise)
        try promise.futureResult.wait()
        #expect(exchange.channel.isActive && recorder.calls == [])
        exchange.channel.embeddedEventLoop.run()
        #expect(!handler.isAskingAgain)
        #expect(try exchange.received()?.headers["Range"] == [])
        exchange.channel.close(promise: nil)
        #expect(recorder.calls == ["close all"])
    }

    /// Who asks for the whole and gets a part again gets that.
    @Test func itIsAskedForOnce() throws {
        let events = Events()
        try exchange.channel.pipeline.syncOperations.addHandler(events)
        try askForAPart(.end(nil))
        write(.end(nil))
        events.came = []
        exchange.channel.embeddedEventLoop.run()
        #expect(events.came == ["asking again", "head", "end", "read"])
        head(Self.part, .partialContent)
        write(.end(nil))
        exchange.channel.flush()
        exchange.channel.embeddedEventLoop.run()
        #expect(recorder.calls == ["206", "end", "flush"] && events.came.count == 4)
    }

    /// Writes down what comes to the handler behind.
    private final class Events: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var came: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: came.append("head")
            case .body: came.append("body")
            case .end: came.append("end")
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) { came.append("read") }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case HTTPResponseSideloader.Event.askingAgain = event { came.append("asking again") }
        }
    }

    @Test func aClientThatLeavesMeanwhileIsNotAskedFor() throws {
        try askForAPart(.end(nil))
        _ = try exchange.received()
        write(.end(nil))
        exchange.channel.pipeline.fireChannelInactive()
        exchange.channel.embeddedEventLoop.run()
        #expect(try exchange.received() == nil)
    }

    /// A part whose rest does not come is no answer.
    @Test(arguments: [HTTPVersion.http1_0, .http1_1]) func aDroppedPartThatBreaksOff(_ version: HTTPVersion) throws {
        let request = HTTPRequestHead(version: version, method: .GET, uri: "/play", headers: ["Range": "bytes=0-9"])
        for part in [HTTPServerRequestPart.head(request), .end(nil)] { try exchange.channel.writeInbound(part) }
        head(Self.part, .partialContent)
        exchange.channel.close(promise: nil)
        #expect(recorder.calls == ["502", "0 bytes", "flush", "close all"])
        guard case .head(let head) = try exchange.channel.readOutbound(as: HTTPServerResponsePart.self) else { return }
        #expect(head.version == version && head.headers.map(\.name) == ["Content-Length", "Connection"])
        #expect(head.headers.map(\.value) == ["0", "close"])
    }

    // MARK: Lengths

    @Test func aLengthBesideChunksCountsForNothing() throws {
        try exchange.ask()
        head(["Content-Type": "audio/mpegurl", "Content-Length": "5", "Transfer-Encoding": "chunked"])
        exchange.send(Playlists.media)
        exchange.write(.end(nil))
        let response = try exchange.response()
        #expect((response.fields["content-length"], response.fields["transfer-encoding"]) == (nil, "chunked"))
    }

    /// An origin that sends more than it has announced.
    @Test func aLengthIsAtLeastThatOfWhatHasCome() throws {
        for count in [Playlists.media.count - 1, Playlists.media.count, Playlists.media.count + 1] {
            let exchange = try Exchange()
            try exchange.ask()
            exchange.begin(.ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "\(count)")])
            exchange.send(Playlists.media)
            #expect(try exchange.response().fields["content-length"] == "\(max(count, Playlists.media.count))")
        }
    }

    /// The same if what it is shows in a later chunk, wherever the chunks are split.
    @Test func aLengthThatIsToldLaterIsThatOfAll() throws {
        let playlist = Self.bytes("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n")
        for place in 1..<playlist.count {
            for (count, end) in [(-1, 0), (0, 0), (1, 0), (0, 3), (1, 15)].map({
                (playlist.count + $0, playlist.count - $1)
            })
            where place < end {
                let exchange = try Exchange()
                try exchange.ask()
                exchange.begin(.ok, [("Content-Type", "audio/mpegurl"), ("Content-Length", "\(count)")])
                exchange.send(Array(playlist[..<place]))
                let first = try exchange.response()
                // The kind is told by the tag's name.
                #expect((first.status != 0) == (place >= 30), "after \(place) bytes")
                exchange.send(Array(playlist[place..<end]))
                let rest = try exchange.response()
                let length = (first.status == 0 ? rest : first).fields["content-length"].flatMap { Int($0) }
                #expect(length == (first.status == 0 ? max(count, end) : max(count, place)))
                exchange.send(Array(playlist[end...]))
                #expect(try first.body + rest.body + exchange.response().body == playlist)
            }
        }
    }

    // MARK: Counts

    @Test func whatWasDoneIsCounted() throws {
        let tracks = Sideloading.Tracks(
            try Playlists.tracks(), limits: SideloadLimits(lines: LineLimits(longestLine: 100)))
        let shared = Sideloading { _ in tracks }
        let exchange = try Exchange(shared)
        let long = "#EXT-X-STREAM-INF:BANDWIDTH=1,NAME=\"" + String(repeating: "a", count: 100) + "\"\nv\n"
        for text in ["#EXTM3U\n" + long, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", "#EXTM3U\n#EXTINF:4,\nv\n"] {
            try exchange.ask()
            exchange.answer(Self.bytes(text))
            #expect(try exchange.response().isWhole)
        }
        #expect((shared.counts.multivariant, shared.counts.abandoned) == (2, 0))
        #expect((shared.counts.uneditableLines, shared.counts.bailouts) == (0, 1))
        try exchange.ask()
        exchange.answer(Self.bytes("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,NAME=\"\nv\n"))
        _ = try exchange.response()
        #expect((shared.counts.uneditableLines, shared.counts.bailouts) == (1, 1))
    }
}
