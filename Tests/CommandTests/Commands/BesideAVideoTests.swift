import Testing

/// What `--media` makes of subtitle playlists: the video's type and target duration (8216bis 6.2.4).
@Suite struct BesideAVideoTests {
    private static func video(_ type: String, target: Int = 7) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n\(type)#EXTINF:6.006,\na.ts\n#EXTINF:5.5,\nb.ts\n#EXT-X-ENDLIST\n"
    }

    private func scratch(_ video: String) throws -> Scratch {
        try Scratch(["v.m3u8": video, "a.vtt": Samples.webVTT, "m.m3u8": Samples.master])
    }

    private static let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:"

    @Test(arguments: [
        ("#EXT-X-PLAYLIST-TYPE:VOD\n", 9, "7\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n"),
        ("#EXT-X-PLAYLIST-TYPE: EVENT \n", 9, "9\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:EVENT\n"),
        ("", 9, "9\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:6.006,\n"),
        ("", 6, "6\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:6.006,\n"),
    ])
    func segmentsAreAsTheVideoIs(_ type: String, _ target: Int, _ expected: String) throws {
        let scratch = try scratch(Self.video(type, target: target))
        let ran = try Ran("segment", "a.vtt", "--media=v.m3u8", "--map=none", "-oout", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [])
        #expect(try scratch.read("out/a.m3u8").hasPrefix(Self.head + expected))
        let all = try Ran(
            "sideload", "m.m3u8", "--track=uri=a.vtt,file=a.vtt", "--media=v.m3u8", "--segment", "-oall", in: scratch)
        #expect(all.status == 0)
        #expect(try scratch.read("all/a.m3u8").hasPrefix(Self.head + expected))
    }

    @Test(arguments: ["", "#EXT-X-PLAYLIST-TYPE:EVENT\n"])
    func oneFileIsLongerThanTheTargetDuration(_ type: String) throws {
        let scratch = try scratch(Self.video(type))
        let playlist = try Ran("playlist", "a.vtt", "--uri=a.vtt", "--media=v.m3u8", in: scratch)
        #expect(playlist.status == 1 && playlist.text == "")
        expectOneLine(playlist.errors, about: "v.m3u8", "use surtitle segment --media")
        let all = try Ran(
            "sideload", "m.m3u8", "--track=uri=a.vtt,file=a.vtt", "--media=v.m3u8", "-oall", in: scratch)
        #expect(all.status == 1 && !scratch.exists("all"))
        expectOneLine(all.errors, about: "track 1, a.vtt", "--segment")
        let long = try Ran("segment", "a.vtt", "--media=v.m3u8", "--target=8", "-oout", in: scratch)
        #expect(long.status == 1)
        expectOneLine(long.errors, about: "a.vtt", "segment 0: longer than the target duration")
        // A video that plays no longer than its target duration leaves room for one file.
        let short = try Ran("playlist", "--uri=a.vtt", "--media=v.m3u8", "--duration=7.4", in: scratch)
        #expect(short.status == 0 && short.text.hasPrefix(Self.head + "7\n"))
    }

    @Test(arguments: [
        ["playlist", "a.vtt", "--uri=a.vtt"], ["segment", "a.vtt", "-oout"],
        ["sideload", "m.m3u8", "--track=uri=a.vtt,file=a.vtt", "-oout"],
    ])
    func aDeltaUpdateIsRefused(_ words: [String]) throws {
        let scratch = try scratch(Self.video("#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n"))
        let ran = try Ran(words + ["--media=v.m3u8"], in: scratch)
        #expect(ran.status == 1 && ran.text == "" && !scratch.exists("out"))
        expectOneLine(ran.errors, about: "v.m3u8", "line 3, at byte 32: EXT-X-SKIP makes this a delta update")
    }

    /// `inspect` counts as `--media` does.
    @Test func aDurationWithoutAURICountsNowhere() throws {
        let scratch = try scratch("#EXTM3U\n#EXTINF:9,\n#EXTINF:6,\na.ts\n#EXTINF:5,\n#EXT-X-ENDLIST\n")
        #expect(try Ran("inspect", "v.m3u8", in: scratch).text.contains("segments  1\nduration  6.000\n"))
    }

    @Test func aDateBehindADiscontinuityIsNoted() throws {
        let date = "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n"
        let scratch = try scratch(
            Self.video("#EXT-X-PLAYLIST-TYPE:VOD\n").replacing("#EXTINF:5.5", with: "\(date)#EXTINF:5.5"))
        let ran = try Ran("segment", "a.vtt", "--media=v.m3u8", "--map=none", "-oout", in: scratch)
        ran.expectNote("v.m3u8", "the first EXT-X-PROGRAM-DATE-TIME")
        #expect(try !scratch.read("out/a.m3u8").contains("DATE-TIME"))
    }
}
