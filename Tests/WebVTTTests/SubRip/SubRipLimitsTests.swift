import Support
import Testing

@testable import WebVTT

@Suite struct SubRipLimitsTests {
    static let head = "1\n00:00:01,000 --> 00:00:02,000\n"

    static func text(_ file: String, limit: Int) -> String? {
        let run = SubRipRun(checking: Array(file.utf8), limits: SubRipLimits(longestLine: limit))
        return NaiveCues.cues(in: run.output)?.first?.text
    }

    @Test func aLineAsLongAsTheLimitIsWhole() {
        for limit in [64, 65, 100] {
            let line = String(repeating: "x", count: limit)
            #expect(Self.text("\(Self.head)\(line)\n", limit: limit) == line)
            #expect(Self.text("\(Self.head)\(line)y\nz", limit: limit) == "\(line)\ny\nz")
            #expect(Self.text("\(Self.head)\(line)\(line)\r\nz", limit: limit) == "\(line)\n\(line)\nz")
        }
    }

    @Test func noCharacterIsBroken() {
        for character in ["é", "字", "🎬"] {
            for shift in 0..<4 {
                let line = String(repeating: "x", count: shift) + String(repeating: character, count: 50)
                let text = Self.text("\(Self.head)\(line)", limit: 64)
                #expect(text?.filter { $0 != "\n" } == line)
                let lines = text?.split(separator: "\n").map(\.utf8.count) ?? []
                #expect(lines.allSatisfy { $0 <= 64 } && lines.dropLast().allSatisfy { $0 > 60 })
            }
        }
    }

    @Test func theRestOfABrokenLineIsNeitherCounterNorTiming() {
        let line = String(repeating: "x", count: 64)
        let next = "\n0:0 --> 0:1\n"
        #expect(Self.text("\(Self.head)\(line)12\(next)", limit: 64) == "\(line)\n12")
        #expect(
            Self.text("\(Self.head)\(line)00:00:01,000 --> 00:00:02,000", limit: 64)
                == "\(line)\n00:00:01,000 --&gt; 00:00:02,000")
    }

    @Test func theRestOfALongTimingLineIsLeftOut() {
        let rest = String(repeating: " X1:100", count: 50)
        #expect(Self.text("00:00:01,000 --> 00:00:02,000\(rest)\na", limit: 64) == "a")
    }

    @Test func aLongLineMayBeRefused() {
        let limits = SubRipLimits(longestLine: 64, policy: .fail)
        let line = String(repeating: "x", count: 64)
        let fine = SubRipRun(checking: Array("\(Self.head)\(line)\r\n\(line)".utf8), limits: limits)
        #expect(fine.error == nil)
        let run = SubRipRun(checking: Array("\(Self.head)a\r\n\(line)y\n".utf8), limits: limits)
        #expect(run.error == TranscodingError(reason: .lineTooLong(limit: 64), position: Self.head.utf8.count + 3))
        #expect(run.output.suffix(2).elementsEqual("a\n".utf8))
        let first = SubRipRun(checking: Array("\(line)y\n".utf8), limits: limits)
        #expect(first.error == TranscodingError(reason: .lineTooLong(limit: 64), position: 0))
        #expect(run.error?.description == "at byte 35: the line is longer than the limit of 64 bytes")
    }

    @Test func limitsAreKeptWithinReason() {
        #expect(SubRipLimits(longestLine: .min).longestLine == 64)
        #expect(SubRipLimits(longestLine: .max).longestLine == 1 << 30)
        #expect(SubRipLimits() == SubRipLimits(longestLine: 65_536, policy: .breakLine))
    }
}
