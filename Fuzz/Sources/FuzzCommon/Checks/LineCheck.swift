import Drivers
import M3U8
import Support

/// `LineScanner` hands out the lines that the naive playlist has, wherever the text is cut, as far as limits allow.
enum LineCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let longest = input.choices.lineLimit(for: input.text)
        let fails = input.choices.flag()
        let limits = LineLimits(longestLine: longest, policy: fails ? .fail : .passThrough)
        let text = input.text
        var expected = ScannedLine.expected(of: text, longest: longest)
        let refused = fails ? expected.firstIndex(where: \.isTruncated) : nil
        let error = refused.map { expected[$0].position }
        if let refused { expected.removeSubrange(refused...) }
        let window = GuardedWindow(capacity: text.count)
        var scanner = LineScanner(limits: limits)
        // A scanner that is reset in the middle of its work is as new.
        text.prefix(text.count / 2).withUnsafeBytes { try? scanner.scan($0) { _ in } }
        for (number, split) in input.splits().enumerated() {
            scanner.reset()
            let run = LineRun(of: &scanner, on: text, split: split, in: window, isLeading: number % 2 == 1)
            faults.add(run.faults, in: split)
            faults.expect(run.lines, is: expected, "\(Faults.words(split))")
            faults.expect(run.error?.position, is: error, "the error, \(Faults.words(split))")
            if let error = run.error { faults.expect(error.bytes, is: longest, "the limit") }
        }
    }
}
