import Testing

/// What is told of tracks that will hardly show what was meant.
@Suite struct TrackNotesTests {
    private static let video = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"

    /// Cues that go on for ten times as long as the video are another's.
    @Test(arguments: [("00:59.999", false), ("01:00.000", true)])
    func cuesOfAnotherVideo(_ end: String, _ isTold: Bool) throws {
        let scratch = try Scratch([
            "m.m3u8": Samples.master, "v.m3u8": Self.video, "a.vtt": "WEBVTT\n\n00:01.000 --> \(end)\na\n",
        ])
        let words = ["sideload", "m.m3u8", "--media=v.m3u8", "--map=none", "--track=uri=en.vtt,file=a.vtt", "-oout"]
        for options in [[], ["--segment", "--target=6"]] {
            let ran = try Ran(words + options + ["--force"], in: scratch)
            let note =
                "a.vtt: its last cue ends at 60.000 s, and the video at 6.000 s; perhaps it belongs to another video"
            #expect(ran.status == 0 && ran.notes.filter { $0.hasPrefix("a.vtt") } == (isTold ? [note] : []), "\(ran)")
        }
    }

    /// A track that is no file of ours is looked into if it is one: no player shows a multivariant playlist as subtitles.
    @Test(arguments: [(Samples.master, true), (Samples.media, false)])
    func aMultivariantPlaylistIsNoTrack(_ text: String, _ isTold: Bool) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "en.m3u8": text])
        let ran = try Ran("sideload", "m.m3u8", "--track=uri=en.m3u8", "-o.", "--name=all.m3u8", in: scratch)
        let note = "track 1: en.m3u8 is a multivariant playlist, of which no player shows subtitles"
        #expect(ran.status == 0 && ran.notes.contains { $0.hasPrefix(note) } == isTold, "\(ran)")
    }

    @Test(arguments: [("en", nil), ("english", "track 1: language=english is the tag of no language")])
    func languagesThatNobodyKnows(_ language: String, _ note: String?) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "a.vtt": Samples.webVTT])
        let track = "--track=uri=en.vtt,file=a.vtt,language=\(language)"
        let ran = try Ran("sideload", "m.m3u8", track, "--map=none", "-oout", in: scratch)
        #expect(
            ran.notes.filter { $0.contains("language=") }.map { $0.hasPrefix(note ?? "-") }
                == (note == nil ? [] : [true]))
    }
}
