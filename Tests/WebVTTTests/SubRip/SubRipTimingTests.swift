import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct SubRipTimingTests {
    /// A line and its two times in milliseconds; nil if it is no timing line.
    static let lines: [(String, [Int64]?)] = [
        ("00:00:01,000 --> 00:00:02,500", [1000, 2500]),
        ("00:00:01.000 --> 00:00:02.500", [1000, 2500]),
        ("1:2:3,4 --> 01:02:03,40", [3_723_004, 3_723_040]),
        ("00:01,000 --> 1:02,5", [1000, 62_005]),
        ("00:00:01 --> 00:02", [1000, 2000]),
        ("75:10,000 --> 123:00,0", [4_510_000, 7_380_000]),
        ("00:00:99,999 --> 00:99:00,000", [99_999, 5_940_000]),
        ("00:00:01,1239 --> 00:00:02,000001", [1123, 2000]),
        ("00:00:01, --> 00:00:02.", [1000, 2000]),
        ("00:00:01,000-->00:00:02,000", [1000, 2000]),
        ("\t 00:00:01,000 \t\u{0C}-->  00:00:02,000  ", [1000, 2000]),
        ("00: 00 :01 , 000 --> 00:00: 02,  5", [1000, 2005]),
        ("\u{FEFF}\u{FEFF}00:01 --> 00:02", [1000, 2000]),
        ("-00:00:01,000 --> - 00:00:00,500", [0, 0]),
        ("00:00:01,000 --> 00:00:02,000  X1:100 X2:200 Y1:300 Y2:400", [1000, 2000]),
        ("00:00:01,000 --> 00:00:02,000 --> 00:00:03,000", [1000, 2000]),
        ("00:00:01,000 --> 00:00:02,000,5", [1000, 2000]),
        ("1234567890:00:00,000 --> 9999999999999999999:00:00,0", [4_444_444_404_000_000, .max]),
        ("2562047788015:12:55,806 --> 2562047788015:12:55,808", [.max - 1, .max]),
        ("000000000000000000000000:00:01,000 --> 0000000000000000000000017:00:00", [1000, 61_200_000]),
        ("1234:05 --> 1235:05", nil),
        ("00:00:001,000 --> 00:00:02,000", nil),
        ("00:000:01,000 --> 00:00:02,000", nil),
        ("00:00:00:01 --> 00:00:00:02", nil),
        ("00:00:01,000 --> ", nil),
        ("00:00:01,000 --> x", nil),
        ("00:00:01,000 -> 00:00:02,000", nil),
        ("00:00:01,000 -- > 00:00:02,000", nil),
        ("00:00:01,000 ---> 00:00:02,000", nil),
        ("00:00:01;000 --> 00:00:02,000", nil),
        ("x 00:00:01,000 --> 00:00:02,000", nil),
        ("00:00:01,000 x --> 00:00:02,000", nil),
        ("\u{A0}00:00:01,000 --> 00:00:02,000", nil),
        ("--00:00:01,000 --> 00:00:02,000", nil),
        ("1 --> 2", nil), (": --> :", nil), ("1: --> 2:", nil), (":1 --> :2", nil), ("-->", nil), ("-", nil),
        ("٠٠:٠١ --> ٠٠:٠٢", nil),
    ]

    @Test(arguments: lines)
    func line(line: String, times: [Int64]?) {
        let bytes = GuardedBytes(Array(line.utf8))
        for buffer in [bytes.buffer, bytes.leadingBuffer] {
            let timing = SubRipTiming(ByteView(buffer))
            #expect(timing.map { [$0.start.milliseconds, $0.end.milliseconds] } == times)
        }
        // Written and parsed again they are the same, and the oracle agrees.
        let file = Array("\(line)\ntext".utf8)
        let run = SubRipRun(checking: file)
        #expect(NaiveCues.cues(in: run.output)?.map { [$0.start, $0.end] } == (times.map { [$0] } ?? []))
        #expect(NaiveSubRip.transcode(file) == run.output)
    }

    /// A line where a cue begins, and whether its arrow is broken.
    static let arrows: [(String, Bool)] = [
        ("00:00:03,000 - > 00:00:04,000", true), ("00:00:03,000 -- > 00:00:04,000", true),
        ("00:00:03,000 -> 00:00:04,000", true), ("00:00:03,000->00:00:04,000", true),
        ("00:00:03,000 - - > 00:00:04,000", true), ("00:00:03,000 ---> 00:00:04,000 X1:1", true),
        ("\u{FEFF} 0:0:3 -\t> -0:4, x", true), ("00:03.0 -> 00:04.0", true),
        ("00:03 -> 00:04", false), ("00:03,0 -> 00:04", false), ("10:15 -> 0:11:30", false),
        ("00:00:03,000 > 00:00:04,000", false), ("00:00:03,000 - 00:00:04,000", false),
        ("00:00:03,000 = > 00:00:04,000", false), ("00:00:03,000 - > x", false), ("x 00:00:03,0 -> 00:00:04,0", false),
    ]

    @Test(arguments: arrows)
    func arrow(line: String, isBroken: Bool) throws {
        // After a counter, with a blank line before it or not; after a blank line; in the middle of a text.
        for (before, beginsCue) in [("\n2\n", true), ("2\n", true), ("\n", true), ("", false), ("x\n", false)] {
            let isBroken = isBroken && beginsCue
            let head = "1\n0:1 --> 0:2\na\n\(before)"
            let file = Array("\(head)\(line)\nb\n\n3\n0:5 --> 0:6\nc\n".utf8)
            let run = SubRipRun(checking: file)
            let cues = try #require(NaiveCues.cues(in: run.output))
            #expect(run.brokenArrowCount == (isBroken ? 1 : 0))
            #expect(run.firstBrokenArrow == (isBroken ? head.utf8.count : nil))
            #expect(cues.count == 2 && cues[1].text == "c")
            #expect((cues[0].text == "a") == isBroken)
            #expect(NaiveSubRip.transcode(file) == run.output)
        }
    }

    @Test func everyByteInEveryPlace() {
        let text = "00:00:01,000 --> 0:02,5 X"
        for place in 0...text.utf8.count {
            for byte in UInt8(1)...0x7F {
                for replaced in [0, 1] {
                    var file = Array(text.utf8)
                    file.replaceSubrange(place..<min(file.count, place + replaced), with: [byte])
                    let run = file.withUnsafeBytes { SubRipRun($0, ranges: [0..<file.count]) }
                    guard run.output != NaiveSubRip.transcode(file) else { continue }
                    Issue.record("\(String(decoding: file, as: UTF8.self).debugDescription): \(run)")
                }
            }
        }
    }
}
