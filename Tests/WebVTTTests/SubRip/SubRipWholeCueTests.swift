import Support
import Testing
import WebVTT

/// Cues that are taken as wholes become what they become line by line. Cut into single bytes, no cue is ever whole.
@Suite struct SubRipWholeCueTests {
    private static let lines = [
        "Hello", "- Hello", "-Hello", "-- Hello", "- 1", "-1", "1984", "12 monkeys", "<i>it</i>", "a & b", "a > b",
        "<i></i>", "<i> </i>", "</u>", "<b>a</b> <u>b</u>", "<I>it</I>", "<i >it</ i>", "<i>>", "--<b>>", "<<i>",
        "<i<i>a", "<s>a</s>",
        "<font color=\"red\">red</font>", "{\\an8}up", "{\\an8}", "{Y:i}styled", "a\\Nb", "字幕", "，", "\u{FEFF}mark",
        "\u{FEFF}1", " before", "after ", "after\t", "NUL\0", "--", "-->", "1:2", "00:00:01,000 -> 00:00:02,000",
        "00:00:01,000 --> 00:00:02,000", "of sixty-four bytes and more, which are more than one block of memory",
        "\u{A0}a", "a\u{A0}", "\u{0C}a", "🎬",
    ]
    private static let counters = [
        "1", "12345678", "123456789", "", "0", "x", " 1", "1 ", "\u{FEFF}1", "1\n2", "1\n\n2",
    ]
    private static let timings = [
        "00:00:01,000 --> 00:00:02,000", "99:59:59,999 --> 99:59:59,999", "00:60:01,000 --> 00:00:02,000",
        "00:00:61,000 --> 00:00:02,000", "00:00:01.000 --> 00:00:02,000", "00:00:01,000 --> 00:00:02,000 X1:1",
        "00:00:01,000 --> 00:00:02,0000", "0:00:01,000 --> 00:00:02,000", "00:00:01,000 --> 00:00:62,000",
        "00:00:01,000 -> 00:00:02,000", "00:00:0x,000 --> 00:00:02,000", "100:00:01,000 --> 100:00:02,000",
        "00:00:01,000 --> 00:00:02,00\u{0}", "00:00:01,000 --> 00:00:02:000",
    ]
    private static let ends = ["\n", "\r\n", "\r", "\r\r\n"]

    /// A file with `cue` between cues that are as nearly all are.
    private static func file(_ cue: String, _ end: String) -> [UInt8] {
        let plain = "7\n00:01:00,000 --> 00:01:02,500\nPlain text,\nof two lines.\n\n"
        return Array((plain + plain + cue + "\n" + plain + plain + plain).replacing("\n", with: end).utf8)
    }

    @Test(arguments: ends)
    func anyLineOfText(_ end: String) {
        for line in Self.lines {
            check(Self.file("1\n00:00:01,000 --> 00:00:02,000\n\(line)\n", end))
            check(Self.file("1\n00:00:01,000 --> 00:00:02,000\nfirst\n\(line)\n", end))
            check(Self.file("1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n\(line)\n", end))
        }
    }

    @Test(arguments: ends)
    func anyCounterAndTimes(_ end: String) {
        for counter in Self.counters {
            for timing in Self.timings {
                check(Self.file("\(counter)\n\(timing)\ntext\n", end))
                check(Self.file("\(counter)\n\(timing)\n", end))
                check(Self.file("\(counter)\n\(timing)\n\ntext\n\n\n", end))
            }
        }
    }

    /// Where a block ends: inside a tag, before it and after it.
    @Test(arguments: ends)
    func tagsAtAnyPlace(_ end: String) {
        for count in 50...70 {
            let text = String(repeating: "x", count: count)
            for tag in ["<i>it</i>", "</b>", "<u", "</", "<i>>", "<i>&"] {
                check(Self.file("1\n00:00:01,000 --> 00:00:02,000\n\(text)\(tag) more\n", end))
            }
        }
    }

    @Test func longLines() {
        for count in 60...70 {
            let text = String(repeating: "x", count: count)
            for policy in [SubRipLimits.Policy.breakLine, .fail] {
                let limits = SubRipLimits(longestLine: 64, policy: policy)
                check(Self.file("1\n00:00:01,000 --> 00:00:02,000\n\(text)\n", "\n"), limits)
            }
        }
    }

    /// Many more cues than are found at once, and more than the output that is put together.
    @Test(arguments: ends)
    func manyCues(_ end: String) {
        let cues = (1...900).map { "\($0)\n00:00:01,000 --> 00:00:02,000\n\(Self.lines[$0 / 30])\n" }
        check(Array(cues.joined(separator: "\n").replacing("\n", with: end).utf8), sizes: [1460, 20_000])
    }

    @Test(arguments: 0..<60)
    func randomFiles(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func pick(_ choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &generator)] }
        for _ in 0..<10 {
            var file = ""
            for _ in 0..<12 {
                let isOdd = Int.random(in: 0..<6, using: &generator) == 0
                file +=
                    isOdd
                    ? "\(pick(Self.counters))\n\(pick(Self.timings))\n" : "\(Self.counters[0])\n\(Self.timings[0])\n"
                for _ in 0..<Int.random(in: 0...3, using: &generator) { file += pick(Self.lines) + "\n" }
                file += "\n"
            }
            check(Array(file.replacing("\n", with: pick(Self.ends)).utf8), sizes: [50, 200, 700])
        }
    }

    private struct Answer: Equatable {
        var output: [UInt8] = []
        var error: TranscodingError?
        var cueCount = 0
        var brokenArrows: [Int] = []
    }

    private func check(_ file: [UInt8], _ limits: SubRipLimits = SubRipLimits(), sizes: [Int] = []) {
        let expected = answer(file, limits, inChunksOf: 1)
        for size in [max(file.count, 1)] + sizes {
            let text = String(decoding: file.prefix(2000), as: UTF8.self).debugDescription
            #expect(answer(file, limits, inChunksOf: size) == expected, "in chunks of \(size): \(text)")
        }
    }

    private func answer(_ file: [UInt8], _ limits: SubRipLimits, inChunksOf size: Int) -> Answer {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        var transcoder = SubRipTranscoder(limits: limits)
        var answer = Answer()
        do throws(TranscodingError) {
            for start in stride(from: 0, to: file.count, by: size) {
                let chunk = UnsafeRawBufferPointer(rebasing: guarded.buffer[start..<min(start + size, file.count)])
                try transcoder.write(chunk) { answer.output += $0 }
            }
            try transcoder.finish { answer.output += $0 }
        } catch {
            answer.error = error
        }
        answer.cueCount = transcoder.cueCount
        answer.brokenArrows = [transcoder.brokenArrowCount, transcoder.firstBrokenArrow ?? -1]
        return answer
    }
}
