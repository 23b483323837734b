import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct CueShifterTests {
    /// A shift, the lines of a file after `WEBVTT` and what they become.
    static let files: [(Int64, String, String)] = [
        // Both times, settings and all else as they stand.
        (-1400, "\n\n00:00:02.000 --> 00:00:04.500 line:0\na\n", "\n\n00:00:00.600 --> 00:00:03.100 line:0\na\n"),
        (2000, "\n\n\t00:02.000-->00:04.500align:start\na\n", "\n\n\t00:04.000-->00:06.500align:start\na\n"),
        (2000, "\r\n\r\n1\r\n00:02.000 --> 00:04.500\r\na\r\n", "\r\n\r\n1\r\n00:04.000 --> 00:06.500\r\na\r\n"),
        // A start below 0 becomes 0, in the form that it had.
        (-1400, "\n\n00:01.000 --> 00:02.000\na\n", "\n\n00:00.000 --> 00:00.600\na\n"),
        (-1400, "\n\n1:00:01.000 --> 01:00:02.000\na\n", "\n\n00:59:59.600 --> 01:00:00.600\na\n"),
        (-1400, "\n\n0:00:00.000 --> 00:02.000\na\n", "\n\n0:00:00.000 --> 00:00.600\na\n"),
        // Hours are added where they are needed, and never taken away.
        (1000, "\n\n59:58.999 --> 59:59.000\na\n", "\n\n59:59.999 --> 01:00:00.000\na\n"),
        (1000, "\n\n99:59:59.000 --> 0000100:00:00.000\na\n", "\n\n100:00:00.000 --> 100:00:01.000\na\n"),
        // Cues that end at 0 or before: identifier, timing line and text leave, blank lines stay.
        (
            -1400, "\n\nx\n00:00.000 --> 00:01.400\na\nb\n\n00:01.000 --> 00:01.401\nc",
            "\n\n\n00:00.000 --> 00:00.001\nc"
        ),
        (-1400, "\n\n00:00.000 --> 00:01.000\n\n00:09.000 --> 00:01.000\n\nNOTE x\n", "\n\n\n\nNOTE x\n"),
        (-1400, "\n\nNOTE x\n00:00.000 --> 00:01.000\nx\n", "\n\n"),
        (-1400, "\n\nx\ny\n00:00.000 --> 00:01.000\nz\n\nz", "\n\nx\ny\n\nz"),
        // The line below the signature is the header's, and no identifier.
        (-1400, "\nx\n00:00.000 --> 00:01.000\ny\n00:02.000 --> 00:03.000\nz", "\nx\n00:00.600 --> 00:01.600\nz"),
        (
            -1400, "\n00:02.000 --> 00:03.000\na\n00:00.000 --> 00:01.000\nb\nx --> y\nc\n\n",
            "\n00:00.600 --> 00:01.600\na\nx --> y\nc\n\n"
        ),
        // What is left out between a CR and an LF must not make one terminator of them.
        (-1400, "\n\na\r00:00.000 --> 00:01.000\n\nb\n", "\n\n\nb\n"),
        (-1400, "\r\r00:00.000 --> 00:01.000\n\nNOTE b\n", "\r\r\n\nNOTE b\n"),
        (-1400, "\n\nx\ny\r00:00.000 --> 00:01.000\r\nz\r\n\nb\n", "\n\nx\ny\r\n\nb\n"),
        (
            -1400, "\n\n00:02.000 --> 00:03.000\ra\r00:00.000 --> 00:01.000\nb\r\n\nc",
            "\n\n00:00.600 --> 00:01.600\ra\r\n\nc"
        ),
        // Of the lines before, the last one tells.
        (
            -1400, "\n\n00:02.000 --> 00:03.000\na\r00:00.000 --> 00:01.000\nb\n\nc",
            "\n\n00:00.600 --> 00:01.600\na\r\n\nc"
        ),
        (
            -1400, "\n\n00:02.000 --> 00:03.000\ra\n00:00.000 --> 00:01.000\nb\n\nc",
            "\n\n00:00.600 --> 00:01.600\ra\n\nc"
        ),
        (-1400, "\n\nx\ry\n00:00.000 --> 00:01.000\nz\n\nb", "\n\nx\ry\n\nb"),
        (-1400, "\n\nx\ny\nw\r00:00.000 --> 00:01.000\nz\n\nb", "\n\nx\ny\nw\r\n\nb"),
        (-1400, "\n\r00:00.000 --> 00:01.000\nz\n\nb", "\n\r\n\nb"),
        (-1400, "\n\nx --> y\r00:00.000 --> 00:01.000\nz\n\nb", "\n\nx --> y\r\n\nb"),
        // Time stamps in a cue's text, and nowhere else.
        (
            -1400, "\n\n00:01.000 --> 00:09.000\n<00:00:01.500>a<00:02.000><c>b</c>\n<00:01.000>c<01:00:00.000>",
            "\n\n00:00.000 --> 00:07.600\n<00:00:00.100>a<00:00.600><c>b</c>\n<00:00.000>c<00:59:58.600>"
        ),
        (
            1000, "\n\n00:01.000 --> 00:09.000\n< 00:02.000><00:02.000 ><00:02.00><0:02.000>00:02.000>\n<00:02.000",
            "\n\n00:02.000 --> 00:10.000\n< 00:02.000><00:02.000 ><00:02.00><0:02.000>00:02.000>\n<00:02.000"
        ),
        (
            1000, "\n\nNOTE <00:02.000>\n\n00:01.000 -> 00:02.000\n<00:02.000>\n\nx --> y\n<00:02.000>\n",
            "\n\nNOTE <00:02.000>\n\n00:01.000 -> 00:02.000\n<00:02.000>\n\nx --> y\n<00:02.000>\n"
        ),
        (
            1000, "\n\n00:01.000 --> 00:09.000\n<<00:02.000>>\n\n<00:02.000>\n",
            "\n\n00:02.000 --> 00:10.000\n<<00:03.000>>\n\n<00:02.000>\n"
        ),
        // The map, styles, regions, and lines that are not timing lines.
        (
            1000,
            "\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n\nSTYLE\n::cue(<00:01.000>) {}\n\nREGION\nid:a\n\n00:60.000 --> 00:61.000\n",
            "\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n\nSTYLE\n::cue(<00:01.000>) {}\n\nREGION\nid:a\n\n00:60.000 --> 00:61.000\n"
        ),
        (1000, " 00:01.000 --> 00:02.000\n<00:01.000>", " 00:01.000 --> 00:02.000\n<00:01.000>"),
        // Past what 64 bits hold a time stays; what a shift makes of another is written.
        (
            -1000, "\n\n00:02.000 --> 99999999999999999999:00:00.000\na",
            "\n\n00:01.000 --> 99999999999999999999:00:00.000\na"
        ),
        (.max, "\n\n00:00.000 --> 00:00.001\na", "\n\n2562047788015:12:55.807 --> 2562047788015:12:55.807\na"),
        (.min, "\n\n00:00.000 --> 2562047788015:12:55.806\na", "\n\n"),
        (0, "\n\n00:00.000 --> 00:00.000\na", "\n\n00:00.000 --> 00:00.000\na"),
    ]

    static func rewrite(_ file: [UInt8], by shift: Int64, longestLine: Int = 1 << 20) -> (
        bytes: [UInt8], leftOut: Int, CueShiftError?
    ) {
        let window = GuardedWindow(capacity: file.count)
        var shifter = CueShifter(byMilliseconds: shift, longestLine: longestLine)
        var first: ([UInt8], Int, CueShiftError?)?
        for (number, split) in ([[0..<file.count]] + Splits.all(of: file.count)).enumerated() {
            shifter.reset()
            var log = SliceLog()
            var hasFailed = false
            let failure = log.collect(file, split, in: window, isLeading: number % 2 == 1) {
                (chunk, body) throws(CueShiftError) in
                if hasFailed {
                    // The same error again, and no slice.
                    #expect(throws: CueShiftError.self) { try shifter.write(chunk) { _ in Issue.record("a slice") } }
                    return
                }
                hasFailed = true
                try shifter.write(chunk, body)
                hasFailed = false
            } finish: { body in
                shifter.finish(body)
            }
            #expect(log.faults == [], "\(split)")
            let expected = first ?? (log.bytes, shifter.leftOutCount, failure)
            #expect(
                log.bytes == expected.0 && shifter.leftOutCount == expected.1 && failure == expected.2, "\(split)")
            first = expected
        }
        return first ?? ([], 0, nil)
    }

    @Test(arguments: files)
    func file(shift: Int64, lines: String, expected: String) {
        let file = Array("WEBVTT\(lines)".utf8)
        let made = Self.rewrite(file, by: shift)
        #expect(String(decoding: made.bytes, as: UTF8.self) == "WEBVTT\(expected)")
        #expect(made.2 == nil)
        // The oracle must know the rules that the table spells out.
        let naive = NaiveShift.rewrite(file, by: shift)
        #expect(naive.bytes == made.bytes && naive.leftOut == made.leftOut)
        #expect(Self.rewrite(Array("\u{FEFF}".utf8) + file, by: shift).bytes == Array("\u{FEFF}".utf8) + made.bytes)
        // Without a signature nothing changes.
        let other = Array("WEBVTX\(lines)".utf8)
        #expect(Self.rewrite(other, by: shift).bytes == other)
    }

    @Test func cuesThatAreLeftOutAreCounted() {
        let file = Array(
            "WEBVTT\n\n00:00.000 --> 00:01.000\na\n\nb\n00:00.000 --> 00:01.400\n\n00:01.000 --> 00:02.000\n".utf8)
        #expect(Self.rewrite(file, by: -1400).leftOut == 2)
        #expect(Self.rewrite(file, by: -10_000).leftOut == 3)
        #expect(Self.rewrite(file, by: 10_000).leftOut == 0)
    }

    /// A line may have as many bytes as the limit says. Nothing is handed out from a longer one on.
    @Test(arguments: ["\n", "\r", "\r\n"])
    func theLimitOfALine(terminator: String) {
        let lines = [
            "WEBVTT and a header that may be as long as it likes", "", "id", "00:02.000 --> 00:04.000", "<00:02.000>",
            "", "00:02.000 --> 00:04.000 line:00", "x",
        ]
        let file = Array(lines.joined(separator: terminator).utf8)
        let shifted = NaiveShift.rewrite(file, by: 1000).bytes
        #expect(Self.rewrite(file, by: 1000, longestLine: 31) == (shifted, 0, nil))
        for (limit, line) in [(30, 6), (22, 3), (1, 2)] {
            let position = lines[..<line].map { $0.utf8.count + terminator.utf8.count }.reduce(0, +)
            let made = Self.rewrite(file, by: 1000, longestLine: limit)
            #expect(made.2 == CueShiftError(position: position, longestLine: limit))
            #expect(made.bytes == Array(shifted[..<position]))
        }
        let error = CueShiftError(position: 12, longestLine: 34)
        #expect(error.description == "at byte 12: the line is longer than the limit of 34 bytes; break it up")
    }

    @Test func theLimitItselfIsBounded() {
        for (asked, limit) in [(0, 1), (-1, 1), (1, 1), (1 << 30, 1 << 30), (1 << 30 + 1, 1 << 30), (.max, 1 << 30)] {
            #expect(CueShifter(byMilliseconds: 1, longestLine: asked).longestLine == limit)
        }
        #expect(CueShifter(byMilliseconds: 1).longestLine == 1_048_576)
    }

    /// A shift, and how many milliseconds it is; nil if they are no whole number, or too many.
    @Test(
        arguments: [
            (.milliseconds(-1400), -1400), (.seconds(2), 2000), (.zero, 0), (.microseconds(1), nil),
            (.microseconds(-1), nil),
            (.microseconds(999), nil), (.seconds(9_223_372_036_854_775) + .milliseconds(807), .max),
            (.seconds(9_223_372_036_854_775) + .milliseconds(808), nil), (.seconds(Int64.max), nil),
            (.seconds(Int64.min), nil),
        ] as [(Duration, Int64?)])
    func durationsOfSwift(shift: Duration, milliseconds: Int64?) {
        guard let shifter = CueShifter(by: shift, longestLine: 7) else {
            #expect(milliseconds == nil)
            return
        }
        #expect(shifter.shift == milliseconds && shifter.longestLine == 7)
    }

    /// Nine bytes may become 23. What passes through, and what is not shifted, stays as long as it is.
    @Test func theBoundOfTheOutput() throws {
        var shifter = CueShifter(byMilliseconds: 1)
        func bounds() -> [Int] { [0, 8, 9, 17, 18].map { shifter.outputBound(forChunkOf: $0) } }
        for _ in 0..<2 {
            #expect(bounds() == [0, 8, 23, 31, 46] && !shifter.isSettled)
            try Array("WEBVTT\n\nid".utf8).withUnsafeBytes { try shifter.write($0) { _ in } }
            #expect(shifter.heldBytes == 2 && bounds() == [2, 24, 25, 47, 48] && !shifter.isSettled)
            shifter.finish { _ in }
            #expect(bounds() == [0, 8, 9, 17, 18] && shifter.isSettled)
            shifter.reset()
        }
        let still = CueShifter(byMilliseconds: 0)
        #expect(still.outputBound(forChunkOf: 18) == 18)
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 31)
        let shifts: [Int64] = [-1400, 2000, -2500, 1, -1, -60_000, 3_599_000, -3_600_000, .min, .max]
        for round in 0..<(isLong ? 50_000 : 400) {
            let file = WebVTTTokens.file(using: &generator)
            let shift = shifts[round % shifts.count]
            let expected = NaiveShift.rewrite(file, by: shift)
            var shifter = CueShifter(byMilliseconds: shift)
            for size in [1, Int.random(in: 2...40, using: &generator), 10_000] {
                shifter.reset()
                var output: [UInt8] = []
                file.withUnsafeBytes { file in
                    for chunk in Splits.even(of: file.count, size: size) {
                        try? shifter.write(UnsafeRawBufferPointer(rebasing: file[chunk])) { output += $0.bytes }
                    }
                }
                shifter.finish { output += $0.bytes }
                if output != expected.bytes || shifter.leftOutCount != expected.leftOut {
                    Issue.record("chunks of \(size), by \(shift): \(CueScannerTests.describe(file))")
                }
            }
        }
    }

    @Test func whatComesAfterTheEndPassesThrough() throws {
        var shifter = CueShifter(byMilliseconds: 1000)
        var output: [UInt8] = []
        for text in ["WEBVTT\n\n00:01.000 --> 00:02.000\na\n", "\n00:03.000 --> 00:04.000\nb\n"] {
            try Array(text.utf8).withUnsafeBytes { try shifter.write($0) { output += $0.bytes } }
            shifter.finish { output += $0.bytes }
        }
        #expect(
            String(decoding: output, as: UTF8.self)
                == "WEBVTT\n\n00:02.000 --> 00:03.000\na\n\n00:03.000 --> 00:04.000\nb\n")
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func everyConformanceFile() throws {
        for (number, file) in try (WebVTTExpectation.files() + WebVTTExpectation.corpus()).enumerated() {
            let shift: Int64 = [-1400, 2000, -60_000][number % 3]
            var shifter = CueShifter(byMilliseconds: shift)
            var output: [UInt8] = []
            file.bytes.withUnsafeBytes { bytes in try? shifter.write(bytes) { output += $0.bytes } }
            shifter.finish { output += $0.bytes }
            let expected = file.cues.filter { NaiveShift.shifted($0.end, by: shift) > 0 }
            let cues = NaiveCues.cues(in: output) ?? []
            #expect(cues.map(\.end) == expected.map { NaiveShift.shifted($0.end, by: shift) }, "\(file)")
            #expect(cues.map(\.identifier) == expected.map(\.identifier), "\(file)")
            #expect(shifter.leftOutCount == file.cues.count - expected.count, "\(file)")
        }
    }
}
