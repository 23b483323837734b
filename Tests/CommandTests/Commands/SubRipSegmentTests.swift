import Testing

/// SubRip cut into segments: those of the WebVTT that it becomes.
@Suite struct SubRipSegmentTests {
    /// SubRip and what it becomes, with cues in order and not.
    private static let ordered = (
        "1\r\n0:0:1,0 --> 0:0:7,0\r\na & <font>b</font>\r\n\r\n2\r\n0:0:6,500 --> 0:0:9,250\r\nc\r\n",
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:07.000\na &amp; b\n\n2\n00:00:06.500 --> 00:00:09.250\nc\n"
    )
    private static let disordered = (
        "1\n0:0:7,0 --> 0:0:9,0\na\n\n2\n0:0:1,0 --> 0:0:6,500\nb\n",
        "WEBVTT\n\n1\n00:00:07.000 --> 00:00:09.000\na\n\n2\n00:00:01.000 --> 00:00:06.500\nb\n"
    )

    private func scratch() throws -> Scratch {
        let scratch = try Scratch([
            "m.m3u8": Samples.master, "late/en.srt": Self.disordered.0, "late/en.vtt": Self.disordered.1,
            "en.srt": Self.ordered.0, "en.vtt": Self.ordered.1, "empty.srt": "",
            "long.srt": "1\n0:0:1,0 --> 0:0:2,0\na\n\n2\n0:0:3,0 --> 1234567890:0:0,0\nb\n",
        ])
        try scratch.write("latin.srt", Array(Self.ordered.0.utf8) + Array("\n3\n0:0:9,0 --> 0:0:10,0\nd".utf8) + [0xE9])
        return scratch
    }

    /// Expects the same files, some at all, in both folders.
    private func expectSame(_ folder: String, _ other: String, in scratch: Scratch) throws {
        let files = scratch.files(in: folder)
        #expect(!files.isEmpty && files == scratch.files(in: other))
        for file in files { #expect(try scratch.read("\(folder)/\(file)") == scratch.read("\(other)/\(file)")) }
    }

    @Test(arguments: ["en", "late/en"], ["--chunk=1", "--chunk=7", "--chunk=65536"])
    func segmentReadsIt(_ file: String, _ chunk: String) throws {
        let scratch = try scratch()
        for (format, map) in [("srt", []), ("vtt", []), ("srt", ["--map=7"]), ("vtt", ["--map=7"])] {
            let folder = "\(format)\(map.count)"
            let ran = try Ran(["segment", "\(file).\(format)", "-o", folder, chunk] + map, in: scratch)
            #expect(ran.status == 0 && ran.text == "" && ran.errors == "", "\(ran.errors)")
        }
        #expect(scratch.files(in: "srt0") == ["en-00000.vtt", "en-00001.vtt", "en.m3u8"])
        for count in [0, 1] { try expectSame("srt\(count)", "vtt\(count)", in: scratch) }
        #expect(try scratch.read("srt1/en-00001.vtt").hasPrefix("WEBVTT\nX-TIMESTAMP-MAP="))
    }

    @Test(arguments: ["en", "late/en"], ["--chunk=1", "--chunk=65536"])
    func sideloadReadsIt(_ file: String, _ chunk: String) throws {
        let scratch = try scratch()
        for format in ["srt", "vtt"] {
            let ran = try Ran(
                "sideload", "m.m3u8", "--segment", "--target=2.5", "--track=uri=subs/en.vtt,file=\(file).\(format)",
                "-o", format, chunk, in: scratch)
            #expect(ran.status == 0 && ran.text == "" && ran.errors == "", "\(ran.errors)")
        }
        #expect(scratch.exists("srt/subs/en-00000.vtt") && !scratch.exists("srt/subs/en.vtt"))
        try expectSame("srt", "vtt", in: scratch)
    }

    @Test func aPipeIsReadOnce() throws {
        let scratch = try scratch()
        let ran = try Ran(shell: "cat en.srt | \"$surtitle\" segment - -o out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        let head = "WEBVTT\n\n1\n00:00:01.000 --> 00:00:07.000\na &amp; b\n\n"
        #expect(try scratch.read("out/subtitles-00000.vtt") == head)
        #expect(try scratch.read("out/subtitles-00001.vtt") == head + "2\n00:00:06.500 --> 00:00:09.250\nc\n\n")

        let late = try Ran(shell: "cat late/en.srt | \"$surtitle\" segment - -o none", in: scratch)
        #expect(late.status == 1)
        expectOneLine(late.errors, about: "standard input", "at byte 43 of the WebVTT that it becomes: the cue starts")
        #expect(scratch.files(in: "none") == [])
    }

    @Test(arguments: [
        ("latin.srt", "not UTF-8 but an 8-bit or East Asian encoding; name it: --from-encoding"),
        ("empty.srt", "at byte 0: no WEBVTT signature: this is an empty file"),
        ("long.srt", "at byte 43 of the WebVTT that it becomes: there would be more than 100000 segments"),
    ])
    func refusals(_ file: String, _ reason: String) throws {
        let scratch = try scratch()
        for words in [["segment", file], ["sideload", "m.m3u8", "--segment", "--track=uri=en.vtt,file=\(file)"]] {
            let ran = try Ran(words + ["-o", "out", "--chunk=1"], in: scratch)
            #expect(ran.status == 1 && ran.text == "")
            expectOneLine(ran.errors, about: file, reason)
            #expect(scratch.files(in: "out") == [])
        }
    }
}
