import Foundation
import Testing

/// Whose the files are that stand where `surtitle segment` writes: an earlier run's are replaced, others stay.
@Suite struct EarlierSegmentsTests {
    /// A playlist as the command writes it, of three seconds and half a second.
    private static let playlist =
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:3\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        + "#EXTINF:3.000,\na-00000.vtt\n#EXTINF:0.500,\na-00001.vtt\n#EXT-X-ENDLIST\n"
    private static let segment = "WEBVTT\n\n00:01.000 --> 00:03.500\nmy own\n\n"
    private static let cues = "WEBVTT\n\n00:00.000 --> 00:07.000\nnew\n"

    /// What another program's playlist has in place of a word of ours.
    @Test(arguments: [
        ("3.000", "3.000000"), ("#EXTINF:0.500", "#EXTINF:0.5"), (",", ",title"), ("VERSION:3", "VERSION:6"),
        ("DURATION:3", "DURATION:4"), ("SEQUENCE:0", "SEQUENCE:1"), ("#EXTM3U\n", "#EXTM3U\n## Made by another\n"),
        ("a-00001", "a-00002"), ("a-00000", "a-0"), ("\n", "\r\n"), ("#EXT-X-ENDLIST\n", ""),
        ("#EXT-X-ENDLIST\n", "#EXT-X-ENDLIST"), (playlist, ""), (playlist, "#EXTM3U\n"), (playlist, segment),
    ])
    func anotherProgramsPlaylistStays(_ words: String, _ others: String) throws {
        let text = Self.playlist.replacing(words, with: others)
        let scratch = try Scratch(["a.vtt": Self.cues, "out/a.m3u8": text, "out/a-00000.vtt": Self.segment])
        let ran = try Ran("segment", "a.vtt", "-o", "out", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "surtitle: out/a-00000.vtt: is there", "or --force to replace it")
        #expect(try scratch.read("out/a.m3u8") == text && scratch.read("out/a-00000.vtt") == Self.segment)
        #expect(scratch.files(in: "out") == ["a-00000.vtt", "a.m3u8"])
        // It is in the way by itself too.
        try FileManager.default.removeItem(at: scratch.folder.appendingPathComponent("out/a-00000.vtt"))
        expectOneLine(
            try Ran("segment", "a.vtt", "-o", "out", in: scratch).errors, about: "out/a.m3u8: is there", "--force")
        #expect(try Ran("segment", "a.vtt", "-o", "out", "--force", in: scratch).status == 0)
        #expect(try scratch.read("out/a.m3u8").contains("\na-00001.vtt\n"))
    }

    /// What is no segment of ours, though the playlist is: each ends with an empty line, and begins as WebVTT does.
    @Test(arguments: [
        ("", "a-00000"), ("\n", "a-00000"), ("WEBVTT\n\n00:01.000 --> 00:03.500\nmy own\n", "a-00000"),
        ("WEBVTT\r\n\r\n00:01.000 --> 00:03.500\r\nmy own\r\n", "a-00000"),
        ("WEBVTT\r\r00:01.000 --> 00:03.500\rmy own\r", "a-00001"), ("\u{FEFF}" + segment, "a-00001"),
        ("1\n00:00:01,000 --> 00:00:03,500\nmy own\n\n", "a-00001"),
    ])
    func anotherProgramsSegmentStays(_ text: String, _ name: String) throws {
        let scratch = try Scratch(["a.vtt": Self.cues, "out/a.m3u8": Self.playlist, "out/\(name).vtt": text])
        let ran = try Ran("segment", "a.vtt", "-o", "out", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "surtitle: out/\(name).vtt: is there", "or --force to replace it")
        #expect(try scratch.read("out/\(name).vtt") == text && scratch.read("out/a.m3u8") == Self.playlist)
        #expect(scratch.files(in: "out") == ["\(name).vtt", "a.m3u8"])
    }

    /// Segments without a playlist, and a playlist of another file's, say nothing.
    @Test func segmentsAloneStay() throws {
        let scratch = try Scratch(["a.vtt": Self.cues, "out/a-00001.vtt": Self.segment, "out/b.m3u8": Self.playlist])
        let ran = try Ran("segment", "a.vtt", "-o", "out", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "out/a-00001.vtt: is there", "--force")
    }

    /// Longer or shorter, of other durations, dates and timelines: what the command itself has made is replaced, and what
    /// a longer run has left behind too.
    @Test func whatAnEarlierRunHasMadeIsReplaced() throws {
        let event =
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-DISCONTINUITY-SEQUENCE:4\n"
            + "#EXT-X-PROGRAM-DATE-TIME:2024-02-29T00:00:00Z\n#EXT-X-DISCONTINUITY\n#EXTINF:6.006,\na.ts\n"
            + "#EXTINF:3.123456789,\nb.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:5,\nc.ts\n#EXT-X-ENDLIST\n"
        let scratch = try Scratch(["event.m3u8": event, "vod.m3u8": Samples.media])
        let untyped = event.replacing("#EXT-X-PLAYLIST-TYPE:EVENT\n", with: "")
        try scratch.write("untyped.m3u8", Array(untyped.utf8))
        let runs = [
            "", "--target=2", "--no-comma", "--media=event.m3u8", "--target=3 --media=event.m3u8 --no-comma",
            "--media=untyped.m3u8", "--media=vod.m3u8", "--target=5.966633", "--target=0.5 --cues-once", "--map=7",
        ]
        for (number, options) in runs.enumerated() {
            let end = ["\n", "\r\n", "\r"][number % 3]
            try scratch.write("a b.vtt", Array("\(Self.cues)\(number)".replacing("\n", with: end).utf8))
            let words =
                ["segment", "a b.vtt", "-o", "out", "--map=none"] + options.split(separator: " ").map(String.init)
            let ran = try Ran(words, in: scratch)
            #expect(ran.status == 0, "\(options): \(ran.errors)")
            #expect(try scratch.read("out/a b-00000.vtt").contains("new\(end)\(number)"))
        }
    }
}
