import Sideload
import Support
import Testing

/// A segment and what its first time stamp is, checked at every split, and by the naive form.
struct MediaStartCase: Sendable, CustomTestStringConvertible {
    let segment: [UInt8]
    let answer: MediaStartScanner.Answer
    let reason: String
    let limits: MediaStartScanner.Limits

    init(
        _ reason: String, _ segment: [UInt8], _ answer: MediaStartScanner.Answer,
        limits: MediaStartScanner.Limits = .init()
    ) {
        self.segment = segment
        self.answer = answer
        self.reason = reason
        self.limits = limits
    }

    var testDescription: String { reason }

    /// Checks the case. Of a long segment only some splits are tried unless long sweeps are asked for.
    func check() {
        #expect(Self.naive(segment, limits) == Self.word(answer), "naive: \(reason)")
        let window = GuardedWindow(capacity: segment.count)
        var scanner = MediaStartScanner(limits: limits)
        for (number, split) in splits.enumerated() {
            let found = Self.scan(segment, split, in: window, isLeading: number % 2 == 1, &scanner)
            guard found != answer else { continue }
            Issue.record("\(reason): \(found), not \(answer), in chunks of \(split.prefix(4))")
            return
        }
    }

    private var splits: [[Range<Int>]] {
        if segment.count <= 800 { return Splits.all(of: segment.count) }
        let count = segment.count
        let cuts = Array(stride(from: 0, through: count, by: 61)) + (2_040...2_060).filter { $0 <= count }
        return cuts.map { [0..<$0, $0..<count] } + [1, 7, 188, 2_048].map { Splits.even(of: count, size: $0) }
            + Splits.random(of: count, times: 8)
    }

    /// The answer of a scanner that is reset first; it must not change once it is decided.
    static func scan(
        _ segment: [UInt8], _ split: [Range<Int>], in window: GuardedWindow, isLeading: Bool,
        _ scanner: inout MediaStartScanner
    ) -> MediaStartScanner.Answer {
        scanner.reset()
        var last = MediaStartScanner.Answer.needsMoreBytes
        for range in split {
            window.with(segment[range], isLeading: isLeading) { chunk in
                let answer = scanner.write(chunk)
                #expect(last == .needsMoreBytes || answer == last, "the answer changed")
                last = answer
            }
        }
        let answer = scanner.finish()
        #expect(answer != .needsMoreBytes)
        #expect(last == .needsMoreBytes || answer == last, "the answer changed at the end")
        return answer
    }

    /// The naive answer to the same question, in words.
    static func naive(_ segment: [UInt8], _ limits: MediaStartScanner.Limits) -> String {
        switch NaiveMediaStart.answer(for: segment, byteLimit: limits.bytes, streamLimit: limits.streams) {
        case .found(let ticks): "found(\(ticks))"
        case .refused(let word): word
        }
    }

    /// An answer in words.
    static func word(_ answer: MediaStartScanner.Answer) -> String {
        switch answer {
        case .found(let ticks): "found(\(ticks))"
        case .needsMoreBytes: "needsMoreBytes"
        case .unsupported(let error): words.first { $0.error == error }?.word ?? "?"
        }
    }

    private static let words: [(error: MediaStartError, word: String)] = [
        (.notMedia, "notMedia"), (.encrypted, "encrypted"), (.noTimestamp, "noTimestamp"), (.tooLong, "tooLong"),
        (.noInitSegment, "noInitSegment"), (.malformed, "malformed"), (.tooManyStreams, "tooManyStreams"),
        (.unsynchronisedTag, "unsynchronisedTag"),
    ]
}
