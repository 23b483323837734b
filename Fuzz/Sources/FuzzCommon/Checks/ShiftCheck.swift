import ByteScan
import Support
import WebVTT

/// The times of a file are shifted.
///
/// 1. Any split gives what the naive form gives, and as many cues are left out.  2. The cues of the output are those of the input,
/// shifted; notes stay, and so do styles and regions unless the first cue is left out.  3. A shift of 0 changes nothing.  4. A line
/// that is too long is refused where it begins; what is before it is shifted, and nothing of the rest is handed out.
enum ShiftCheck {
    private static let shifts: [Int64] = [
        -1400, 2000, 1, -1, -60_000, 3_600_000, -3_600_000, 3_599_999, 0, .max, .min, -4_444_444_404_000_000,
    ]

    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let limit = input.choices.limit(orDefault: 1 << 20)
        let shift =
            input.choices.flag()
            ? input.choices.pick(shifts) : Int64(input.choices.number(upTo: 65_535)) - 32_768
        let file = input.text
        let long = shift == 0 ? nil : firstLine(of: file, longerThan: limit)
        let naive = NaiveShift.rewrite(Array(file[..<(long ?? file.count)]), by: shift)
        let window = GuardedWindow(capacity: file.count)
        var shifter = CueShifter(byMilliseconds: shift, longestLine: limit)
        // A shifter that is reset in the middle of its work is as new.
        file.prefix(file.count / 2).withUnsafeBytes { chunk in try? shifter.write(chunk) { _ in } }
        for (number, split) in input.splits().enumerated() {
            shifter.reset()
            var log = SliceLog()
            var hasFailed = false
            let failure = log.collect(file, split, in: window, isLeading: number % 2 == 1) {
                (chunk, body) throws(CueShiftError) in
                if hasFailed { return }
                hasFailed = true
                try shifter.write(chunk, body)
                hasFailed = false
            } finish: { body in
                shifter.finish(body)
            }
            faults.expect(failure?.position, is: long, "the line that is too long, \(Faults.words(split))")
            faults.add(log.faults, in: split)
            faults.expect(log.bytes, is: naive.bytes, "\(Faults.words(split))")
            faults.expect(shifter.leftOutCount, is: naive.leftOut, "cues left out, \(Faults.words(split))")
        }
        guard long == nil else { return }
        OutputCheck.run(&shifter, &input, expected: naive.bytes, &faults)
        checkMeaning(of: naive.bytes, file, shift, &faults)
        if shift == 0 { faults.expect(naive.bytes, is: file, "a shift of 0") }
    }

    /// The cues and the other blocks of the output, by the naive parsers.
    private static func checkMeaning(
        of output: [UInt8], _ file: [UInt8], _ shift: Int64, _ faults: inout Faults
    ) {
        guard shift != 0, let cues = NaiveCues.cues(in: file) else { return }
        let expected = cues.compactMap { cue -> NaiveCues.Cue? in
            let end = NaiveShift.shifted(cue.end, by: shift)
            guard end > 0 else { return nil }
            let text = NaiveShift.cueText(Array(cue.text.utf8), by: shift)
            return NaiveCues.Cue(
                cue.identifier, max(0, NaiveShift.shifted(cue.start, by: shift)), end,
                String(decoding: text, as: UTF8.self), cue.settings)
        }
        faults.expect(NaiveCues.cues(in: output), is: expected, "the cues of the output")
        let isFirstLeftOut = cues.first.map { NaiveShift.shifted($0.end, by: shift) <= 0 } ?? false
        let kinds = isFirstLeftOut ? ["note", "header"] : ["note", "header", "style", "region"]
        let blocks = [file, output].map { (NaiveWebVTT.blocks(of: $0) ?? []).filter { kinds.contains($0.kind) } }
        faults.expect(blocks[1].map(\.text), is: blocks[0].map(\.text), "notes, styles and regions")
    }

    /// Where the first line after the signature's begins that has more than `limit` bytes; nil if there is none.
    private static func firstLine(of file: [UInt8], longerThan limit: Int) -> Int? {
        guard NaiveWebVTT.blocks(of: file) != nil else { return nil }
        let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        var start = file.firstIndex(where: isEnd) ?? file.count
        while start < file.count {
            let end = file[start...].firstIndex(where: isEnd) ?? file.count
            if end - start > limit { return start }
            start = end + 1
        }
        return nil
    }
}
