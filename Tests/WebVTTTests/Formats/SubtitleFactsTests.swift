import ByteScan
import Support
import Testing

@testable import WebVTT

/// What one read of a WebVTT file tells.
@Suite struct SubtitleFactsTests {
    private static func facts(_ text: String, _ split: [Range<Int>]) -> SubtitleFacts {
        let bytes = Array(text.utf8)
        var facts = SubtitleFacts()
        for range in split { bytes[range].withUnsafeBytes { unsafe facts.write($0) } }
        facts.finish()
        return facts
    }

    private static let map = "X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:10.000"
    private static let other = "X-TIMESTAMP-MAP=MPEGTS:1,LOCAL:00:00:00.000"

    /// Files, and the ticks of the map that counts.
    private static let headers: [(text: String, ticks: UInt64?, reason: String)] = [
        ("", nil, "nothing"),
        ("WEBVTT", nil, "a signature alone"),
        ("WEBVTT\n\(map)\n\n", 900_000, "the line below the signature"),
        ("WEBVTT x\r\n\(map)\r\n\r\n", 900_000, "CRLF"),
        ("WEBVTT\r\(map)\r\r", 900_000, "CR"),
        ("WEBVTT\nKind: captions\r\n\(map)\r\n", 900_000, "CRLF behind LF"),
        ("WEBVTT\rKind: captions\n\(map)\n", 900_000, "LF behind CR"),
        ("WEBVTT\r\nKind: captions\n\n\(map)\n", nil, "a blank line behind LF, behind CRLF"),
        ("WEBVTT\nKind: captions\r\r\(map)\n", nil, "a blank line behind CR"),
        ("\u{FEFF}WEBVTT\n\(map)", 900_000, "a line that does not end"),
        ("WEBVTT\nKind: captions\n\(map)\n\(other)\n", 900_000, "of two the first"),
        ("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:2\n\(other)\n", 1, "of two the first that can be read"),
        ("WEBVTT\n\n\(map)\n", nil, "behind the header"),
        ("WEBVTT\r\n\r\n\(map)\n", nil, "behind the header, CRLF"),
        ("WEBVTT\n00:01.000 --> 00:02.000\n\(map)\n", nil, "an arrow ends the header"),
        ("WEBVTT\n\(map) -->\n", nil, "an arrow in the line itself"),
        ("WEBVT\n\(map)\n", nil, "no signature"),
        ("1\n\(map)\n", nil, "no WebVTT"),
        ("WEBVTT\n\(String(repeating: "a", count: 70_000))\n\(map)\n", 900_000, "behind a long line"),
        ("WEBVTT\n\(map)\(String(repeating: ",", count: 65_488))\n", 900_000, "a line of 64 KiB"),
        ("WEBVTT\n\(map)\(String(repeating: ",", count: 65_489))\n", nil, "a line that is too long"),
    ]

    @Test(arguments: headers)
    func theOwnMap(_ row: (text: String, ticks: UInt64?, reason: String)) {
        let count = row.text.utf8.count
        for split in count < 200 ? Splits.all(of: count) : [Splits.even(of: count, size: 1000)] {
            let facts = Self.facts(row.text, split)
            #expect(facts.map?.mpegTS == row.ticks && facts.hasPassedHeader, "\(row.reason)")
        }
        let bytes = Array(row.text.utf8)
        #expect(bytes.withUnsafeBytes { unsafe HeaderMap.own(of: ByteView($0))?.mpegTS } == row.ticks, "\(row.reason)")
    }

    /// The times of cues in tenths of seconds, and what they tell: final end, latest end, and whether they are in order.
    @Test(
        arguments: [
            ([], nil, nil, true), ([(10, 20)], 20, 20, true), ([(10, 90), (20, 30)], 30, 90, true),
            ([(10, 20), (10, 30)], 30, 30, true), ([(20, 30), (10, 20), (40, 50)], 50, 50, false),
            ([(20, 20)], 20, nil, true), ([(10, 20), (90, 80)], 80, 20, true),
        ] as [([(Int64, Int64)], Int64?, Int64?, Bool)])
    func theTimes(_ cues: [(Int64, Int64)], _ final: Int64?, _ latest: Int64?, _ isInOrder: Bool) {
        func time(_ tenths: Int64) -> String { "00:0\(tenths / 10).\(tenths % 10)00" }
        let text = "WEBVTT\n" + cues.map { "\n\(time($0.0)) --> \(time($0.1))\na\n" }.joined()
        for split in Splits.all(of: text.utf8.count, random: 4) {
            let facts = Self.facts(text, split)
            #expect(facts.finalEnd?.milliseconds == final.map { $0 * 100 })
            #expect(facts.latestEnd?.milliseconds == latest.map { $0 * 100 })
            #expect(facts.isInOrder == isInOrder && facts.map == nil)
        }
    }

    @Test func theHeaderIsPassedBeforeTheCues() {
        var facts = SubtitleFacts()
        for (text, hasPassed) in [("WEBVTT\n", false), ("Kind: captions\n", false), ("\n", true)] {
            Array(text.utf8).withUnsafeBytes { unsafe facts.write($0) }
            #expect(facts.hasPassedHeader == hasPassed, "\(text)")
        }
    }
}
