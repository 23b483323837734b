import Support
import Testing

@testable import Delivery

/// What becomes of the video's own playlists where they pass by.
struct VideoPlaylistEditsTests {
    private static let video = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,HOLD-BACK=12.5,PART-HOLD-BACK=3
        #EXT-X-PART-INF:PART-TARGET=1
        #EXT-X-MEDIA-SEQUENCE:7
        #EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:40Z
        #EXTINF:4,
        7.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:4,\r
        8.ts\r
        #EXT-X-PART:DURATION=1,URI="9.0.ts"
        #EXTINF:4,
        9.ts
        #EXT-X-PART:DURATION=1,URI="10.0.ts"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="10.1.ts"
        #EXT-X-RENDITION-REPORT:URI="low.m3u8",LAST-MSN=9

        """
    private static let plain = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:HOLD-BACK=12.5
        #EXT-X-MEDIA-SEQUENCE:7
        #EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:40Z
        #EXTINF:4,
        7.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:4,\r
        8.ts\r
        #EXTINF:4,
        9.ts

        """
    private static let report = "#EXT-X-RENDITION-REPORT:URI=\"/en.m3u8\"\n"
    private static let reporting = VideoPlaylistEdits(reported: [Array("/en.m3u8".utf8)])

    /// What comes of `text`, which every split into chunks must give.
    private static func edit(_ text: String, _ edits: VideoPlaylistEdits, tryingSplits: Bool = true) -> String {
        let bytes = Array(text.utf8)
        func output(_ split: [Range<Int>]) -> String {
            var editor = VideoPlaylistEditor(edits)
            var output: [UInt8] = []
            for range in split { bytes[range].withUnsafeBytes { editor.write($0, into: &output) } }
            editor.finish(into: &output)
            return String(decoding: output, as: UTF8.self)
        }
        let whole = output([0..<bytes.count])
        for split in tryingSplits ? Splits.all(of: bytes.count) : [] { #expect(output(split) == whole, "\(split)") }
        return whole
    }

    @Test func stripLeavesOutLowLatency() {
        #expect(Self.edit(Self.video, VideoPlaylistEdits(lowLatency: .strip)) == Self.plain)
        // Of a control without a distance nothing is left.
        let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n"
        #expect(
            Self.edit("#EXTM3U\n\(control)#EXTINF:4,\na\n", VideoPlaylistEdits(lowLatency: .strip))
                == "#EXTM3U\n#EXTINF:4,\na\n")
    }

    @Test(arguments: [
        (1, "#EXTINF:4,\n9.ts\n"), (2, "#EXT-X-DISCONTINUITY\n#EXTINF:4,\r\n8.ts\r\n#EXTINF:4,\n9.ts\n"), (3, nil),
        (9, nil),
    ])
    func theLastAreHeldBack(_ count: Int, _ rest: String?) {
        let rest = rest ?? "#EXT-X-DISCONTINUITY\n#EXTINF:4,\r\n8.ts\r\n#EXTINF:4,\n9.ts\n"
        let edits = VideoPlaylistEdits(heldBack: count)
        #expect(Self.edit(Self.video, edits) == String(Self.plain.dropLast(rest.count)))
        // An ended stream is all there.
        #expect(Self.edit(Self.video + "#EXT-X-ENDLIST\n", edits) == Self.plain + "#EXT-X-ENDLIST\n")
        #expect(Self.edit(Self.video + "#EXT-X-ENDLIST", edits) == Self.plain + "#EXT-X-ENDLIST\n")
    }

    @Test func theRenditionHoldsBackAsMuch() throws {
        for count in 0..<9 {
            var kind = LiveOrigin.Kind()
            kind.parts = count % 3
            kind.discontinuity = 4
            var origin = LiveOrigin(kind)
            let video = VideoPlaylistEdits(lowLatency: .strip, heldBack: count)
            var held = LiveChannel(LiveConfiguration(map: .none, heldBack: count))
            var edited = LiveChannel(LiveConfiguration(map: .none, lowLatency: .strip))
            for round in 0..<20 {
                origin.advance()
                origin.isEnded = round == 19
                let version = origin.version(openParts: kind.parts > 1 && round < 19 ? 1 : 0)
                _ = try held.take(version)
                _ = try edited.take(Self.edit(version, video, tryingSplits: false))
                let playlist = held.playlist()
                #expect(!playlist.contains("PART") || count == 0)
                if count > 0 { #expect(playlist == edited.playlist(), "\(count) \(round)") }
            }
        }
    }

    @Test func renditionsAreReported() {
        #expect(Self.edit(Self.video, Self.reporting) == Self.video + Self.report)
        #expect(Self.edit(Self.video + "#a", Self.reporting) == Self.video + "#a\n" + Self.report)
        // Not to those who do not wait, nor at an end, nor where nothing else is left of low latency.
        let ended = Self.video + "#EXT-X-ENDLIST\n"
        #expect(Self.edit(ended, Self.reporting) == ended)
        #expect(Self.edit(Self.plain, Self.reporting) == Self.plain)
        var edits = Self.reporting
        edits.lowLatency = .strip
        #expect(Self.edit(Self.video, edits) == Self.plain)
    }

    @Test(arguments: [
        "", "#EXTM3U", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:1,\nb\n", "a\nb\n\n",
        "#EXTM3U\r\n#EXT-X-MEDIA:TYPE=AUDIO\n#EXT-X-PART:a\n",
    ])
    func whatIsNoMediaPlaylistStays(_ text: String) {
        var edits = Self.reporting
        edits.heldBack = 2
        #expect(Self.edit(text, edits) == text)
    }

    @Test func whetherThereIsAnythingToEdit() {
        #expect(VideoPlaylistEdits().isEmpty && VideoPlaylistEdits(heldBack: -1).isEmpty)
        #expect(!VideoPlaylistEdits(lowLatency: .strip).isEmpty && !VideoPlaylistEdits(heldBack: 1).isEmpty)
        #expect(!Self.reporting.isEmpty && VideoPlaylistEdits(heldBack: -1).heldBack == 0)
    }

    /// What the playlist is shows with a first tag of one kind; what breaks off goes out as it came.
    @Test func aPlaylistThatBreaksOff() {
        for (text, rest, verdict) in [
            ("#EXTM3U\n# a\n", "#EXT", VideoPlaylistEditor.Verdict.undecided),
            ("#EXTM3U\n#EXTINF:4,\n", "a.ts\n#EX", .media),
            ("#EXTM3U\n#EXTINF:4,\na.ts\n#EXTINF:4,\nb.ts\n", "c", .media),
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\n", "v", .other),
        ] {
            var editor = VideoPlaylistEditor(VideoPlaylistEdits(heldBack: 1))
            var output: [UInt8] = []
            editor.write(Array((text + rest).utf8).span.bytes, into: &output)
            let found = editor.verdict
            #expect("\(found)" == "\(verdict)")
            editor.abandon(into: &output)
            #expect(String(decoding: output, as: UTF8.self) == text + rest)
            // From there on all goes by.
            editor.write(Array("#EXT-X-PART:a\nb".utf8).span.bytes, into: &output)
            editor.finish(into: &output)
            #expect(String(decoding: output, as: UTF8.self) == text + rest + "#EXT-X-PART:a\nb")
        }
    }

    /// A tag of more than 64 KiB is not looked at, and of held lines no more than 1 MiB is kept.
    @Test func whatIsLookedAtAndKeptHasLimits() {
        for (count, isLookedAt) in [(64 << 10, true), (64 << 10 + 1, false)] {
            let tag = "#EXT-X-PART:" + String(repeating: "a", count: count - 13) + "\n"
            let made = Self.edit("#EXTM3U\n\(tag)a\n", VideoPlaylistEdits(lowLatency: .strip), tryingSplits: false)
            #expect(made == (isLookedAt ? "#EXTM3U\na\n" : "#EXTM3U\n\(tag)a\n"))
        }
        for (count, isHeld) in [(1 << 20, true), (1 << 20 + 1, false)] {
            var editor = VideoPlaylistEditor(VideoPlaylistEdits(heldBack: 1))
            var output: [UInt8] = []
            let head = "#EXTM3U\n#EXTINF:1,\n"
            let line = "#" + String(repeating: "a", count: 1022) + "\n"
            var text = head + String(repeating: line, count: 1023)
            text += "#" + String(repeating: "b", count: count - text.utf8.count - 2) + "\n"
            editor.write(Array(text.utf8).span.bytes, into: &output)
            #expect(output.isEmpty == isHeld)
        }
    }

    /// Of a playlist with fewer segments than are held back the first is there.
    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n", 0), ("#EXTM3U\n#EXTINF:4,\na\n", 0),
        ("#EXTM3U\n#EXTINF:4,\na\n", 1), ("#EXTM3U\n#EXTINF:4,\na\n", 2),
    ])
    func theFirstIsThere(_ text: String, _ others: Int) {
        let rest = String(repeating: "#EXTINF:4,\nb\n", count: others)
        #expect(Self.edit(text + rest, VideoPlaylistEdits(heldBack: 3)) == text)
    }

    @Test func aLineWithoutAnEndIsNotCollected() {
        let edits = VideoPlaylistEdits(heldBack: 1)
        var editor = VideoPlaylistEditor(edits)
        var output: [UInt8] = []
        let chunk = [UInt8](repeating: 0x61, count: 1 << 16)
        Array("#EXTM3U\n#EXTINF:1,\n".utf8).withUnsafeBytes { editor.write($0, into: &output) }
        for _ in 0..<100 { chunk.withUnsafeBytes { editor.write($0, into: &output) } }
        #expect(output.count > 80 << 16, "it goes by")
    }
}
