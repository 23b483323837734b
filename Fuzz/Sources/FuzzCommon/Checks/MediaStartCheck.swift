import Sideload
import Support

/// 1. The first time stamp is the naive form's.  2. Any split gives what the whole gives.  3. What is decided stays, and is as
/// soon known at any split as the chunks allow.  4. A scanner that is reset in the middle of another segment is as new.
enum MediaStartCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        // A segment in so few bytes is three packets; most inputs are recipes of larger ones.
        let isRecipe = input.choices.flag()
        let isLimited = input.choices.oneIn(4)
        let limitChoice = input.choices.number(upTo: 16_383)
        let streamLimit = input.choices.number(upTo: 4)
        let segment = isRecipe ? MediaRecipe.segment(input.text) : input.text
        var limits = MediaStartScanner.Limits()
        if isLimited {
            // Any number of bytes, or as many as settle the answer, or one or two fewer.
            let isAny = limitChoice < 8_192
            let bytes = isAny ? limitChoice : decidingCount(segment, streamLimit) - limitChoice % 3
            limits = MediaStartScanner.Limits(bytes: max(0, bytes), streams: streamLimit)
        }
        let naive = NaiveMediaStart.answer(for: segment, byteLimit: limits.bytes, streamLimit: limits.streams)

        let window = GuardedWindow(capacity: segment.count)
        var scanner = MediaStartScanner(limits: limits)
        var early: [Int?] = []
        for (number, split) in splits(of: segment.count, &input.choices).enumerated() {
            segment.prefix(segment.count / 2).withUnsafeBytes { _ = scanner.write($0) }
            scanner.reset()
            var decided: (answer: MediaStartScanner.Answer, end: Int)?
            for range in split {
                window.with(segment[range], isLeading: number % 2 == 1) { chunk in
                    let answer = scanner.write(chunk)
                    if let decided { faults.expect(answer, is: decided.answer, "law 3, \(Faults.words(split))") }
                    if decided == nil, answer != .needsMoreBytes { decided = (answer, range.upperBound) }
                }
            }
            let answer = scanner.finish()
            if let decided { faults.expect(answer, is: decided.answer, "law 3 at the end, \(Faults.words(split))") }
            faults.expect(word(answer), is: naive, "law 1 or 2, \(Faults.words(split))")
            early.append(decided?.end)
        }
        // The first split is a byte at a time: no other can know the answer sooner, or only at the end.
        for end in early {
            let isLater = (end ?? .max) >= (early[0] ?? .max)
            faults.expect(isLater && (end == nil) == (early[0] == nil), "law 3: decided at \(early)")
        }
    }

    /// How many bytes of `segment` settle the answer; all if the end does.
    private static func decidingCount(_ segment: [UInt8], _ streamLimit: Int) -> Int {
        var scanner = MediaStartScanner(limits: MediaStartScanner.Limits(streams: streamLimit))
        return segment.indices.first { index in
            segment[index...index].withUnsafeBytes { scanner.write($0) } != .needsMoreBytes
        }.map { $0 + 1 } ?? segment.count
    }

    private static func splits(of count: Int, _ choices: inout Choices) -> [[Range<Int>]] {
        [Splits.even(of: count, size: 1), [0..<count], choices.split(of: count), choices.split(of: count)]
    }

    private static func word(_ answer: MediaStartScanner.Answer) -> NaiveMediaStart.Answer {
        switch answer {
        case .found(let ticks): .found(ticks)
        case .needsMoreBytes: .refused("needsMoreBytes")
        case .unsupported(.notMedia): .refused("notMedia")
        case .unsupported(.encrypted): .refused("encrypted")
        case .unsupported(.noTimestamp): .refused("noTimestamp")
        case .unsupported(.tooLong): .refused("tooLong")
        case .unsupported(.noInitSegment): .refused("noInitSegment")
        case .unsupported(.malformed): .refused("malformed")
        case .unsupported(.tooManyStreams): .refused("tooManyStreams")
        case .unsupported(.unsynchronisedTag): .refused("unsynchronisedTag")
        case .unsupported: .refused("another reason")
        }
    }
}
