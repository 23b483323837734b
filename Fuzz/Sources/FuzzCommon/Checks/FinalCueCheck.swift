import Support
import WebVTT

/// The final cue's end, found from the tail in blocks of any size, is that of the last cue found forward, and the latest end of
/// what has been read is that of the cues in it.
enum FinalCueCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let file = input.text
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let naive = NaiveTimings.cues(in: file)
        let timings = timings(of: guarded.leadingBuffer, input.choices.split(of: file.count))
        faults.expect(timings.map(\.start.milliseconds), is: (naive ?? []).map(\.start), "starts")
        faults.expect(timings.map(\.end.milliseconds), is: (naive ?? []).map(\.end), "ends")
        for timing in timings {
            let isLineStart = timing.position > 0 && [0x0A, 0x0D].contains(file[timing.position - 1])
            faults.expect(isLineStart, "no line begins at \(timing.position)")
        }
        let final = timings.last?.end
        for buffer in [guarded.buffer, guarded.leadingBuffer] {
            faults.expect(finalCueEnd(in: buffer), is: final, "the final cue")
            faults.expect(latestCueEnd(in: buffer), is: timings.map(\.end).max(), "the latest cue")
        }
        checkSignature(guarded.buffer, isValid: naive != nil, &input.choices, &faults)
        // The search does not look at the signature, but leaves the first line out.
        let expected = naive == nil ? naiveEnd(afterAnySignature: file) : final
        let answer = expected.map { FinalCueSearch.Answer.found($0) } ?? .noCue
        for kind in [0, 1, 2] {
            let blocks = kind == 0 ? [1] : kind == 1 ? [input.choices.number(upTo: 255)] : [7, 0, 64, 1, 130]
            let buffer = kind == 1 ? guarded.leadingBuffer : guarded.buffer
            faults.expect(search(buffer, blocks), is: answer, "blocks of \(blocks)")
            let budget = input.choices.number(upTo: 600)
            let limited = search(buffer, blocks, byteBudget: budget)
            faults.expect(
                limited == answer || limited == .undecided && budget < file.count,
                "\(limited) with a budget of \(budget), not \(answer)")
            faults.expect(search(buffer, [.max], byteBudget: budget), is: limited, "a budget of \(budget), one block")
            checkLatest(buffer, blocks, byteBudget: budget % 2 == 1 ? budget : .max, &input.choices, &faults)
        }
    }

    /// A search for the latest end too gives the same answer, and after a block what the bytes so far say.
    ///
    /// The naive form reads those bytes anew, so at most 20 blocks are followed by it.
    private static func checkLatest(
        _ file: UnsafeRawBufferPointer, _ sizes: [Int], byteBudget: Int, _ choices: inout Choices,
        _ faults: inout Faults
    ) {
        let stride = file.count / 20 + 1
        var next = choices.number(upTo: stride)
        var search = LatestEndSearch(byteBudget: byteBudget)
        var plain = FinalCueSearch(byteBudget: byteBudget)
        var end = file.count
        for number in 0... {
            let size = max(sizes[number % sizes.count], number % sizes.count == 0 ? 1 : 0)
            let start = max(0, end - min(size, end))
            let block = UnsafeRawBufferPointer(rebasing: file[start..<end])
            search.prepend(block, startsFile: start == 0)
            plain.prepend(block, startsFile: start == 0)
            end = start
            faults.expect(search.answer, is: plain.answer, "the answer, with the latest end, of \(file.count - start)")
            if file.count - start >= next || start == 0 {
                next = file.count - start + stride
                let tail = NaiveTimings.latestEnd(
                    inTail: Array(file[max(start, file.count - min(byteBudget, file.count))...]))
                faults.expect(
                    search.latestEnd?.milliseconds, is: tail,
                    "the latest end of \(file.count - start) bytes, a budget of \(byteBudget)")
            }
            if start == 0 { break }
        }
        // Nothing comes before the file's first byte.
        let latest = search.latestEnd
        search.prepend(file, startsFile: true)
        faults.expect(search.latestEnd, is: latest, "the latest end after the whole file")
    }

    private static func timings(of file: UnsafeRawBufferPointer, _ split: [Range<Int>]) -> [CueTiming] {
        var timings: [CueTiming] = []
        var scanner = CueTimingScanner()
        for range in split { scanner.scan(UnsafeRawBufferPointer(rebasing: file[range])) { timings.append($0) } }
        scanner.finish { timings.append($0) }
        return timings
    }

    private static func search(
        _ file: UnsafeRawBufferPointer, _ sizes: [Int], byteBudget: Int = .max
    ) -> FinalCueSearch.Answer {
        var search = FinalCueSearch(byteBudget: byteBudget)
        var end = file.count
        var number = 0
        repeat {
            let size = max(sizes[number % sizes.count], number % sizes.count == 0 ? 1 : 0)
            number += 1
            let start = max(0, end - min(size, end))
            search.prepend(UnsafeRawBufferPointer(rebasing: file[start..<end]), startsFile: start == 0)
            end = start
        } while search.answer == .needsEarlierBytes && end > 0
        return search.answer
    }

    /// The answer for the same file with a signature on its first line.
    private static func naiveEnd(afterAnySignature file: [UInt8]) -> Timestamp? {
        let rest = file.drop { $0 != 0x0A && $0 != 0x0D }
        return NaiveTimings.cues(in: Array("WEBVTT".utf8) + rest)?.last.map { Timestamp(milliseconds: $0.end) }
    }

    /// A signature is known once enough is there, and then stays what it is.
    private static func checkSignature(
        _ file: UnsafeRawBufferPointer, isValid: Bool, _ choices: inout Choices, _ faults: inout Faults
    ) {
        let whole = WebVTTSignature(head: file, isWholeFile: true)
        let hasSignature = if case .valid = whole { true } else { false }
        faults.expect(hasSignature, is: isValid, "the signature")
        let head = UnsafeRawBufferPointer(
            rebasing: file.prefix(choices.number(upTo: WebVTTSignature.decidingByteCount)))
        let partial = WebVTTSignature(head: head, isWholeFile: false)
        let isOpen = partial == .needsMoreBytes && head.count < WebVTTSignature.decidingByteCount
        faults.expect(partial == whole || isOpen, "the signature of \(head.count) bytes: \(partial), not \(whole)")
    }
}
