import Foundation
import Support
import Testing

@testable import surtitle

@Suite struct SideloadSegmentTests {
    private func scratch() throws -> Scratch {
        try Scratch([
            "m.m3u8": Samples.master, "v.m3u8": Samples.media, "a.vtt": Samples.webVTT,
            "b.vtt": "WEBVTT\n\n00:07.000 --> 00:08.000\nb\n\n00:01.000 --> 00:02.000\na\n",
        ])
    }

    private func sideload(_ scratch: Scratch, _ options: String...) throws -> Ran {
        try Ran(["sideload", "m.m3u8", "-o", "out", "--segment"] + options, in: scratch)
    }

    /// Cues in one file have one map, and so does the video if it has one timeline, or if nobody asks.
    @Test(arguments: [
        ("--media=two.m3u8", true), ("--media=one.m3u8", false), ("--media=two.m3u8 --map=none", false),
        ("--media=two.m3u8 --segment", false), ("", false),
    ])
    func timelinesBehindTheFirstAreNoted(_ options: String, _ isNoted: Bool) throws {
        let one = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:6,\na.aac\n"
        let scratch = try Scratch([
            "m.m3u8": Samples.master, "a.vtt": Samples.webVTT, "one.m3u8": one + "#EXT-X-ENDLIST\n",
            "two.m3u8": one + "#EXT-X-DISCONTINUITY\n#EXTINF:6,\na.aac\n#EXT-X-ENDLIST\n",
        ])
        try scratch.write("a.aac", AudioTagBytes.timestamp(126_000) + [0])
        let words = ["sideload", "m.m3u8", "--track=uri=en.vtt,file=a.vtt", "-oout"]
        let ran = try Ran(words + options.split(separator: " ").map(String.init), in: scratch)
        let note =
            "two.m3u8: has an EXT-X-DISCONTINUITY, behind which cues in one file may show at other times; --segment gives "
            + "each part its X-TIMESTAMP-MAP"
        #expect(ran.status == 0 && ran.notes.filter { $0.contains("other times") } == (isNoted ? [note] : []), "\(ran)")
    }

    @Test func makesAWholeRendition() throws {
        let scratch = try scratch()
        let ran = try sideload(
            scratch, "--track", "uri=subs/a%20b/en.vtt?x=1,file=a.vtt", "--track", "uri=sv.vtt,file=b.vtt", "--track",
            "uri=https://example.com/no.vtt,file=b.vtt", "--track", "uri=da.m3u8")
        #expect(ran.status == 0 && ran.text == "" && ran.errors == "")
        #expect(
            scratch.files(in: "out") == [
                "en.m3u8", "m.m3u8", "no.m3u8", "subs/a b/en-00000.vtt", "subs/a b/en-00001.vtt", "sv-00000.vtt",
                "sv-00001.vtt", "sv.m3u8",
            ])
        let playlist = try scratch.read("out/en.m3u8")
        #expect(
            playlist.hasSuffix(
                "#EXTINF:6.000,\nsubs/a%20b/en-00000.vtt?x=1\n#EXTINF:5.506,\nsubs/a%20b/en-00001.vtt?x=1\n#EXT-X-ENDLIST\n"
            ))
        #expect(try scratch.read("out/sv-00000.vtt") == "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n")
        #expect(try scratch.read("out/sv-00001.vtt") == "WEBVTT\n\n00:07.000 --> 00:08.000\nb\n\n")
        // A file that cannot be put beside the master is not cut.
        #expect(try scratch.read("out/no.m3u8").contains("#EXTINF:11.506,\nhttps://example.com/no.vtt\n"))
        #expect(try scratch.read("out/m.m3u8").contains("URI=\"sv.m3u8\""))
    }

    @Test func segmentsAreTheVideosOwn() throws {
        let scratch = try scratch()
        #expect(try sideload(scratch, "--track", "uri=en.vtt,file=a.vtt", "--media", "v.m3u8").status == 0)
        #expect(
            try scratch.read("out/en.m3u8").contains("#EXTINF:6.006,\nen-00000.vtt\n#EXTINF:5.500,\nen-00001.vtt\n"))
        let ran = try sideload(
            scratch, "--track", "uri=en.vtt,file=a.vtt,duration=10.5", "--media", "v.m3u8", "--target=5")
        #expect(ran.status == 0)
        #expect(
            try scratch.read("out/en.m3u8").contains("en-00001.vtt\n#EXTINF:0.500,\nen-00002.vtt\n#EXT-X-ENDLIST\n"))
    }

    @Test func mediaOnStandardInputIsReadOnce() throws {
        let scratch = try scratch()
        let arguments = [
            "sideload", "m.m3u8", "-o", "out", "--segment", "--track", "uri=en.vtt,file=a.vtt", "--media", "-",
        ]
        #expect(try Ran(arguments, input: Array(Samples.media.utf8), in: scratch).status == 0)
        #expect(try scratch.read("out/en.m3u8").contains("#EXTINF:6.006,\nen-00000.vtt\n"))
    }

    @Test func noSegmentTakesAnotherFilesName() throws {
        let scratch = try scratch()
        let ran = try sideload(
            scratch, "--track", "uri=en.vtt,file=a.vtt", "--track", "uri=en-00000.vtt,duration=3", "--track",
            "uri=EN-00001.vtt,file=b.vtt", "--track", "uri=en-2.vtt,file=b.vtt")
        #expect(ran.status == 0 && ran.errors == "")
        #expect(scratch.exists("out/en-2-00000.vtt") && scratch.exists("out/en-2-2-00000.vtt"))
        #expect(!scratch.exists("out/en-00000.vtt"))
    }

    @Test func theSourceIsNotOverwritten() throws {
        let scratch = try scratch()
        try scratch.write("en-00000.vtt", Array(Samples.webVTT.utf8))
        try scratch.write("x/m.m3u8", Array(Samples.master.utf8))
        let ran = try Ran(
            "sideload", "x/m.m3u8", "-o", ".", "--segment", "--track", "uri=en.vtt,file=en-00000.vtt", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "en-00000.vtt", "would be overwritten by ./en-00000.vtt")
        #expect(try scratch.read("en-00000.vtt") == Samples.webVTT)
        #expect(!scratch.exists("en.m3u8"))
    }

    @Test func aFileThatIsNotCutIsNoted() throws {
        let ran = try sideload(
            scratch(), "--track", "uri=https://cdn.example/en.vtt,file=a.vtt", "--track", "uri=sv.vtt,file=b.vtt")
        ran.expectNote(
            "track 1: https://cdn.example/en.vtt is not relative", "give a relative uri=", "surtitle segment")
        #expect(!ran.notes.contains { $0.contains("track 2: sv.vtt is not relative") })
    }

    @Test func aTargetAloneIsAMistake() throws {
        let ran = try Ran(
            "sideload", "m.m3u8", "-o", "out", "--target=6", "--track", "uri=en.vtt,file=a.vtt", in: scratch())
        #expect(ran.status == 2)
    }
}
