import Support
import WebVTT

/// SubRip becomes the WebVTT that the naive form makes of it, or is refused at its first byte that is not UTF-8.
enum SubRipCheck {
    private struct Answer: Equatable {
        var output: [UInt8] = []
        var error: TranscodingError?
        var cueCount = 0
        var brokenArrowCount = 0
        var firstBrokenArrow: Int?
    }

    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let file = input.text
        let limit = input.choices.limit(orDefault: 64 << 10)
        let limits = SubRipLimits(longestLine: limit, policy: input.choices.flag() ? .fail : .breakLine)
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        var transcoder = SubRipTranscoder(limits: limits)
        // A transcoder that is reset in the middle of its work is as new.
        try? transcoder.write(UnsafeRawBufferPointer(rebasing: guarded.buffer.prefix(file.count / 2))) { _ in }
        var whole: Answer?
        for (number, split) in input.splits().enumerated() {
            transcoder.reset()
            let buffer = number % 2 == 1 ? guarded.leadingBuffer : guarded.buffer
            let answer = answer(to: buffer, split, by: &transcoder)
            if let whole { faults.expect(answer, is: whole, "\(Faults.words(split))") }
            whole = whole ?? answer
        }
        guard let whole else { return }
        if let error = whole.error { return check(error, whole.output, file, limits, &faults) }
        faults.expect(validPrefix(of: file), is: file.count, "UTF-8 up to")
        faults.expect((whole.firstBrokenArrow == nil) == (whole.brokenArrowCount == 0), "the first of those left out")
        // Everything is a cue of the output, and the output is WebVTT.
        let ends = NaiveTimings.cues(in: whole.output)
        faults.expect(ends?.count, is: whole.cueCount, "cues in \(String(decoding: whole.output, as: UTF8.self))")
        faults.expect(
            whole.output.withUnsafeBytes { finalCueEnd(in: $0)?.milliseconds }, is: ends?.last?.end, "the final cue")
        let longest = file.split(omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }.map(\.count).max()
        // The naive form is slow, and has no limits.
        if (longest ?? 0) <= limits.longestLine, file.count <= 4096, !input.choices.oneIn(3) {
            faults.expect(whole.output, is: NaiveSubRip.transcode(file), "transcoded")
        }
    }

    private static func answer(
        to file: UnsafeRawBufferPointer, _ split: [Range<Int>], by transcoder: inout SubRipTranscoder
    ) -> Answer {
        var answer = Answer()
        do throws(TranscodingError) {
            for range in split {
                try transcoder.write(UnsafeRawBufferPointer(rebasing: file[range])) { answer.output += $0 }
            }
            try transcoder.finish { answer.output += $0 }
        } catch {
            answer.error = error
        }
        answer.cueCount = transcoder.cueCount
        answer.brokenArrowCount = transcoder.brokenArrowCount
        answer.firstBrokenArrow = transcoder.firstBrokenArrow
        return answer
    }

    private static func check(
        _ error: TranscodingError, _ output: [UInt8], _ file: [UInt8], _ limits: SubRipLimits, _ faults: inout Faults
    ) {
        switch error.reason {
        case .encoding(.eightBit):
            faults.expect(error.position, is: validPrefix(of: file), "the first byte that is not UTF-8")
        case .encoding:
            faults.expect(error.position < 2 && output.isEmpty, "\(error) after the first bytes of the file")
        case .lineTooLong(let limit):
            faults.expect(limit, is: limits.longestLine, "the limit")
            faults.expect(limits.policy == .fail, "\(error), where lines are broken")
            let line = file.dropFirst(error.position).prefix { $0 != 0x0A && $0 != 0x0D }
            let isStart = error.position == 0 || [0x0A, 0x0D].contains(file[error.position - 1])
            let isMark = error.position == 3 && file.starts(with: [0xEF, 0xBB, 0xBF])
            faults.expect(line.count > limit && (isStart || isMark), "\(error), but the line has \(line.count) bytes")
        }
    }

    /// How many bytes of `file` are UTF-8, says the standard library.
    private static func validPrefix(of file: [UInt8]) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = file.makeIterator()
        var count = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
        return count
    }
}
