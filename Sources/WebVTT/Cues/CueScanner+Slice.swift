import ByteScan
import CByteScan

// Scanning from anywhere.
//
// Every line with an arrow is attempted exactly once, whatever came before it, and whether it begins a block is to be seen
// from the two lines above it. So a file can be cut anywhere, and each slice scanned by itself:
//
//     a blank line above                                     a block begins here
//     an arrow, unless the line above is an identifier       a block begins here
//     anything else                                          this is a block of the slice before
extension CueScanner {
    /// Scans, of a whole file in memory, the blocks that begin in `range`, wherever they end.
    ///
    /// Ranges that follow each other give the events of the whole file, each exactly once; the header belongs to the range
    /// that begins at 0. Only two things depend on what is before the range, and are the caller's to say: whether a cue
    /// comes before it, behind which styles and regions no longer count, and how many line terminators do, for the numbers of lines.
    ///
    /// - Throws: ``CueLimitError`` when the range has been scanned, where a block exceeded the limits and their policy says so.
    public static func scan(
        _ range: Range<Int>, of file: UnsafeRawBufferPointer, isBehindCue: Bool, linesBefore: Int = 0,
        limits: CueLimits = CueLimits(), _ body: Handler
    ) throws(CueLimitError) {
        let view = unsafe ByteView(file)
        let range = range.clamped(to: 0..<view.count)
        guard !range.isEmpty else { return }
        var scanner = CueScanner(limits: limits)
        if range.lowerBound == 0 {
            scanner.scan(view, upTo: range.upperBound, body)
        } else {
            guard case .valid = WebVTTSignature(head: view, isWholeFile: true) else { return }
            scanner.hasSeenCue = isBehindCue
            scanner.countedLines = linesBefore
            guard let start = scanner.enter(view, at: range.lowerBound), start < range.upperBound else { return }
            let carry = BlockCarry(behind: 0, ASCII.lineFeed)
            scanner.scanBlocks(view, from: start, carry, upTo: range.upperBound, body)
            if scanner.blockStart < range.upperBound { scanner.retain(view) }
        }
        if scanner.position == view.count { scanner.end(upTo: range.upperBound - view.count, body) }
        try scanner.throwOwedError()
    }

    /// Makes the scanner one that has come to the first line at or behind `offset`, and tells where it goes on.
    private mutating func enter(_ file: ByteView, at offset: Int) -> Int? {
        // A line that begins at `offset` begins behind the terminator that ends just before it.
        guard let endAbove = file.firstLineEnd(from: offset &- 1) else { return nil }
        let start = file.offsetBehindLineEnd(at: endAbove)
        if endAbove >= offset { countedLines &+= 1 }
        signature = .valid(byteCount: 0)
        blockStart = start
        lineStart = start
        let above = file.lineAbove(start)
        guard !above.isEmpty else {
            phase = .block
            return start
        }
        phase = .foreign
        let end = file.firstLineEnd(from: start) ?? file.count
        let isIdentified = above.lowerBound > 0 && file.lineAbove(above.lowerBound).isEmpty && !file.hasArrow(in: above)
        guard isIdentified, file.hasArrow(in: start..<end) else { return start }
        countedLines &+= 1
        blockStart = file.offsetBehindLineEnd(at: end)
        return blockStart
    }
}

extension ByteView {
    /// The line that ends before the line at `start`, which is above 0, without its terminator.
    fileprivate func lineAbove(_ start: Int) -> Range<Int> {
        let end = self[0..<start].withoutLineEnd.count
        return (lastLineEnd(in: 0..<end).map { $0 &+ 1 } ?? 0)..<end
    }

    fileprivate func hasArrow(in range: Range<Int>) -> Bool { self[range].lastArrow(before: range.count) != nil }
}
