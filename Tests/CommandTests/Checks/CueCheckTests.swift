import Support
import Testing

/// Cues as a player reads them: what is said of a file, and of cues in the wrong segments.
@Suite struct CueCheckTests {
    private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n"
    private static let end = "#EXT-X-ENDLIST\n"

    /// What is said of the files of the playlist of subtitles `en.m3u8` in `files`, but for the summary.
    private func said(_ files: [String: String]) throws -> [String] {
        let ran = try Ran("check", "en.m3u8", in: Scratch(files))
        return ran.text.split(separator: "\n").dropLast().map(String.init)
    }

    /// The blocks of a file, and what is said.
    @Test(
        arguments: [
            ("x", ["note: en.vtt: line 3, at byte 8: players pass over a block: no line with -->"]),
            ("x\n\ny\n\nz", ["note: en.vtt: line 3, at byte 8: players pass over 3 blocks: no line with -->"]),
            (
                "x\n\n00:01.000 -> 00:02.000",
                [
                    "en.vtt: line 5, at byte 11: 1 cue with another arrow than -->, which no player reads; write -->",
                    "note: en.vtt: line 3, at byte 8: players pass over a block: no line with -->",
                ]
            ),
            (
                "00:01.000 -> 00:02.000\n\nX-TIMESTAMP-MAP=a",
                [
                    "en.vtt: line 3, at byte 8: 1 cue with another arrow than -->, which no player reads; write -->",
                    "en.vtt: line 5, at byte 32: X-TIMESTAMP-MAP behind a blank line, where no player looks for it; write it "
                        + "right below WEBVTT",
                ]
            ),
            ("00:01.000 --> 00:02.000", ["note: en.vtt: 1 cue without text"]),
            ("00:01.000 --> 00:02.000\n\n00:01.000 --> 00:02.000", ["note: en.vtt: 2 cues without text"]),
            (
                "STYLE\n\nREGION",
                [
                    "note: en.vtt: line 3, at byte 8: players pass over a block: style sheet without a line",
                    "note: en.vtt: line 5, at byte 15: players pass over a block: region without a line",
                ]
            ),
        ] as [(String, [String])])
    func blocks(_ blocks: String, _ said: [String]) throws {
        let list = "\(Self.list)#EXTINF:9,\nen.vtt\n\(Self.end)"
        #expect(try self.said(["en.m3u8": list, "en.vtt": "WEBVTT\n\n\(blocks)\n"]) == said)
    }

    /// A map that cannot be read is told, unless there is one that can.
    @Test func oneMapIsEnough() throws {
        let list = "\(Self.list)#EXTINF:9,\nen.vtt\n\(Self.end)"
        let good = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n"
        let files = { (map: String) in ["en.m3u8": list, "en.vtt": "WEBVTT\nX-TIMESTAMP-MAP=a\n\(map)\n"] }
        #expect(try said(files(good)) == [])
        #expect(
            try said(files("")) == [
                "en.vtt: line 2, at byte 7: X-TIMESTAMP-MAP cannot be read; write LOCAL:00:00:00.000,MPEGTS:0"
            ])
    }

    /// Cues of a segment of 4 s and of one of 5 s behind it; how many do not show where they are, and how many the second
    /// lacks: durations are rounded, so a tenth of a second does not count.
    @Test(
        arguments: [
            ([], ["00:09.100 --> 00:09.200"], 0, 0), ([], ["00:09.101 --> 00:09.200"], 1, 0),
            ([], ["00:01.000 --> 00:03.900"], 0, 0), ([], ["00:01.000 --> 00:03.899"], 1, 0),
            ([], ["00:01.000 --> 00:01.000"], 0, 0), (["00:04.101 --> 00:05.000"], [], 1, 0),
            (["00:03.899 --> 00:04.101"], [], 0, 1), (["00:03.900 --> 00:04.101"], [], 0, 0),
            (["00:03.899 --> 00:04.100"], [], 0, 0), (["00:03.000 --> 00:05.000"], ["00:03.000 --> 00:05.000"], 0, 0),
            (["00:03.000 --> 00:05.000"], ["00:03.000 --> 00:05.001"], 0, 1),
            (["00:03.000 --> 00:05.000", "00:02.000 --> 00:05.000"], [], 0, 2),
            ([], ["00:02.000 --> 00:03.000", "00:01.000 --> 00:02.000"], 2, 0),
        ] as [([String], [String], Int, Int)])
    func segments(_ first: [String], _ second: [String], _ astray: Int, _ lacking: Int) throws {
        let file = { (cues: [String]) in "WEBVTT\n\n" + cues.map { "\($0)\na\n\n" }.joined() }
        let list = "\(Self.list)#EXTINF:4,\n1.vtt\n#EXTINF:5,\n2.vtt\n\(Self.end)"
        let said = try said(["en.m3u8": list, "1.vtt": file(first), "2.vtt": file(second)])
            .filter { $0.hasPrefix("note: ") }
        // The first of them is told: that which starts first.
        let place = { (cues: [String], file: String) in cues.min().map { "\(file): 00:\($0.prefix(9))" } ?? "" }
        var expected: [String] = []
        if astray > 0 {
            expected.append(
                "note: en.m3u8: \(astray) cues in segments in which they do not show (8216bis 3.1.4): "
                    + (second.isEmpty ? place(first, "1.vtt") : place(second, "2.vtt")))
        }
        if lacking > 0 {
            expected.append(
                "note: en.m3u8: \(lacking) cues go on in the next segment, which lacks them: who seeks there misses them: "
                    + place(first, "2.vtt"))
        }
        #expect(said.count == expected.count && zip(said, expected).allSatisfy { $0.hasPrefix($1) }, "\(said)")
    }

    /// Behind a segment whose duration is not known nobody knows what lacks.
    @Test func aSegmentWithoutADurationEndsWhatIsKnown() throws {
        let file = "WEBVTT\n\n00:03.000 --> 00:05.000\na\n"
        let list = { (other: String) in "\(Self.list)#EXTINF:4,\n1.vtt\n\(other)#EXTINF:5,\n2.vtt\n\(Self.end)" }
        let files = { (list: String) in ["en.m3u8": list, "1.vtt": file, "2.vtt": "WEBVTT\n", "x.vtt": "WEBVTT\n"] }
        #expect(try said(files(list(""))).count == 1)
        #expect(
            try said(files(list("x.vtt\n"))) == [
                "en.m3u8: line 5, at byte 49: x.vtt has no EXTINF, so players pass it over"
            ])
    }

    /// A master with a video that begins at 126000, and with these subtitles.
    private func besideAVideo(_ subtitles: [String: String]) throws -> Scratch {
        let files = [
            "m.m3u8":
                "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"a\",URI=\"en.m3u8\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1,SUBTITLES=\"s\"\nv.m3u8\n",
            "v.m3u8": "\(Self.list)#EXTINF:9,\na.aac\n\(Self.end)",
        ]
        let scratch = try Scratch(files.merging(subtitles) { _, own in own })
        try scratch.write("a.aac", AudioTagBytes.timestamp(126_000) + [0])
        return scratch
    }

    /// Cues show by their map, or by none: a tenth of a second does not count.
    @Test(
        arguments: [
            (135_000, nil), (135_001, "0.100 s late"), (117_000, nil), (116_999, "0.100 s early"),
            (216_000, "1.000 s late"),
        ] as [(Int, String?)])
    func maps(_ ticks: Int, _ delay: String?) throws {
        let scratch = try besideAVideo([
            "en.m3u8": "\(Self.list)#EXTINF:9,\nen.vtt\n\(Self.end)",
            "en.vtt":
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n\n00:01.000 --> 00:02.000\na\n",
        ])
        let ran = try Ran("check", "m.m3u8", in: scratch)
        let said = delay.map {
            "en.vtt: by its X-TIMESTAMP-MAP cues show \($0): the first time stamp of v.m3u8 is MPEGTS:126000 at 00:00:00.000"
        }
        #expect(ran.text.split(separator: "\n").dropLast().map(String.init) == [said].compactMap { $0 })
        // Where no cue shows, none shows at another time.
        try scratch.write("en.vtt", Array("WEBVTT\n".utf8))
        #expect(try Ran("check", "m.m3u8", in: scratch).status == 0)
    }

    /// Nobody knows when a timeline begins that the video has not.
    @Test func aTimelineOfTheSubtitlesAloneHasNoMap() throws {
        let scratch = try besideAVideo([
            "en.m3u8": "\(Self.list)#EXTINF:9,\n1.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:9,\n2.vtt\n\(Self.end)",
            "1.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\na\n", "2.vtt": "WEBVTT\n\n00:10.000 --> 00:11.000\nb\n",
        ])
        let said = try Ran("check", "m.m3u8", in: scratch).text.split(separator: "\n")
        #expect(
            said.filter { $0.contains("X-TIMESTAMP-MAP") } == [
                "1.vtt: no X-TIMESTAMP-MAP, and cues show 1.400 s early: the first time stamp of v.m3u8 is MPEGTS:126000 at "
                    + "00:00:00.000"
            ])
    }
}
