import Testing

/// `surtitle sideload --map`.
@Suite struct SideloadMapTests {
    private func scratch() throws -> Scratch {
        try Scratch([
            "m.m3u8": Samples.master, "a.vtt": Samples.webVTT, "a.srt": "1\n0:0:1,0 --> 0:0:2,0\nb\n",
            "mapped.vtt":
                "WEBVTT x\r\nKind: captions\r\nX-TIMESTAMP-MAP=MPEGTS:1,LOCAL:00:00:00.000\r\n\r\n0:01.000 --> 0:02.000\r\n"
                + "00:01.000 --> 00:02.000",
        ])
    }

    @Test(arguments: [
        ("a.vtt", "126000", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n" + Samples.webVTT.dropFirst(7)),
        (
            "a.srt", "900000:00:10.000",
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:10.000,MPEGTS:900000\n\n1\n00:00:01.000 --> 00:00:02.000\nb\n"
        ),
        (
            "mapped.vtt", "7",
            "WEBVTT x\r\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:7\r\nKind: captions\r\n\r\n0:01.000 --> 0:02.000\r\n"
                + "00:01.000 --> 00:02.000"
        ),
    ])
    func theMapIsPutIn(_ file: String, _ map: String, _ expected: String) throws {
        let scratch = try scratch()
        for chunk in ["1", "5", "65536"] {
            let ran = try Ran(
                "sideload", "m.m3u8", "--track=uri=en.vtt,file=\(file)", "--map", map, "-oout", "--chunk", chunk,
                in: scratch)
            #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
            #expect(try scratch.read("out/en.vtt") == expected)
        }
    }

    @Test(arguments: ["a.vtt", "a.srt", "mapped.vtt"])
    func theMapIsPutIntoEverySegment(_ file: String) throws {
        let scratch = try scratch()
        let ran = try Ran(
            "sideload", "m.m3u8", "--track=uri=en.vtt,file=\(file)", "--map=126000:00:00:01.000", "--segment",
            "--target=0.5", "-oout", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        let segments = scratch.files(in: "out").filter { $0.hasSuffix(".vtt") }
        #expect(segments.count == (file == "a.vtt" ? 18 : 4))
        for segment in segments {
            let lines = try scratch.read("out/\(segment)").split(whereSeparator: \.isNewline)
            #expect(lines.dropFirst().first == "X-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:126000")
            #expect(lines.filter { $0.hasPrefix("X-TIMESTAMP-MAP") }.count == 1)
        }
    }

    @Test func aFileThatIsThereAlreadyIsNotChanged() throws {
        let scratch = try scratch()
        try scratch.write("d/o.m3u8", Array(Samples.master.utf8))
        let ran = try Ran("sideload", "d/o.m3u8", "--track=uri=a.vtt,file=a.vtt", "--map=7", "-o.", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "a.vtt", "would be overwritten by ./a.vtt")
        #expect(try scratch.read("a.vtt") == Samples.webVTT)
    }

    @Test(arguments: [
        (["--map=x", "--track=uri=en.vtt,file=a.vtt"], "--map is x"),
        (["--map", "--track=uri=en.vtt"], "--map needs a value"),
        (["--map=1", "--track=uri=en.vtt,duration=5"], "no track has file="),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["sideload", "m.m3u8", "-oout"] + words, in: scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
