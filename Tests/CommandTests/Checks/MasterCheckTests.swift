import M3U8
import Testing

@testable import surtitle

/// The rules of a multivariant playlist, one at a time, with all that is said of each.
@Suite struct MasterCheckTests {
    /// The multivariant playlist of `lines`, and what is said of it.
    private func check(_ lines: String) -> (master: MasterCheck, sentences: [String]) {
        let findings = Findings()
        let text = PlaylistText(
            Array("#EXTM3U\n\(lines)\n".utf8), called: "m", at: "m", importing: nil, findings)
        return (MasterCheck(text, findings), findings.sentences)
    }

    /// The attributes of a rendition in line 2 and of the variant below, and what is said of them.
    @Test(
        arguments: [
            (subtitles, named, []),
            (subtitles + ",DEFAULT=YES,AUTOSELECT=YES,FORCED=YES", named, []),
            (subtitles + ",DEFAULT=NO,AUTOSELECT=NO,FORCED=NO", named, []),
            (subtitles + ",DEFAULT=YES", named, []),
            (subtitles + ",DEFAULT=YES,AUTOSELECT=NO", named, ["DEFAULT=YES with AUTOSELECT other than YES (4.4.6.1)"]),
            (subtitles + ",DEFAULT=yes", named, ["DEFAULT is neither YES nor NO (4.4.6.1)"]),
            (subtitles + ",AUTOSELECT=1", named, ["AUTOSELECT is neither YES nor NO (4.4.6.1)"]),
            (subtitles + ",STABLE-RENDITION-ID=\"azAZ09+/=.-_\"", named, []),
            (
                subtitles + ",STABLE-RENDITION-ID=\"a,\"", named,
                ["STABLE-RENDITION-ID holds other bytes than letters, digits and +/=.-_ (4.4.6.1)"]
            ),
            (captions + ",INSTREAM-ID=\"CC1\"", "CLOSED-CAPTIONS=\"s\"", []),
            (captions, "CLOSED-CAPTIONS=\"s\"", ["CLOSED-CAPTIONS without INSTREAM-ID (4.4.6.1)"]),
            (
                captions + ",INSTREAM-ID=\"CC1\",URI=\"u\"", "CLOSED-CAPTIONS=\"s\"",
                ["CLOSED-CAPTIONS with URI (4.4.6.1)"]
            ),
            (captions + ",INSTREAM-ID=\"CC1\",FORCED=NO", "", ["FORCED is for subtitles alone (4.4.6.1)"]),
            ("TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"a\"", "AUDIO=\"s\"", []),
            ("TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"a\",FORCED=YES", "", ["FORCED is for subtitles alone (4.4.6.1)"]),
            ("TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"\"", "", ["EXT-X-MEDIA without NAME (8216bis 4.4.6.1)"]),
            ("TYPE=AUDIO,GROUP-ID=\"\",NAME=\"a\"", "", ["EXT-X-MEDIA without GROUP-ID (8216bis 4.4.6.1)"]),
            ("GROUP-ID=\"s\",NAME=\"a\"", "", ["EXT-X-MEDIA without TYPE (8216bis 4.4.6.1)"]),
            (
                "TYPE=\"\",GROUP-ID=\"s\",NAME=\"a\"", "",
                [
                    "EXT-X-MEDIA without TYPE (8216bis 4.4.6.1)",
                    "TYPE is none of SUBTITLES, AUDIO, VIDEO, CLOSED-CAPTIONS",
                ]
            ),
        ] as [(String, String, [String])])
    func aRendition(_ rendition: String, _ variant: String, _ said: [String]) {
        let variant = "BANDWIDTH=1" + (variant.isEmpty ? "" : ",") + variant
        let sentences = check("#EXT-X-MEDIA:\(rendition)\n#EXT-X-STREAM-INF:\(variant)\nv").sentences
        #expect(sentences == said.map { "m: line 2, at byte 8: " + $0 })
    }

    private static let subtitles = "TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"a\",URI=\"u\""
    private static let captions = "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"s\",NAME=\"a\""
    private static let named = "SUBTITLES=\"s\""

    /// CHARACTERISTICS and the rest of a rendition, and what is noted: only of subtitles, and of the two for the deaf.
    @Test(
        arguments: [
            ("SUBTITLES", "\(spoken),\(sound)", ",AUTOSELECT=YES", []),
            ("SUBTITLES", "\(spoken),\(sound)", "", ["SDH without AUTOSELECT=YES (AAS 4.6)"]),
            ("SUBTITLES", "\(spoken),\(sound)", ",AUTOSELECT=NO", ["SDH without AUTOSELECT=YES (AAS 4.6)"]),
            (
                "SUBTITLES", spoken, ",AUTOSELECT=YES",
                ["CHARACTERISTICS without \(sound), so Apple's players show no SDH (AAS 4.5)"]
            ),
            (
                "SUBTITLES", "\(sound),public.easy-to-read", ",AUTOSELECT=YES",
                ["CHARACTERISTICS without \(spoken), so Apple's players show no SDH (AAS 4.5)"]
            ),
            ("SUBTITLES", "public.easy-to-read", "", []), ("AUDIO", spoken, "", []),
        ] as [(String, String, String, [String])])
    func characteristics(_ type: String, _ value: String, _ rest: String, _ said: [String]) {
        let media = "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"s\",NAME=\"a\",URI=\"u\",CHARACTERISTICS=\"\(value)\"\(rest)"
        let sentences = check("\(media)\n#EXT-X-STREAM-INF:BANDWIDTH=1,\(type)=\"s\"\nv").sentences
        #expect(sentences == said.map { "note: m: line 2, at byte 8: " + $0 })
    }

    private static let spoken = "public.accessibility.transcribes-spoken-dialog"
    private static let sound = "public.accessibility.describes-music-and-sound"

    /// Lines below #EXTM3U, and what is said of variants and streams of I-frames.
    @Test(
        arguments: [
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\nv\nw\n#EXT-X-STREAM-INF:BANDWIDTH=2\nx", ["v", "x"], []),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXT-X-STREAM-INF:BANDWIDTH=2\n v \n", [nil, "v"],
                ["m: line 2, at byte 8: no URI follows the variant"]
            ),
            ("#EXT-X-VERSION:3", [], ["m: no EXT-X-STREAM-INF, so there is nothing to play"]),
            (
                "#EXT-X-STREAM-INF:CODECS=\"a\"\nv", ["v"],
                ["m: line 2, at byte 8: no BANDWIDTH (8216bis 4.4.6.2)"]
            ),
            ("#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=NONE\nv", ["v"], []),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"NONE\"\nv", ["v"],
                [
                    "m: line 2, at byte 8: AUDIO names the group \"NONE\", which no EXT-X-MEDIA declares (4.4.6.2)"
                ]
            ),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=\"c\",VIDEO=\"w\"\nv", ["v"],
                [
                    "m: line 2, at byte 8: VIDEO names the group \"w\", which no EXT-X-MEDIA declares (4.4.6.2)",
                    "m: line 2, at byte 8: CLOSED-CAPTIONS names the group \"c\", which no EXT-X-MEDIA declares (4.4.6.2)",
                ]
            ),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n#EXT-X-I-FRAME-STREAM-INF:AUDIO=\"a\",CLOSED-CAPTIONS=NONE,FRAME-RATE=1",
                ["v"],
                ["without BANDWIDTH", "without URI", "with AUDIO", "with CLOSED-CAPTIONS", "with FRAME-RATE"].map {
                    "m: line 4, at byte 40: EXT-X-I-FRAME-STREAM-INF \($0) (8216bis 4.4.6.3)"
                }
            ),
            (
                "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n#EXTINF:1,\na", ["v"],
                ["m: line 4, at byte 40: tags of media stand in a multivariant playlist (8216bis 4.1)"]
            ),
        ] as [(String, [String?], [String])])
    func variants(_ lines: String, _ uris: [String?], _ said: [String]) {
        let (master, sentences) = check(lines)
        #expect(master.variants.map(\.uri) == uris)
        #expect(sentences == said)
    }

    /// The first variant without subtitles is told if there is one with some, before it or after it.
    @Test(arguments: [
        ("", "", nil), (",SUBTITLES=\"s\"", ",SUBTITLES=\"s\"", nil), ("", ",SUBTITLES=\"s\"", 3),
        (",SUBTITLES=\"s\"", "", 5),
    ])
    func allVariantsHaveSubtitlesOrNone(_ first: String, _ second: String, _ line: Int?) {
        let sentences = check(
            "#EXT-X-MEDIA:\(Self.subtitles)\n#EXT-X-STREAM-INF:BANDWIDTH=1\(first)\nv\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=2\(second)\nw"
        ).sentences.filter { $0.contains("the variant has no SUBTITLES") }
        #expect(sentences.map { $0.hasPrefix("note: m: line \(line ?? 0), ") } == (line == nil ? [] : [true]))
    }

    /// The variant with video counts, wherever it stands.
    @Test(arguments: [
        ("CODECS=\"mp4a.40.2\"", "CODECS=\"avc1.4d401f\"", "w"), ("RESOLUTION=1x1", "RESOLUTION=2x2", "v"),
        ("CODECS=\"mp4a.40.2\"", "CODECS=\"mp4a.40.5\"", "v"),
    ])
    func theFirstVariantWithVideoCounts(_ first: String, _ second: String, _ uri: String) {
        let lines = "#EXT-X-STREAM-INF:BANDWIDTH=1,\(first)\nv\n#EXT-X-STREAM-INF:BANDWIDTH=2,\(second)\nw"
        #expect(check(lines).master.firstVariant == uri)
    }

    /// Renditions of subtitles, each by its group, name and the rest, from line 2 on; and what is said of groups, with
    /// the number of the line.
    @Test(
        arguments: [
            (["s|a|LANGUAGE=\"en\"", "s|b|LANGUAGE=\"en\"", "s|c|LANGUAGE=\"sv\""], []),
            (
                ["s|a|LANGUAGE=\"en\"", "s|b|LANGUAGE=\"sv\"", "s|c|LANGUAGE=\"en\"", "s|d|LANGUAGE=\"en\""],
                ["4 tracks of en in the group \"s\" do not stand together (AAS 9.17)"]
            ),
            (["s|a|X=1", "s|b|LANGUAGE=\"sv\"", "s|c|X=1"], []),
            (["s|a|DEFAULT=YES", "s|b|DEFAULT=NO"], []),
            (
                ["s|a|DEFAULT=YES", "s|b|DEFAULT=NO", "s|c|DEFAULT=YES", "s|d|DEFAULT=YES"],
                ["4 a second DEFAULT=YES in the group \"s\" of SUBTITLES (4.4.6.1.1)"]
            ),
            (
                ["s|a|X=1", "s|b|X=1", "s|a|X=1", "s|a|X=1"],
                [4, 5].map { "\($0) NAME=\"a\" is there twice in the group \"s\" of SUBTITLES (4.4.6.1.1)" }
            ),
            (["s|a|X=1", "t|a|X=1,URI=\"z\",CHANNELS=\"2\""], []),
            (
                ["s|a|X=1", "t|a|X=1", "u|a|X=2"],
                ["4 the groups \"s\" and \"u\" of SUBTITLES differ in their members (4.4.6.1.1)"]
            ),
            (
                ["s|a|X=1", "t|a|X=1", "s|b|X=1"],
                ["3 the groups \"s\" and \"t\" of SUBTITLES differ in their members (4.4.6.1.1)"]
            ),
            (["s|a|X=1", "n|a|X=1"], ["3 no variant names the group \"n\" of SUBTITLES, so its tracks show nowhere"]),
        ] as [([String], [String])])
    func groups(_ renditions: [String], _ said: [String]) {
        let lines = renditions.map { rendition in
            let parts = rendition.split(separator: "|")
            return "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(parts[0])\",NAME=\"\(parts[1])\",\(parts[2]),URI=\"u\""
        }
        let variants = ["s", "t", "u"].filter { name in renditions.contains { $0.hasPrefix("\(name)|") } }
            .map { "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"\($0)\"\nv" }
        let sentences = check((lines + variants).joined(separator: "\n")).sentences
            .filter { !$0.contains("URI is there twice") }
            .map { $0.drop { !$0.isNumber } }
        #expect(sentences.count == said.count, "\(sentences)")
        for (sentence, said) in zip(sentences, said) {
            #expect(sentence.prefix { $0 != "," } + " " + sentence.split(separator: ": ")[1] == said)
        }
    }

    /// Of other renditions than subtitles no group has to be named or be like another.
    @Test func groupsOfAudioMayDiffer() {
        let audio = { (group: String, name: String, language: String) in
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"\(name)\",LANGUAGE=\"\(language)\"\n"
        }
        let lines = audio("a", "1", "en") + audio("a", "2", "sv") + audio("a", "3", "en") + audio("b", "1", "sv")
        #expect(check(lines + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv").sentences == [])
    }
}
