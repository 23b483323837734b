import M3U8
import Testing

@testable import surtitle

/// The rules of a media playlist, one at a time, with all that is said of each.
@Suite struct MediaCheckTests {
    /// The media playlist of `lines`, and what is said of it.
    private func check(_ lines: String) -> (media: MediaCheck, sentences: [String]) {
        let findings = Findings()
        let text = PlaylistText(Array("#EXTM3U\n\(lines)\n".utf8), called: "v", at: "v", importing: nil, findings)
        return (MediaCheck(text, findings), findings.sentences)
    }

    @Test(
        arguments: [
            ("#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9.499999999,\na", []),
            (
                "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9.5,\na",
                ["v: line 4, at byte 49: EXTINF is longer than EXT-X-TARGETDURATION, which is 9 (8216bis 4.4.3.1)"]
            ),
            // The longest is told, and of several the first.
            (
                "#EXT-X-TARGETDURATION:9\n#EXTINF:10,\na\n#EXTINF:11,\nb\n#EXTINF:11,\nc\n#EXTINF:10,\nd",
                ["v: line 5, at byte 46: EXTINF is longer than EXT-X-TARGETDURATION, which is 9 (8216bis 4.4.3.1)"]
            ),
            (
                "#EXT-X-TARGETDURATION:9\n#EXTINF:9.0,\na\n#EXTINF:9.0,\nb",
                ["v: line 3, at byte 32: EXTINF with a fraction needs EXT-X-VERSION:3 or higher (8216bis 8)"]
            ),
            (
                "#EXT-X-VERSION:2\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na\n#EXTINF:9.,\nb",
                ["v: line 6, at byte 62: EXTINF with a fraction needs EXT-X-VERSION:3 or higher (8216bis 8)"]
            ),
            ("#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:9\n#EXTINF:9.0,\na", []),
            ("#EXT-X-TARGETDURATION:9\n#EXTINF:9,a.b\na", []),
            ("#EXT-X-TARGETDURATION:9", ["v: no segment"]),
            (
                "#EXT-X-TARGETDURATION:x\n#EXTINF:99,\na",
                ["v: no EXT-X-TARGETDURATION that is a number (8216bis 4.4.3.1)"]
            ),
            (
                "#EXT-X-TARGETDURATION:9\n#EXTINF:x,\na\n#EXTINF:y,\nb",
                ["v: line 3, at byte 32: EXTINF has no duration (8216bis 4.4.4.1)"]
            ),
            (
                "#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na\nb\n#EXTINF:9,\nc",
                ["v: line 5, at byte 45: b has no EXTINF, so players pass it over"]
            ),
            (
                "#EXT-X-TARGETDURATION:9\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:9,\na",
                [
                    "note: v: line 3, at byte 32: EXT-X-SKIP makes this a delta update, which lacks segments (8216bis 4.4.5.2)"
                ]
            ),
        ] as [(String, [String])])
    func rules(_ lines: String, _ said: [String]) { #expect(check(lines).sentences == said) }

    /// Tags that may stand once are told from the second on, and others never.
    @Test(arguments: [
        ("EXT-X-VERSION:3", 2), ("EXT-X-MEDIA-SEQUENCE:1", 2), ("EXT-X-DISCONTINUITY-SEQUENCE:1", 2),
        ("EXT-X-PLAYLIST-TYPE:VOD", 2), ("EXT-X-TARGETDURATION:9", 3), ("EXT-X-INDEPENDENT-SEGMENTS", 0),
        ("EXT-X-DISCONTINUITY", 0),
    ])
    func tagsThatMayStandOnce(_ tag: String, _ count: Int) {
        let line = "#\(tag)\n"
        let sentences = check("#EXT-X-TARGETDURATION:9\n\(line)\(line)\(line)#EXTINF:9,\na").sentences
        let name = tag.prefix { $0 != ":" }
        #expect(sentences.count == count)
        #expect(sentences.allSatisfy { $0.hasSuffix(": a second \(name) (8216bis 4.4.3)") })
    }

    /// Which timeline a segment is on, as the facts count them: what stands before the first segment begins none, and
    /// two EXT-X-DISCONTINUITY in a row begin one.
    @Test func timelinesBeginWithDiscontinuities() {
        let cut = "#EXT-X-DISCONTINUITY\n"
        let (media, _) = check(
            "\(cut)\(cut)#EXTINF:9,\na\n#EXTINF:9,\nb\n\(cut)#EXTINF:9,\nc\n\(cut)\(cut)#EXTINF:9,\nd\n#EXTINF:9,\ne")
        #expect(media.segments.map(\.timeline) == [0, 0, 1, 2, 2])
        #expect(media.facts.timelines.count == 3)
    }

    /// What stands before a segment's URI is that segment's alone.
    @Test func segmentsHaveWhatStandsBeforeThem() {
        let (media, _) = check(
            "#EXT-X-BYTERANGE:5@7\n#EXTINF:9,\na\n b\t\n#EXT-X-GAP\n#EXT-X-BYTERANGE:6\n#EXTINF:8,\na\n#EXTINF:7,\nc")
        #expect(media.segments.map(\.uri) == ["a", "b", "a", "c"])
        #expect(media.segments.map(\.isGap) == [false, false, true, false])
        #expect(
            media.segments.map { $0.duration?.nanoseconds } == [9_000_000_000, nil, 8_000_000_000, 7_000_000_000])
        #expect(media.segments.map(\.range) == [7..<12, nil, 12..<18, nil])
        #expect(media.segments.map { $0.media?.start.nanoseconds } == [0, nil, 9_000_000_000, 17_000_000_000])
    }

    /// A playlist of subtitles is told by the name of its first segment.
    @Test(arguments: [
        ("a.vtt", true), ("a.WEBVTT?x=.ts", true), ("a.ts?x=.vtt", false), ("x.vtt/a.ts", false), ("vtt", false),
    ])
    func subtitlesAreToldByTheirName(_ uri: String, _ isSubtitles: Bool) {
        #expect(check("#EXTINF:1,\n\(uri)\n#EXTINF:1,\nb.vtt").media.leadsToSubtitles == isSubtitles)
    }

    @Test func withoutSegmentsThereAreNoSubtitles() { #expect(!check("").media.leadsToSubtitles) }
}
