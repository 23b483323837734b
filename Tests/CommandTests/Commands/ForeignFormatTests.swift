import Support
import Testing

/// What is neither WebVTT nor SubRip is named, if its first bytes tell what it is.
@Suite struct ForeignFormatTests {
    private static let subRip = "1\n00:00:01,000 --> 00:00:02,000\na\n"
    /// The file, what is in it, and what the refusal says.
    static let files: [(name: String, content: String, words: String)] = [
        ("a.vtt", subRip, "this is SubRip; give it a name that ends in .srt"),
        ("b.vtt", "\u{FEFF}\n" + subRip, "this is SubRip"),
        ("c.vtt", "<?xml version=\"1.0\"?>\n<tt xmlns=\"http://www.w3.org/ns/ttml\">\n", "this is TTML; convert it"),
        ("d.srt", "<tt xml:lang=\"en\">", "this is TTML"), ("e.vtt", "[Script Info]\nTitle: x\n", "this is ASS"),
        ("f.srt", "\u{FEFF}[script info]\r\n", "this is ASS; convert it to WebVTT or SubRip first"),
        ("g.vtt", "", "this is an empty file"), ("k.srt", "", "this is an empty file; give a WebVTT or SubRip file"),
        ("h.srt", "<!DOCTYPE html><title>404", "this is HTML; a server sends that"),
        ("i.vtt", Samples.media, "this is a playlist; give the subtitles that it lists"),
        ("j.vtt", "some text", "so this is not WebVTT; give a WebVTT or SubRip file"),
    ]

    private func expectRefused(_ file: String, _ words: String, in scratch: Scratch) throws {
        for call in [
            ["cues", file], ["cues", file, "--chunk=1"], ["duration", file], ["duration", file, "--latest"],
            ["duration", file, "--shift=1"], ["playlist", file, "--uri=a"], ["segment", file, "-oout"],
            ["sideload", "m.m3u8", "--track=uri=en.vtt,file=\(file)", "-oout"],
            ["sideload", "m.m3u8", "--track=uri=en.vtt,duration=5,file=\(file)", "-oout"],
        ] {
            let ran = try Ran(call, in: scratch)
            #expect(ran.status == 1 && ran.text == "" && !scratch.exists("out"), "\(call)")
            expectOneLine(ran.errors, about: file, "at byte 0: no WEBVTT signature")
            expectOneLine(ran.errors, about: file, words)
        }
    }

    @Test(arguments: files) func isNamed(_ name: String, _ content: String, _ words: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, name: content])
        try expectRefused(name, words, in: scratch)
        guard let format = words.firstMatch(of: #/^this is (?!an empty)(\w+)/#)?.1, format != "a" else { return }
        #expect(try Ran("inspect", name, in: scratch).text.contains("looks like  \(format)\n"))
        #expect(try Ran("inspect", name, "--json", in: scratch).text.contains("\"looks_like\":\"\(format)\""))
    }

    @Test(arguments: [("a.vtt", [0x1F, 0x8B, 8, 0, 0xFF], "gzip"), ("b.srt", [0x50, 0x4B, 3, 4, 0x80], "zip")])
    func compressedFilesAre(_ name: String, _ content: [UInt8], _ format: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        try scratch.write(name, content)
        try expectRefused(name, "this is \(format); unpack it first", in: scratch)
    }

    /// SubRip whose name does not say otherwise is read as ever.
    @Test func subRipOfNoNameIsRead() throws {
        let scratch = try Scratch()
        #expect(try Ran("duration", "-", input: Array(Self.subRip.utf8), in: scratch).text == "2.000\n")
    }

    /// A media segment: where its map begins.
    @Test func aSegmentTellsItsFirstTimeStamp() throws {
        let scratch = try Scratch()
        try scratch.write("a.ts", AutomaticMapTests.transport(126_000))
        let size = AutomaticMapTests.transport(126_000).count
        for chunk in ["1", "188", "65536"] {
            #expect(
                try Ran("inspect", "a.ts", "--chunk", chunk, in: scratch).text
                    == "kind              segment\nfirst time stamp  126000 (1.400 s)\nbytes             \(size)\n")
        }
        #expect(
            try Ran("inspect", "a.ts", "--json", in: scratch).text
                == "{\"kind\":\"segment\",\"first_time_stamp\":126000,\"bytes\":\(size)}\n")
        try scratch.write("a.m4s", FragmentedMP4Bytes.segment([.init(track: 1, decodeTime: 7)]))
        #expect(
            try Ran("inspect", "a.m4s", in: scratch).text.contains("unknown: fragmented MP4 without its init segment"))
        #expect(try Ran("inspect", "a.m4s", "--json", in: scratch).text.contains("\"first_time_stamp\":null"))
        try scratch.write("noise", (0..<4096).map { UInt8(truncatingIfNeeded: $0 * $0 / 7 ^ $0) })
        #expect(try Ran("inspect", "noise", in: scratch).text.hasPrefix("kind   neither\n"))
    }
}
