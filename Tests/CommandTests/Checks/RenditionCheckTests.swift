import M3U8
import Testing

@testable import surtitle

/// What a playlist of subtitles must have in common with the video's, one rule at a time.
@Suite struct RenditionCheckTests {
    private static let end = "#EXT-X-ENDLIST\n"
    private static let type = "#EXT-X-PLAYLIST-TYPE:"
    private static let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:0"

    /// What stands in the playlist of subtitles, in the video's, and what is said. Both have EXTINF:9 and a target of 9,
    /// unless they say otherwise.
    @Test(
        arguments: [
            (end, end, []), ("", "", []), (end, "", []),
            (
                "", end,
                ["no EXT-X-ENDLIST, though the video has one: players load the playlist again and again"]
            ),
            ("#EXTINF:8.5,\ns\n\(end)", end, []),
            ("#EXTINF:8.4999,\ns\n", "", []),
            (
                "#EXTINF:8.499999999,\ns\n\(end)", end,
                [
                    "the subtitles last 8.499 s, and the video 9.000 s, which they must cover (AAS 5.5, 8.7); make them with --media"
                ]
            ),
            (
                "#EXT-X-TARGETDURATION:8\n", "",
                [
                    "EXT-X-TARGETDURATION is not the video's, 9, which only EXT-X-PLAYLIST-TYPE:VOD allows (8216bis 6.2.4)"
                ]
            ),
            ("\(type)VOD\n#EXT-X-TARGETDURATION:8\n", "\(type)VOD\n", []),
            (
                "\(type)EVENT\n#EXT-X-TARGETDURATION:10\n", "\(type)EVENT\n",
                [
                    "EXT-X-TARGETDURATION is not the video's, 9, which only EXT-X-PLAYLIST-TYPE:VOD allows (8216bis 6.2.4)"
                ]
            ),
            ("#EXT-X-TARGETDURATION:8\n", "#EXT-X-TARGETDURATION:x\n", []),
            ("\(type)VOD\n", "", ["note: EXT-X-PLAYLIST-TYPE is another than the video's"]),
            ("\(type)VOD\n", "\(type)EVENT\n", ["note: EXT-X-PLAYLIST-TYPE is another than the video's"]),
            ("\(date)1Z\n", "", []), ("\(date)1Z\n", "\(date)1Z\n", []),
            ("", "\(date)1Z\n", ["no EXT-X-PROGRAM-DATE-TIME, though the video has one (8216bis 6.2.4)"]),
            (
                "\(date)1Z\n", "\(date)2Z\n",
                [
                    "note: EXT-X-PROGRAM-DATE-TIME is another than the video's; the first segments must begin together"
                ]
            ),
            ("#EXT-X-DISCONTINUITY-SEQUENCE:0\n", "", []),
            ("#EXT-X-DISCONTINUITY-SEQUENCE:3\n", "#EXT-X-DISCONTINUITY-SEQUENCE:3\n", []),
            ("#EXT-X-DISCONTINUITY-SEQUENCE:1\n", "", [timelines(1, 1, 1, 0)]),
            ("#EXTINF:1,\ns\n#EXT-X-DISCONTINUITY\n", "#EXTINF:1,\ns\n#EXT-X-DISCONTINUITY\n", []),
            ("#EXTINF:1,\ns\n#EXT-X-DISCONTINUITY\n", "", [timelines(2, 0, 1, 0)]),
            ("", "#EXTINF:1,\ns\n#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY-SEQUENCE:5\n", [timelines(1, 0, 2, 5)]),
        ] as [(String, String, [String])])
    func rules(_ own: String, _ video: String, _ said: [String]) {
        let findings = Findings()
        let text = { (lines: String) in
            let target = lines.contains("TARGET") ? "" : "#EXT-X-TARGETDURATION:9\n"
            let segment = lines.contains("EXTINF:8") ? "" : "#EXTINF:9,\ns\n"
            return Array("#EXTM3U\n#EXT-X-VERSION:3\n\(target)\(lines)\(segment)".utf8)
        }
        let media = MediaCheck(
            PlaylistText(text(own), called: "s", at: "s", importing: nil, Findings()), Findings())
        let facts = PlaylistFacts(of: text(video), asking: .timelines)
        RenditionCheck(media, beside: CheckedVideo(name: "v", facts: facts, maps: []), findings).check()
        #expect(findings.sentences == said.map { $0.hasPrefix("note: ") ? "note: s: " + $0.dropFirst(6) : "s: " + $0 })
    }

    private static func timelines(_ own: Int, _ ownSequence: Int, _ video: Int, _ sequence: Int) -> String {
        "\(own) timelines from EXT-X-DISCONTINUITY-SEQUENCE \(ownSequence) on, and the video has \(video) from \(sequence) on: "
            + "behind the first EXT-X-DISCONTINUITY cues show at other times (8216bis 6.2.4)"
    }
}
