import M3U8
import Support

/// A text scanned chunk by chunk, each against a page that cannot be read, and what came of it.
public struct LineRun {
    /// The lines.
    public private(set) var lines: [ScannedLine] = []
    /// What ended the scan early.
    public private(set) var error: LimitError?
    /// What was wrong on the way, in words.
    public private(set) var faults: [String] = []

    /// Scans `text` in `split`.
    public init(
        of scanner: inout LineScanner, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow, isLeading: Bool
    ) {
        do throws(LimitError) {
            for range in split {
                try window.with(text[range], isLeading: isLeading) { (chunk) throws(LimitError) in
                    try scanner.scan(chunk) { lines.append(ScannedLine($0)) }
                }
            }
            try scanner.finish { lines.append(ScannedLine($0)) }
        } catch {
            self.error = error
            return
        }
        let position = scanner.position
        if position != text.count { faults.append("\(position) bytes were counted of \(text.count)") }
    }
}
