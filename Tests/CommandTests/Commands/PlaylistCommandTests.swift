import Testing

@Suite struct PlaylistCommandTests {
    private func playlist(_ duration: String, target: Int, comma: String = ",") -> String {
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n"
            + "#EXTINF:\(duration)\(comma)\nhttps://e.example/en.vtt\n#EXT-X-ENDLIST\n"
    }

    private static let uri = "--uri=https://e.example/en.vtt"
    private static let files = [
        "a.vtt": Samples.webVTT, "v.m3u8": Samples.media, "nocue": "WEBVTT", "m.m3u8": Samples.master,
        // A film that ends with an advert shown in its first seconds, and cues that never show.
        "film.srt":
            "1\n00:00:01,000 --> 00:00:04,000\na\n\n2\n01:39:58,000 --> 01:40:00,000\nb\n\n9999\n00:00:00,500 --> 00:00:02,000\n"
            + "www.example.com\n",
        "hidden": "WEBVTT\n\n01:00:00.456 --> 00:00:21.670\nb\n\n00:02.000 --> 00:02.000\n",
    ]

    @Test(arguments: [
        (["a.vtt"], "9.000", 9, ","), (["a.vtt", "--no-comma"], "9.000", 9, ""),
        (["a.vtt", "--chunk=1"], "9.000", 9, ","),
        (["a.vtt", "--duration=634.567"], "634.567", 635, ","), (["a.vtt", "--duration", "4"], "4.000", 4, ","),
        (["a.vtt", "--media=v.m3u8"], "11.506", 12, ","), (["--media=v.m3u8", "--chunk=1"], "11.506", 12, ","),
        (["--media=v.m3u8", "--duration=0.5"], "0.500", 1, ","), (["--duration=0.0001"], "0.001", 1, ","),
        (["nocue", "--duration=1"], "1.000", 1, ","), (["-"], "9.000", 9, ","), (["film.srt"], "6000.000", 6000, ","),
        (["film.srt", "--shift=-1.4"], "5998.600", 5999, ","), (["hidden", "--duration=1"], "1.000", 1, ","),
    ])
    func writesPlaylists(_ words: [String], _ duration: String, _ target: Int, _ comma: String) throws {
        let ran = try Ran(
            ["playlist", Self.uri] + words, input: Array(Samples.webVTT.utf8), in: Scratch(Self.files))
        #expect(ran.status == 0 && ran.errors == "")
        #expect(ran.text == playlist(duration, target: target, comma: comma))
    }

    @Test func mediaOnStandardInput() throws {
        let ran = try Ran(
            "playlist", Self.uri, "--media=-", "a.vtt", input: Array(Samples.media.utf8), in: Scratch(Self.files))
        #expect(ran.text == playlist("11.506", target: 12))
    }

    @Test(arguments: [
        (["nocue"], "nocue", "no cue in the whole file; give --duration or --media"),
        (
            ["hidden"], "hidden",
            "no cue shows, because each ends at its start or before; repair their times, or give --duration"
        ),
        (["missing"], "missing", "no such file"), (["missing", "--duration=5"], "missing", "no such file"),
        (["v.m3u8"], "v.m3u8", "at byte 0: no WEBVTT signature"),
        (["v.m3u8", "--duration=5"], "v.m3u8", "at byte 0: no WEBVTT signature"),
        (["a.vtt", "--media=m.m3u8"], "m.m3u8", "makes this a multivariant playlist"),
        (["a.vtt", "--media=missing"], "missing", "no such file"),
    ])
    func refusesInput(_ words: [String], _ file: String, _ reason: String) throws {
        let ran = try Ran(["playlist", Self.uri] + words, in: Scratch(Self.files))
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: file, reason)
    }

    @Test(arguments: [
        (["a.vtt"], "--uri URI is missing"), (["--uri=a"], "FILE is missing"), (["a.vtt", "--uri="], "empty value"),
        (["a.vtt", "--uri=#a"], "begins with #"), (["a.vtt", "--uri=a\nb"], "CR, LF or NUL"),
        (["a.vtt", "--uri={$a}"], "opens a variable"), (["a.vtt", "b", "--uri=a"], "one operand too many"),
        (["a.vtt", "--uri=a", "--duration=0"], "no number of seconds above 0"),
        (["-", "--uri=a", "--media=-"], "cannot both be standard input"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["playlist"] + words, in: Scratch(Self.files))
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
