import Foundation
import M3U8
import Sideload
import Support
import Testing

@Suite struct MasterCommandTests {
    private static let track = ["--track", "uri=en.m3u8,language=en,name=English,default"]
    private static let tag =
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,"
        + "URI=\"en.m3u8\"\n"
    private static let rewritten =
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"subs\"\nv.m3u8\n" + tag

    @Test func addsTracks() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        for chunk in [[], ["--chunk", "1"], ["--chunk=7"], ["--chunk", "1000000"]] {
            for (file, input) in [("m.m3u8", ""), ("-", Samples.master)] {
                let ran = try Ran(["master", file] + Self.track + chunk, input: Array(input.utf8), in: scratch)
                #expect(ran.status == 0 && ran.errors == "")
                #expect(ran.text == Self.rewritten)
            }
        }
        let ran = try Ran(["master"] + Self.track, input: Array(Samples.master.utf8), in: scratch)
        #expect(ran.text == Self.rewritten)
    }

    @Test func refersToThePlaylistsOfWebVTTFiles() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let ran = try Ran("master", "m.m3u8", "--track=uri=subs/en.vtt,language=en", in: scratch)
        #expect(ran.status == 0)
        #expect(ran.text.contains("NAME=\"English\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=YES,URI=\"en.m3u8\""))
    }

    @Test func writesEveryField() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let spec =
            "uri=en.m3u8,language=eng,name=A\\,B,forced,kind=captions,autoselect=no,group=g,stable-id=s,assoc-language=fr"
        let ran = try Ran("master", "m.m3u8", "--track", spec, in: scratch)
        #expect(
            ran.text.hasSuffix(
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"A,B\",LANGUAGE=\"en\",ASSOC-LANGUAGE=\"fr\",DEFAULT=NO,"
                    + "AUTOSELECT=YES,FORCED=YES,CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
                    + "public.accessibility.describes-music-and-sound\",STABLE-RENDITION-ID=\"s\",URI=\"en.m3u8\"\n"))
    }

    @Test func replacesTheDefaultWhereAsked() throws {
        let own = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"O\",DEFAULT=YES,AUTOSELECT=YES,URI=\"o.m3u8\"\n"
        let scratch = try Scratch(["m.m3u8": "#EXTM3U\n" + own + Samples.master.dropFirst(8)])
        let kept = try Ran(["master", "m.m3u8"] + Self.track, in: scratch)
        #expect(kept.text.contains(own) && kept.text.components(separatedBy: "DEFAULT=YES").count == 2)
        let replaced = try Ran(["master", "m.m3u8", "--replace-default"] + Self.track, in: scratch)
        #expect(replaced.text.contains(own.replacing("DEFAULT=YES", with: "DEFAULT=NO")))
        #expect(replaced.text.contains("NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES"))
    }

    @Test(arguments: [
        ("media", Samples.media, "line 2, at byte 8: EXT-X-TARGETDURATION makes this a media playlist"),
        ("other", "hello\n", "at byte 0: the first line is not #EXTM3U"),
        ("webvtt", Samples.webVTT, "at byte 0"),
        ("empty", "", "at byte 0: the file is empty"),
        ("undecided", Samples.undecided, "2 lines and no EXT-X-STREAM-INF"),
        ("bare", "#EXTM3U", "no EXT-X-STREAM-INF"),
    ])
    func passesOnWhatItRefuses(_ name: String, _ text: String, _ reason: String) throws {
        let scratch = try Scratch([name: text])
        for chunk in ["1", "65536"] {
            let ran = try Ran(["master", name, "--chunk", chunk] + Self.track, in: scratch)
            #expect(ran.status == 1)
            #expect(ran.text == text)
            expectOneLine(ran.errors, about: name, reason)
            let piped = try Ran(["master", "-"] + Self.track, input: Array(text.utf8), in: scratch)
            #expect(piped.status == 1 && piped.text == text)
            expectOneLine(piped.errors, about: "standard input", reason)
        }
    }

    @Test func tellsMixedPlaylists() throws {
        let scratch = try Scratch(["mixed": Samples.mixed])
        let ran = try Ran(["master", "mixed"] + Self.track, in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "mixed", "line 4, at byte 45: EXTINF is for another kind of playlist")
        #expect(ran.text == Self.rewritten.replacing(Self.tag, with: "") + "#EXTINF:6,\na.ts\n" + Self.tag)
    }

    @Test func warnsOfLinesItCannotEdit() throws {
        let open = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\nv.m3u8\n"
        let scratch = try Scratch(["open": open])
        let ran = try Ran(["master", "open"] + Self.track, in: scratch)
        #expect(ran.status == 1)
        #expect(ran.text == open)
        expectOneLine(ran.errors, about: "open", "at byte 8: a variant is left as it is (1 in all)")
    }

    /// The variants that could be edited are, and the tags are there.
    @Test func tellsOfTheVariantThatStays() throws {
        let stray = "#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES=\"a\"b\"c\"\nw.m3u8\n"
        let scratch = try Scratch(["stray": Samples.master + stray])
        for chunk in ["--chunk=1", "--chunk=65536"] {
            let ran = try Ran(["master", "stray", chunk] + Self.track, in: scratch)
            #expect(ran.status == 1)
            #expect(ran.text == Self.rewritten.replacing(Self.tag, with: "") + stray + Self.tag)
            expectOneLine(ran.errors, about: "stray", "at byte 45: a variant is left as it is (1 in all)")
        }
    }

    @Test func tellsOfAGroupWithAControlCharacter() throws {
        let tab = "#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES=\"a\tb\"\nw.m3u8\n"
        let ran = try Ran(["master", "tab"] + Self.track, in: try Scratch(["tab": Samples.master + tab]))
        #expect(ran.status == 1 && ran.text.contains(tab))
        expectOneLine(ran.errors, about: "tab: at byte 45", "its group's name holds a control character")
    }

    @Test func tellsOfMastersWithoutVariants() throws {
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"a\",URI=\"a.m3u8\"\n"
        let frames = "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"\n"
        let scratch = try Scratch(["frames": frames, "media": "#EXTM3U\n" + media])
        let ran = try Ran(["master", "frames"] + Self.track, in: scratch)
        #expect(ran.status == 1 && ran.text == frames)
        expectOneLine(ran.errors, about: "frames", "none of its 2 lines is EXT-X-STREAM-INF")
        let groups = try Ran(["master", "media"] + Self.track, in: scratch)
        #expect(groups.status == 1 && groups.text == "#EXTM3U\n" + media + Self.tag)
        expectOneLine(groups.errors, about: "media", "line 2, at byte 8: EXT-X-MEDIA makes this")
    }

    @Test func notesThatTheTracksAreThere() throws {
        let scratch = try Scratch(["m.m3u8": Self.rewritten, "n.m3u8": Samples.master + "#EXT-X-ENDLIST\n"])
        let ran = try Ran(["master", "m.m3u8"] + Self.track, in: scratch)
        #expect(ran.status == 0 && ran.text == Self.rewritten)
        ran.expectNote("m.m3u8", "every group has all the tracks already")
        let ended = try Ran(["master", "n.m3u8"] + Self.track, in: scratch)
        #expect(ended.status == 0 && ended.errors == "")
    }

    @Test func passesOnWhatIsTooLong() throws {
        let long = Samples.master + "#EXT-X-STREAM-INF:NAME=\"" + String(repeating: "x", count: 70_000) + "\"\nw.m3u8\n"
        let scratch = try Scratch(["long": long])
        let ran = try Ran(["master", "long"] + Self.track, in: scratch)
        #expect(ran.status == 1)
        #expect(ran.text.hasSuffix("\"\nw.m3u8\n" + Self.tag) || ran.text.hasSuffix("\"\nw.m3u8\n"))
        #expect(ran.text.hasPrefix("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES"))
        expectOneLine(ran.errors, about: "long", "at byte 45: the line is longer than the limit of 65536 bytes")
    }

    @Test(arguments: [
        (["missing"], "missing: no such file"), (["."], ".: is a directory"), (["m.m3u8/x"], "not a directory"),
        ([String(repeating: "x", count: 300)], "the name is too long"),
    ])
    func refusesWhatIsNoFile(_ words: [String], _ reason: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let ran = try Ran(["master"] + words + Self.track, in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: words[0], reason)
    }

    @Test(.enabled(if: geteuid() != 0, "skipped: everything is readable to root"))
    func refusesWhatItMayNotRead() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let ran = try Ran(shell: "chmod 0 m.m3u8; \"$surtitle\" master m.m3u8 --track uri=en.m3u8", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "m.m3u8", "permission denied")
    }

    @Test(arguments: [
        ([], "--track SPEC is missing"), (["m.m3u8"], "--track SPEC is missing"),
        (["m.m3u8", "--track"], "--track needs a value"),
        (["a", "b", "--track=uri=en.m3u8"], "b is one operand too many"),
        (["--track=uri=en.m3u8", "--chunk=0"], "--chunk is 0"), (["--track=uri=en.m3u8", "--loud"], "unknown option"),
        (["--track=uri=en.m3u8,name=a\"b"], "track 1: the name holds a quote"),
        (["--track=uri=en.m3u8,name=a\nb"], "track 1: the name holds a quote or a line break"),
        (["--track=uri=en.m3u8,name=a\u{85}b"], "track 1: the name holds a control character"),
        (["--track=uri=en.m3u8,language=e_n"], "track 1: the language is not a language tag"),
        (["--track=uri=en.m3u8,stable-id=a b"], "track 1: a stable rendition id"),
        (["--track=uri={$a}.m3u8,name=a"], "track 1: the URI holds {$"),
        (["--track=uri=en.m3u8,default", "--track=uri=sv.m3u8,default"], "track 2: an earlier track is the default"),
        (
            ["--track=uri=en.m3u8,group=a", "--track=uri=sv.m3u8,group=b"],
            "track 2: an earlier track names another group"
        ),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["master"] + words, in: Scratch(["m.m3u8": Samples.master]))
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    @Test(
        .enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)),
        arguments: Samples.isLongRun ? ["", "--chunk=1", "--chunk=61"] : ["--chunk=61"])
    func agreesWithTheLibrary(_ chunk: String) throws {
        let tracks = try SubtitleTracks([
            SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true)
        ])
        let scratch = try Scratch()
        for file in try Conformance.files(in: "m3u8", withExtension: "m3u8") {
            let bytes = [UInt8](try Data(contentsOf: file))
            let options = chunk.isEmpty ? [] : [chunk]
            let ran = try Ran(["master", file.path] + Self.track + options, in: scratch)
            #expect(ran.output == (try tracks.sideloaded(into: bytes).bytes), "\(file.lastPathComponent)")
            #expect(ran.status < 2)
            #expect((ran.status == 0) == bytes.contains(Array("#EXT-X-STREAM-INF".utf8)) || ran.status == 1)
        }
    }
}
