import ByteScan

/// A text written to a rewriter up to some byte, where its source breaks off.
///
/// 1. What is handed out at the end is what was held, and as it was received. 2. What was handed out before is how the output of the
/// whole text begins. 3. What comes after is not edited, and nothing is appended. 4. If the rewriter had settled, the rest of the whole
/// is the rest of the text.
public enum AbandonRun {
    /// What is wrong if `text` breaks off at `end`, in words; `whole` is what all of it becomes.
    public static func faults<Rewriter: StreamRewriter & ~Copyable>(
        of rewriter: inout Rewriter, on text: [UInt8], breakingOffAt end: Int, split: [Range<Int>], whole: [UInt8]
    ) -> [String] {
        rewriter.reset()
        var written: [UInt8] = []
        for range in split where range.lowerBound < end {
            text[range.clamped(to: 0..<end)].withUnsafeBytes { chunk in
                try? rewriter.write(chunk) { written += $0.bytes }
            }
        }
        let (held, isSettled) = (rewriter.heldBytes, rewriter.isSettled)
        var rest: [UInt8] = []
        rewriter.abandon { rest += $0.bytes }
        var after: [UInt8] = []
        text.withUnsafeBytes { chunk in try? rewriter.write(chunk) { after += $0.bytes } }
        rewriter.finish { after += $0.bytes }
        if isSettled, whole != written + text[end...] { return ["not settled at \(end)"] }
        return faults(written, held, rest, after, of: text, breakingOffAt: end, whole)
    }

    private static func faults(
        _ written: [UInt8], _ held: Int, _ rest: [UInt8], _ after: [UInt8], of text: [UInt8], breakingOffAt end: Int,
        _ whole: [UInt8]
    ) -> [String] {
        var faults: [String] = []
        if rest != Array(text[(end - held)..<end]) { faults.append("abandoned at \(end): not what was held (\(held))") }
        if !whole.starts(with: written) {
            faults.append("abandoned at \(end): what went out before is not as in the whole")
        }
        if after != text { faults.append("abandoned at \(end): what comes after is edited") }
        return faults
    }
}
