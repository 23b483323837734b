import Support
import Testing
import WebVTT

/// Cues that are shifted many at a time, up to one line that is not as they are, and after it.
@Suite struct CueShifterRunTests {
    private static let timings = [
        "00:00:01.000 --> 00:00:02.000", "00:00:01.000 --> 00:00:02.000 line:0", "00:01.000 --> 00:02.000",
        "100:00:01.000 --> 100:00:02.000", "99:59:59.999 --> 99:59:59.999", "00:60:01.000 --> 00:00:02.000",
        "00:00:01.000 --> 00:00:02.0000", "00:00:01.000-->00:00:02.000", "00:00:01.000 --> 00:00:02.000 -->",
        "00:00:01.000 --> 00:00:02.000 <00:00:01.500> -->", "00:00:01.000 -->", "--> 00:00:01.000", "-->",
        " 00:00:01.000 --> 00:00:02.000", "00:00:01.000 --> 00:00:00.500", "00:00:00.000 --> 00:00:00.000",
    ]
    private static let texts = [
        "text", "<00:00:01.500>text", "a<00:00:01.500>b<01:00.500>", "<v A1>text", "<.500>", ".500>", "a --> b", "<1>",
        "NOTE <00:00:01.500>", "", "\n<00:00:01.500>", "\nNOTE\n<00:00:01.500>", "\nid", "\nid\nmore",
        String(repeating: "long ", count: 30),
    ]

    private static func file(_ lines: String, _ end: String) -> [UInt8] {
        let cues = "7\n00:01:00.000 --> 00:01:02.500\nText,\nof two lines.\n\n00:01:03.000 --> 00:01:04.000\nText\n\n"
        return Array("WEBVTT\n\n\(cues)\(lines)\n\n\(cues)\(lines)\n\(cues)".replacing("\n", with: end).utf8)
    }

    @Test(arguments: [1, -1400, -62_500, 3_600_000, 360_000_000, .max])
    func areWhatTheNaiveFormMakes(_ shift: Int64) {
        for end in ["\n", "\r\n", "\r"] {
            for timing in Self.timings {
                for text in Self.texts {
                    check(Self.file("\(timing)\n\(text)", end), shift)
                }
                check(Self.file("name\n\(timing)\ntext", end), shift)
            }
        }
    }

    /// The output is handed out some at a time, and lines that are longer than that are never put together.
    @Test(arguments: ["\n", "\r\n"])
    func manyCuesAndLongLines(_ end: String) {
        let note = "NOTE\n" + String(repeating: "a long line ", count: 3000) + "\n\n"
        var lines = ""
        for number in 0..<600 {
            lines += "\(number)\n00:00:01.000 --> 00:00:02.000\nText\n\n" + (number % 200 == 7 ? note : "")
        }
        check(Self.file(lines, end), 1400)
    }

    /// Cues are handed out together, as many as 16 KiB have; what is longer stays where it is in the chunk.
    @Test func piecesOfTheOutput() throws {
        let cue = "00:00:01.000 --> 00:00:02.000\nText\n\n"
        let note = "NOTE\n" + String(repeating: "x", count: 20_000) + "\n\n"
        let file = Array(("WEBVTT\n\n" + String(repeating: cue, count: 1000) + note + cue + cue).utf8)
        var shifter = CueShifter(byMilliseconds: 1)
        var own: [Int] = []
        var forwarded: [Int] = []
        try file.withUnsafeBytes { file in
            try shifter.write(file) { slice in
                if case .chunk = slice.source { forwarded.append(slice.count) } else { own.append(slice.count) }
            }
        }
        // 455 cues of 36 bytes are 16 380; the first has no text before it but a blank line. All end with times.
        #expect(own == [1 + 29 + 454 * 36, 16_380, 90 * 36, 29 + 36])
        // The signature's line, the text before the note with it, and the last text.
        #expect(forwarded == [7, 7 + 20_007, 7])
        // So it is with a cue that a chunk begins with.
        (own, forwarded) = ([], [])
        shifter.reset()
        for text in ["WEBVTT\n\n", cue] {
            try Array(text.utf8).withUnsafeBytes { chunk in
                try shifter.write(chunk) { slice in
                    if case .chunk = slice.source { forwarded.append(slice.count) } else { own.append(slice.count) }
                }
            }
        }
        #expect(own == [29] && forwarded == [8, 7])
    }

    /// A line that is too long is found where it is, whatever is before it.
    @Test(arguments: [40, 80, 200])
    func longLinesEndTheShifting(_ longest: Int) {
        for count in [longest - 1, longest, longest + 1] {
            let file = Self.file("NOTE\n" + String(repeating: "x", count: count), "\n")
            let whole = output(file, 1400, inChunksOf: file.count, longestLine: longest)
            #expect(whole == output(file, 1400, inChunksOf: 1, longestLine: longest))
            #expect((whole.error == nil) == (count <= longest))
        }
    }

    private struct Answer: Equatable {
        var bytes: [UInt8] = []
        var leftOut = 0
        var error: CueShiftError?
    }

    private func check(_ file: [UInt8], _ shift: Int64) {
        let naive = NaiveShift.rewrite(file, by: shift)
        for size in [file.count, 100] {
            let answer = output(file, shift, inChunksOf: size)
            let text = String(decoding: file.prefix(1000), as: UTF8.self).debugDescription
            #expect(answer.bytes == naive.bytes, "by \(shift) in chunks of \(size): \(text)")
            #expect(answer.leftOut == naive.leftOut)
        }
    }

    private func output(_ file: [UInt8], _ shift: Int64, inChunksOf size: Int, longestLine: Int = 1 << 20) -> Answer {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        var shifter = CueShifter(byMilliseconds: shift, longestLine: longestLine)
        var answer = Answer()
        do throws(CueShiftError) {
            for start in stride(from: 0, to: file.count, by: size) {
                let chunk = UnsafeRawBufferPointer(rebasing: guarded.buffer[start..<min(start + size, file.count)])
                try shifter.write(chunk) { answer.bytes += $0.bytes }
            }
        } catch {
            answer.error = error
        }
        shifter.finish { answer.bytes += $0.bytes }
        answer.leftOut = shifter.leftOutCount
        return answer
    }
}
