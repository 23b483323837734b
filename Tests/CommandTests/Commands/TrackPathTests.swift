import Testing

/// A path as the whole of a track's description.
@Suite struct TrackPathTests {
    private func scratch() throws -> Scratch {
        try Scratch([
            "m.m3u8": Samples.master, "subs/movie.sv.srt": "1\n0:0:1,0 --> 0:0:4,5\nHej\n",
            "movie.en.sdh.vtt": Samples.webVTT,
            "movie.sv.vtt": Samples.webVTT,
        ])
    }

    @Test func sideloadMakesEverythingOfIt() throws {
        let scratch = try scratch()
        let ran = try Ran(
            "sideload", "m.m3u8", "--track", "subs/movie.sv.srt", "--track=movie.en.sdh.vtt,default", "-oout",
            in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        #expect(
            scratch.files(in: "out")
                == ["m.m3u8", "movie.en.sdh.m3u8", "movie.en.sdh.vtt", "movie.sv.m3u8", "movie.sv.vtt"])
        #expect(try scratch.read("out/movie.sv.vtt") == "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.005\nHej\n")
        let master = try scratch.read("out/m.m3u8")
        #expect(
            master.contains(
                "NAME=\"Svenska\",LANGUAGE=\"sv\",DEFAULT=NO,AUTOSELECT=YES,URI=\"movie.sv.m3u8\""), "\(master)")
        #expect(
            master.contains("NAME=\"English (SDH)\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,CHARACTERISTICS="),
            "\(master)"
        )
    }

    @Test func theSameURITwiceIsRefused() throws {
        let ran = try Ran(
            "sideload", "m.m3u8", "--track=subs/movie.sv.srt", "--track=movie.sv.vtt", "-oout", in: scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "movie.sv.vtt", "track 2: an earlier track has the same URI")
    }

    @Test(arguments: [
        ("--duration=1:30", "90.000"), ("--duration=90s", "90.000"), ("--duration=1:02:03.5", "3723.500"),
    ])
    func timesAreRead(_ option: String, _ duration: String) throws {
        let ran = try Ran("playlist", "--uri=a.vtt", option, in: scratch())
        #expect(ran.status == 0 && ran.text.contains("#EXTINF:\(duration),\n"), "\(ran)")
    }

    @Test func sizesHaveUnits() throws {
        let scratch = try scratch()
        let whole = try Ran("duration", "movie.sv.vtt", in: scratch)
        #expect(try Ran("duration", "movie.sv.vtt", "--budget=1M", "--chunk=1k", in: scratch).text == whole.text)
        let wrong = try Ran("duration", "movie.sv.vtt", "--budget=1X", in: scratch)
        #expect(wrong.status == 2)
        expectOneLine(wrong.errors, about: "--budget", "like 65536, 64k or 1M")
    }
}
