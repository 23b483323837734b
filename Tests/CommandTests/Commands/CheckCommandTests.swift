import Foundation
import Support
import Testing

/// What `surtitle check` says of a stream: a sentence for each rule that is broken.
@Suite struct CheckCommandTests {
    private static let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"English\",LANGUAGE=\"en\",URI=\"en.m3u8\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1,SUBTITLES=\"s\"\nv.m3u8\n"
    private static let video = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.aac\n#EXT-X-ENDLIST\n"
    private static let subtitles = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nen.vtt\n#EXT-X-ENDLIST\n"
    private static let cues =
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\n00:01.000 --> 00:02.000\na\n"

    private func scratch(_ changes: [String: String] = [:]) throws -> Scratch {
        let files = [
            "out/m.m3u8": Self.master, "out/v.m3u8": Self.video, "out/en.m3u8": Self.subtitles, "out/en.vtt": Self.cues,
        ]
        let scratch = try Scratch(files.merging(changes) { $1 })
        try scratch.write("out/a.aac", AudioTagBytes.timestamp(126_000) + [0])
        return scratch
    }

    @Test(arguments: ["out", "out/", "out/m.m3u8"])
    func aWholeStreamIsBrokenNowhere(_ place: String) throws {
        let ran = try Ran("check", place, in: scratch())
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [], "\(ran)")
        #expect(
            ran.text == "\(place): 3 playlists, 1 file of subtitles, 4 references: nothing is broken\n", "\(ran.text)")
    }

    /// A file, what stands in it in place of something, and what is said of that.
    @Test(arguments: [
        ("m.m3u8", "SUBTITLES=\"s\"", "SUBTITLES=\"t\"", "SUBTITLES names the group \"t\""),
        ("m.m3u8", "BANDWIDTH=1,", "", "no BANDWIDTH"), ("m.m3u8", "NAME=\"English\",", "", "EXT-X-MEDIA without NAME"),
        ("m.m3u8", "LANGUAGE=\"en\"", "LANGUAGE=\"english\"", "LANGUAGE=\"english\" is the tag of no language"),
        ("m.m3u8", "LANGUAGE=\"en\"", "DEFAULT=YES,AUTOSELECT=NO", "DEFAULT=YES with AUTOSELECT other than YES"),
        ("m.m3u8", ",URI=\"en.m3u8\"", "", "subtitles without URI"),
        ("m.m3u8", "\"en.m3u8\"", "\"no.m3u8\"", "no.m3u8 leads nowhere"),
        ("m.m3u8", "\"en.m3u8\"", "\"m.m3u8\"", "m.m3u8 is a multivariant playlist"),
        ("m.m3u8", "\"en.m3u8\"", "\"en.vtt\"", "en.vtt is no playlist: its first line is not #EXTM3U"),
        (
            "m.m3u8", "#EXT-X-STREAM",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"English\",URI=\"en.m3u8\"\n#EXT-X-STREAM",
            "NAME=\"English\" is there twice"
        ),
        (
            "m.m3u8", "#EXT-X-STREAM",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"Svenska\",URI=\"en.m3u8\"\n#EXT-X-STREAM",
            "the groups \"s\" and \"t\" of SUBTITLES differ in their members"
        ),
        (
            "m.m3u8", "#EXT-X-MEDIA",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"1\",DEFAULT=YES\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"2\",DEFAULT=YES\n"
                + "#EXT-X-MEDIA", "a second DEFAULT=YES"
        ),
        ("v.m3u8", "a.aac", "b.aac", "v.m3u8: line 4, at byte 43: b.aac leads nowhere"),
        ("en.m3u8", "DURATION:9", "DURATION:8", "EXTINF is longer than EXT-X-TARGETDURATION, which is 8"),
        ("en.m3u8", "#EXT-X-TARGETDURATION:9\n", "", "no EXT-X-TARGETDURATION"),
        ("en.m3u8", "#EXT-X-ENDLIST\n", "", "no EXT-X-ENDLIST"),
        ("en.m3u8", "EXTINF:9,", "EXTINF:2,", "the subtitles last 2.000 s"),
        ("en.m3u8", "en.vtt", "sv.vtt", "sv.vtt leads nowhere"),
        ("en.m3u8", "#EXTINF:9,\n", "", "en.vtt has no EXTINF"),
        ("en.vtt", "WEBVTT", "WEBVT", "no WEBVTT signature"),
        ("en.vtt", "MPEGTS:126000", "MPEGTS:0", "cues show 1.400 s early"),
        (
            "en.vtt", "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n", "",
            "no X-TIMESTAMP-MAP, and cues show 1.400 s early"
        ),
        ("en.vtt", "MPEGTS:126000", "MPEGTS:x", "X-TIMESTAMP-MAP cannot be read"),
        ("en.vtt", "01.000 -->", "01,000 -->", "1 cue with a comma in the times"),
        ("en.vtt", "-->", "->", "another arrow"),
        ("en.vtt", "02.000", "01.000", "1 cue that ends at the start or before"),
        ("en.vtt", "02.000", "2.000", "1 cue with times that no player reads"),
        ("en.vtt", "WEBVTT\nX", "WEBVTT\n\nX", "X-TIMESTAMP-MAP behind a blank line"),
        (
            "m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\",URI=\"v.m3u8\"",
            "with SUBTITLES"
        ),
        ("m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1", "EXT-X-I-FRAME-STREAM-INF without URI"),
        ("m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"", "i.m3u8 leads nowhere"),
        ("m.m3u8", "LANGUAGE", "FORCED=TRUE,LANGUAGE", "FORCED is neither YES nor NO"),
        ("m.m3u8", "LANGUAGE", "STABLE-RENDITION-ID=\"a b\",LANGUAGE", "STABLE-RENDITION-ID holds other bytes"),
        (
            "m.m3u8", "LANGUAGE", "ASSOC-LANGUAGE=\"english\",LANGUAGE",
            "ASSOC-LANGUAGE=\"english\" is the tag of no language"
        ),
        ("m.m3u8", "LANGUAGE", "NAME=\"Svenska\",LANGUAGE", "NAME is there twice with different values"),
        ("m.m3u8", "TYPE=SUBTITLES", "TYPE=WORDS", "TYPE is none of SUBTITLES, AUDIO"),
        ("m.m3u8", "NAME=\"English\"", "NAME=\"English", "a quote is left open or stands astray"),
        ("m.m3u8", "\nv.m3u8", "\n{$a}/v.m3u8", "{$a} has no EXT-X-DEFINE before it"),
        (
            "m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"c\"",
            "a second EXT-X-DEFINE of a"
        ),
        ("m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-DEFINE:VALUE=\"b\"", "EXT-X-DEFINE without NAME"),
        ("m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-DEFINE:NAME=\"b\"", "EXT-X-DEFINE of b without VALUE"),
        (
            "v.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-DEFINE:IMPORT=\"b\"",
            "IMPORT names b, which comes from the multivariant playlist, and is not"
        ),
        ("m.m3u8", "EXTM3U", "EXTM3U\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"no.key\"", "no.key leads nowhere"),
        (
            "v.m3u8", "#EXTINF", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"no.key\"\n#EXTINF",
            "line 3, at byte 32: no.key leads nowhere"
        ),
        ("v.m3u8", "#EXTINF", "#EXT-X-MAP:URI=\"no.mp4\"\n#EXTINF", "no.mp4 leads nowhere"),
        (
            "v.m3u8", "#EXTINF", "#EXT-X-BYTERANGE:9@9000\n#EXTINF",
            "fewer than EXT-X-BYTERANGE says, which ends at 9009"
        ),
        (
            "v.m3u8", "#EXTINF", "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF",
            "no EXT-X-PROGRAM-DATE-TIME, though"
        ),
        ("en.m3u8", "EXTINF:9,", "EXTINF:9.2,", "EXTINF with a fraction needs EXT-X-VERSION:3"),
        ("en.m3u8", "TARGETDURATION:9", "TARGETDURATION:10", "EXT-X-TARGETDURATION is not the video's, 9"),
        (
            "en.m3u8", "#EXT-X-TARGETDURATION:9", "#EXT-X-TARGETDURATION:9\n#EXT-X-TARGETDURATION:9",
            "a second EXT-X-TARGETDURATION"
        ),
        (
            "en.m3u8", "#EXTINF", "#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXTINF",
            "1 timelines from EXT-X-DISCONTINUITY-SEQUENCE 2 on"
        ),
        (
            "en.m3u8", "#EXTINF", "#EXT-X-BYTERANGE:999\n#EXTINF",
            "en.vtt leads nowhere: out/en.vtt: has fewer bytes than EXT-X-BYTERANGE says"
        ),
        ("en.m3u8", "#EXTM3U", "\u{FEFF}#EXTM3U", "a byte order mark, at which players should stop"),
        ("en.m3u8", "#EXTINF", "# \u{1}\n#EXTINF", "line 3, at byte 32: a control character"),
    ])
    func aBrokenRuleIsTold(_ file: String, _ text: String, _ other: String, _ sentence: String) throws {
        let scratch = try scratch()
        let whole = try scratch.read("out/\(file)")
        #expect(whole.contains(text))
        try scratch.write("out/\(file)", Array(whole.replacingOccurrences(of: text, with: other).utf8))
        let ran = try Ran("check", "out", in: scratch)
        #expect(ran.status == 1, "\(ran)")
        #expect(ran.text.contains(sentence) && ran.text.contains("out/"), "\(ran.text)")
        expectOneLine(ran.errors, about: "out", "broken; see above")
    }

    /// A folder's name may end with a slash, and a playlist's in capitals.
    @Test func theLastLineCounts() throws {
        let scratch = try scratch(["out/m.m3u8": Self.master.replacing("BANDWIDTH=1,", with: "")])
        let one = try Ran("check", "out/", in: scratch)
        #expect(one.status == 1 && one.errors == "surtitle: out/: 1 rule is broken; see above\n", "\(one)")
        #expect(one.text.hasPrefix("out/m.m3u8: line 3, at byte 92: no BANDWIDTH"), "\(one)")
        let other = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nno.m3u8\n"
        try scratch.write("out/A.M3U8", Array(other.utf8))
        let two = try Ran("check", "out", in: scratch)
        #expect(two.errors == "surtitle: out: 2 rules are broken; see above\n", "\(two)")
        #expect(two.text.hasPrefix("out/A.M3U8: line 2, at byte 8: no.m3u8 leads nowhere: "), "\(two)")
    }

    /// What is allowed and may surprise is a note, and breaks nothing.
    @Test(arguments: [
        ("m.m3u8", "LANGUAGE=\"en\"", "LANGUAGE=\"eng\"", "LANGUAGE=\"eng\" is en in BCP 47"),
        (
            "m.m3u8", "LANGUAGE",
            "AUTOSELECT=YES,CHARACTERISTICS=\"public.accessibility.describes-music-and-sound\",LANGUAGE",
            "CHARACTERISTICS without public.accessibility.transcribes-spoken-dialog"
        ),
        (
            "m.m3u8", "#EXT-X-STREAM",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"English\",LANGUAGE=\"en\",URI=\"en.m3u8\"\n#EXT-X-STREAM",
            "no variant names the group \"t\" of SUBTITLES"
        ),
        (
            "m.m3u8", "#EXT-X-STREAM",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"Svenska\",LANGUAGE=\"sv\",URI=\"en.m3u8\"\n"
                + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"SDH\",LANGUAGE=\"en\",URI=\"en.m3u8\"\n#EXT-X-STREAM",
            "tracks of en in the group \"s\" do not stand together"
        ),
        (
            "m.m3u8", "\nv.m3u8", "\nhttp://127.0.0.1:9/v.m3u8",
            "http://127.0.0.1:9/v.m3u8 is on the web, and is fetched only with --fetch, and is not looked at"
        ),
        (
            "v.m3u8", "#EXTINF", "#EXT-X-KEY:METHOD=AES-128,URI=\"a.aac\"\n#EXTINF",
            "a.aac is encrypted (METHOD=AES-128)"
        ),
        (
            "v.m3u8", "#EXTINF", "#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k?{$t}\"\n#EXTINF",
            "QUERYPARAM names t"
        ),
        ("v.m3u8", "#EXTM3U", "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD", "EXT-X-PLAYLIST-TYPE is another than the video's"),
        ("en.m3u8", "#EXTINF", "#EXT-X-KEY:METHOD=AES-128,URI=\"a.aac\"\n#EXTINF", "the subtitles are encrypted"),
        ("en.m3u8", "#EXTINF", "#EXT-X-MAP:URI=\"a.aac\"\n#EXTINF", "the subtitles are in fragmented MP4"),
        (
            "en.vtt", "a\n", "a\n\nSTYLE\n::cue {}\n",
            "line 7, at byte 84: players pass over a block: style sheet after a cue"
        ),
        ("en.vtt", "a\n", "\n", "1 cue without text"),
    ])
    func whatMaySurpriseIsNoted(_ file: String, _ text: String, _ other: String, _ sentence: String) throws {
        let scratch = try scratch()
        let whole = try scratch.read("out/\(file)")
        #expect(whole.contains(text))
        try scratch.write("out/\(file)", Array(whole.replacingOccurrences(of: text, with: other).utf8))
        let ran = try Ran("check", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        let notes = ran.text.split(separator: "\n").filter { $0.hasPrefix("note: out/\(file == "v.m3u8" ? "" : file)") }
        #expect(notes.count == 1 && notes[0].contains(sentence), "\(ran.text)")
    }

    /// Nothing is broken in a stream without subtitles, but who checks one has meant to have some.
    @Test(arguments: ["out", "out/plain.m3u8", "out/v.m3u8"])
    func thatThereAreNoSubtitlesIsNoted(_ place: String) throws {
        let scratch = try Scratch([
            "out/plain.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n", "out/v.m3u8": Self.video,
        ])
        try scratch.write("out/a.aac", AudioTagBytes.timestamp(126_000) + [0])
        let ran = try Ran("check", place, in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        let note = "note: \(place): no EXT-X-MEDIA declares subtitles, so players offer none\n"
        #expect(ran.text.hasPrefix(note) && ran.text.split(separator: "\n").count == 2, "\(ran.text)")
    }

    /// The origin's playlist may stay beside the one that has the tracks; and a subtitle playlist may be checked alone.
    @Test(arguments: ["out", "out/en.m3u8"])
    func subtitlesAnywhereAreEnough(_ place: String) throws {
        let scratch = try scratch(["out/plain.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"])
        let ran = try Ran("check", place, in: scratch)
        #expect(ran.status == 0 && !ran.text.contains("declares subtitles"), "\(ran)")
    }

    /// Values stand in the place of variables: those of the playlist, of its URL, and of the multivariant playlist.
    @Test func variablesHaveTheirValues() throws {
        let scratch = try scratch([
            "out/m.m3u8": "#EXTM3U\n#EXT-X-DEFINE:NAME=\"g\",VALUE=\"s\"\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n"
                + Self.master.dropFirst(8).replacingOccurrences(of: "GROUP-ID=\"s\"", with: "GROUP-ID=\"{$g}\"")
                .replacingOccurrences(of: "en.m3u8", with: "{$t}.m3u8"),
            "out/en.m3u8": "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"t\"\n"
                + Self.subtitles.dropFirst(8).replacingOccurrences(of: "en.vtt", with: "{$t}.vtt")
                .replacingOccurrences(of: ":9,", with: ":1,"),
        ])
        let files = try ["m.m3u8?t=en", "v.m3u8", "en.m3u8", "en.vtt", "a.aac"].map {
            ("/\($0)", try scratch.bytes("out/\($0.split(separator: "?")[0])"))
        }
        let server = try LoopbackServer { request in
            files.first { $0.0 == request.target }.map { .part(of: $0.1, request) } ?? .ok([])
        }
        defer { server.end() }
        let ran = try Ran("check", server.url("/m.m3u8?t=en"), in: scratch)
        #expect(ran.status == 1 && ran.text.split(separator: "\n").count == 2, "\(ran)")
        #expect(ran.text.contains("/en.m3u8: the subtitles last 1.000 s"), "\(ran)")
        #expect(ran.text.contains("3 playlists, 1 file of subtitles, 4 references"), "\(ran)")
    }

    /// Each cue is in the segments in which it shows.
    @Test func cuesAreWhereTheyShow() throws {
        func file(_ cues: String) -> String { "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\n" + cues }
        let scratch = try scratch([
            "out/en.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:4,\n1.vtt\n#EXTINF:5,\n2.vtt\n#EXT-X-ENDLIST\n",
            "out/1.vtt": file("00:03.000 --> 00:05.000\na\n\n00:03.500 --> 00:06.000\nb\n"),
            "out/2.vtt": file("00:03.000 --> 00:05.000\na\n\n00:01.000 --> 00:02.000\nc\n"),
        ])
        let ran = try Ran("check", "out", in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(
            ran.text.contains(
                "note: out/en.m3u8: 1 cues in segments in which they do not show (8216bis 3.1.4): out/2.vtt: 00:00:01.000"
            ),
            "\(ran.text)")
        #expect(
            ran.text.contains("which lacks them: who seeks there misses them: out/2.vtt: 00:00:03.500"), "\(ran.text)")
        #expect(ran.text.split(separator: "\n").count == 3)
    }

    @Test func whatIsNoUTF8IsTold() throws {
        let scratch = try scratch()
        try scratch.write("out/en.vtt", scratch.bytes("out/en.vtt") + [0xE9, 0x0A])
        try scratch.write("out/v.m3u8", scratch.bytes("out/v.m3u8") + [0x23, 0xE9, 0x0A])
        let ran = try Ran("check", "out", in: scratch)
        #expect(ran.status == 1 && ran.text.contains("out/en.vtt: at byte 83: not UTF-8"), "\(ran)")
        #expect(ran.text.contains("out/v.m3u8: at byte 65: not UTF-8 (8216bis 4.1)"), "\(ran)")
    }

    @Test func aStreamIsCheckedByItsURL() throws {
        let scratch = try scratch(["out/en.vtt": Self.cues.replacingOccurrences(of: "126000", with: "0")])
        let files = try ["m.m3u8", "v.m3u8", "en.m3u8", "en.vtt", "a.aac"].map {
            ("/\($0)", try scratch.bytes("out/\($0)"))
        }
        let server = try LoopbackServer { request in
            files.first { $0.0 == request.target }.map { .part(of: $0.1, request) } ?? .redirect("/gone")
        }
        defer { server.end() }
        let ran = try Ran("check", server.url("/m.m3u8"), in: scratch)
        #expect(
            ran.status == 1
                && ran.text.contains("\(server.url("/en.vtt")): by its X-TIMESTAMP-MAP cues show 1.400 s early"),
            "\(ran)")
    }

    /// Of fetched segments the first and the last are asked for, a byte of each: the last of its range.
    @Test func fetchedSegmentsAreThere() throws {
        let playlist =
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-BYTERANGE:10@5\n#EXTINF:9,\na.ts\n#EXTINF:9,\nb.ts\n"
            + "#EXT-X-BYTERANGE:10@20\n#EXTINF:9,\nc.ts\n"
        let server = try LoopbackServer { request in
            switch request.target {
            case "/v.m3u8": .ok(Array(playlist.utf8))
            case "/a.ts": .part(of: [UInt8](repeating: 0, count: 15), request)
            default: .bytes(Array("HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            }
        }
        defer { server.end() }
        let ran = try Ran("check", server.url("/v.m3u8"), in: Scratch())
        #expect(server.requests.map(\.target) == ["/v.m3u8", "/a.ts", "/c.ts"])
        #expect(server.requests.dropFirst().map { $0.fields["range"] } == ["bytes=14-14", "bytes=29-29"])
        #expect(ran.status == 1 && ran.text.contains("/v.m3u8: line 10, at byte 120: c.ts leads nowhere: "), "\(ran)")
        #expect(ran.text.contains(": 1 playlist, 0 files of subtitles, 3 references: 1 broken\n"), "\(ran)")
    }

    /// Without a multivariant playlist each playlist of a directory is checked.
    @Test func aDirectoryMayHaveMediaPlaylistsAlone() throws {
        let scratch = try Scratch(["out/v.m3u8": Self.video, "out/en.m3u8": Self.subtitles, "out/en.vtt": Self.cues])
        try scratch.write("out/a.aac", [0])
        let ran = try Ran("check", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        #expect(ran.text == "out: 2 playlists, 1 file of subtitles, 2 references: nothing is broken\n")
    }

    /// A playlist of I-frames is a media playlist like others, and is read once.
    @Test func playlistsOfIFramesAreChecked() throws {
        let frames = "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"\n"
        let scratch = try scratch([
            "out/m.m3u8": Self.master + frames + frames, "out/i.m3u8": Self.video.replacing("a.aac", with: "gone.ts"),
        ])
        let ran = try Ran("check", "out/m.m3u8", in: scratch)
        #expect(
            ran.text == """
                out/i.m3u8: line 4, at byte 43: gone.ts leads nowhere: no such file
                out/m.m3u8: 4 playlists, 1 file of subtitles, 6 references: 1 broken

                """)
    }

    /// What sideload writes beside a video is not broken.
    @Test(arguments: [
        ["--media=out/v.m3u8"], ["--media=out/v.m3u8", "--segment", "--target=4"], [], ["--segment", "--target=4"],
        ["--map=126000"],
    ])
    func whatSideloadWritesIsWhole(_ words: [String]) throws {
        // The cues end before the video does.
        let scratch = try scratch(["in.vtt": Samples.webVTT.replacing("00:09.000", with: "00:05.000")])
        let plain = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
        try scratch.write("out/plain.m3u8", Array(plain.utf8))
        let made = try Ran(
            [
                "sideload", "out/plain.m3u8", "--track=uri=s/x.vtt,file=in.vtt,language=en",
                "-oout", "--name=w.m3u8",
            ] + words,
            in: scratch)
        #expect(made.status == 0 && made.notes == [], "\(made)")
        let ran = try Ran("check", "out/w.m3u8", in: scratch)
        #expect(ran.status == 0 && ran.notes == [], "\(ran)")
    }

    /// A folder may be called like a playlist; a name that leads nowhere is told.
    @Test func whatIsNoFileIsNoPlaylist() throws {
        let scratch = try scratch()
        let ran = try Ran(shell: "mkdir out/f.m3u8; mkfifo out/p.m3u8; \"$surtitle\" check out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.text.contains("nothing is broken"), "\(ran)")
        let broken = try Ran(shell: "ln -s none out/l.m3u8; \"$surtitle\" check out", in: scratch)
        #expect(broken.status == 1 && (broken.text + broken.errors).contains("out/l.m3u8"), "\(broken)")
    }

    @Test func aDirectoryWithoutPlaylistsIsRefused() throws {
        let ran = try Ran("check", ".", in: Scratch(["a.vtt": Samples.webVTT]))
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: ".", "no file in it ends in .m3u8")
    }
}
