import Delivery
import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// Which of the video's responses are edited.
@Suite struct VideoPlaylistTests {
    private static let stripped = VideoPlaylistEdits(lowLatency: .strip)

    private static func playlist(
        _ uri: String, _ fields: HTTPHeaders, _ method: HTTPMethod = .GET, _ status: HTTPResponseStatus = .ok,
        _ edits: VideoPlaylistEdits = stripped
    ) -> VideoPlaylist? {
        VideoPlaylist(
            HTTPResponseHead(version: .http1_1, status: status, headers: fields),
            to: HTTPRequestHead(version: .http1_1, method: method, uri: uri), edits)
    }

    @Test(
        arguments: [
            ("/v.m3u8", [:], true), ("/v.m3u8?a", [:], true), ("/v?a.m3u8", [:], false),
            ("/v.ts", [:], false),
            ("/v", ["Content-Type": "audio/MPEGURL"], true), ("/v", ["Content-Type": "video/mp2t"], false),
            ("/v.m3u8", ["Content-Encoding": "Identity"], true), ("/v.m3u8", ["Content-Encoding": "gzip"], false),
        ] as [(String, HTTPHeaders, Bool)])
    func whatIsAPlaylistThatCanBeRead(_ uri: String, _ fields: HTTPHeaders, _ isOne: Bool) {
        #expect((Self.playlist(uri, fields) != nil) == isOne)
    }

    @Test func onlyAWholeAnswerIsEditedAndOnlyIfThereIsSomethingToEdit() {
        #expect(Self.playlist("/v.m3u8", [:], .HEAD) == nil)
        #expect(Self.playlist("/v.m3u8", [:], .GET, .partialContent) == nil)
        #expect(Self.playlist("/v.m3u8", [:], .GET, .ok, VideoPlaylistEdits()) == nil)
    }

    @Test func whatTheOriginSaysOfItsBytesIsLeftOut() throws {
        let fields: HTTPHeaders = [
            "ETag": "a", "last-modified": "b", "Accept-Ranges": "c", "Content-MD5": "d", "Digest": "e",
            "Content-Digest": "f",
            "Repr-Digest": "g", "X-A": "h", "Cache-Control": "i",
        ]
        let kept = try #require(Self.playlist("/v.m3u8", fields)).head.headers
        #expect(kept.map(\.name) == ["X-A", "Cache-Control"])
    }

    @Test func partsAreLeftOut() throws {
        let playlist = try #require(Self.playlist("/v.m3u8", [:]))
        var text = String(buffer: playlist.take(ByteBuffer(string: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n")))
        #expect(playlist.isEdited)
        text += String(
            buffer: playlist.take(ByteBuffer(string: "#EXTINF:4,\na.ts\n#EXT-X-PART:DURATION=1,URI=\"b.ts\"")))
        text += String(buffer: playlist.finish())
        #expect(text == "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n")
    }

    @Test func whatIsAbandonedStaysAsItIs() throws {
        let playlist = try #require(Self.playlist("/v.m3u8", [:]))
        let first = String(buffer: playlist.take(ByteBuffer(string: "#EXTM3U\n#EXT-X-P")))
        #expect(first == "" && !playlist.isEdited)
        #expect(String(buffer: playlist.abandon()) == "#EXTM3U\n#EXT-X-P")
    }

    /// Lines that do not tell what it is are held up to 16 KiB.
    @Test func whatTellsNothingForLongStaysAsItIs() throws {
        let playlist = try #require(Self.playlist("/v.m3u8", [:]))
        let comment = "#EXTM3U\n#" + String(repeating: "a", count: (16 << 10) - 10) + "\n"
        #expect(playlist.take(ByteBuffer(string: comment)).readableBytes == 0)
        #expect(String(buffer: playlist.take(ByteBuffer(string: "\n#EXT"))) == comment + "\n#EXT")
        let rest = "-X-PART:DURATION=1,URI=\"b.ts\"\n#EXTINF:4,\na.ts\n"
        #expect(String(buffer: playlist.take(ByteBuffer(string: rest))) == rest && !playlist.isEdited)
    }

    @Test func renditionsAreReportedBesideTheirPlaylist() {
        let reported = ReportedRenditions()
        #expect(reported.isEmpty && reported[[1]] == [])
        reported.set([[2], [3]], beside: [1])
        #expect(!reported.isEmpty && reported[[1]] == [[2], [3]] && reported[[2]] == [])
        reported.set([], beside: [1])
        #expect(reported.isEmpty)
    }
}
