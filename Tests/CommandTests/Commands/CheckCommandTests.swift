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
    func aStreamThatIsWholeIsBroken​Nowhere(_ place: String) throws {
        let ran = try Ran("check", place, in: scratch())
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [], "\(ran)")
        #expect(
            ran.text == "\(place): 3 playlists, 1 files of subtitles, 4 references: nothing is broken\n", "\(ran.text)")
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

    /// What sideload writes beside a video is not broken.
    @Test(arguments: [[], ["--segment", "--target=4"]])
    func whatSideloadWritesIsWhole(_ words: [String]) throws {
        let scratch = try scratch(["in.vtt": Samples.webVTT])
        let plain = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
        try scratch.write("out/plain.m3u8", Array(plain.utf8))
        let made = try Ran(
            [
                "sideload", "out/plain.m3u8", "--media=out/v.m3u8", "--track=uri=s/x.vtt,file=in.vtt,language=en",
                "-oout", "--name=w.m3u8",
            ] + words,
            in: scratch)
        #expect(made.status == 0 && made.notes == [], "\(made)")
        let ran = try Ran("check", "out/w.m3u8", in: scratch)
        #expect(ran.status == 0 && ran.notes == [], "\(ran)")
    }

    @Test func aDirectoryWithoutPlaylistsIsRefused() throws {
        let ran = try Ran("check", ".", in: Scratch(["a.vtt": Samples.webVTT]))
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: ".", "no file in it ends in .m3u8")
    }
}
