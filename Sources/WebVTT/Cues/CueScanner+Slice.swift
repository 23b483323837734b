import ByteScan
import CByteScan

// Scanning from anywhere.
//
// Every line with an arrow is attempted exactly once, whatever came before it, and whether it begins a block is to be
// seen from the two lines above it. So a file can be cut anywhere, and each slice scanned by itself:
//
//     a blank line above                                     a block begins here
//     an arrow, unless the line above is an identifier       a block begins here
//     anything else                                          this is a block of the slice before
extension CueScanner {
    /// A part of a whole file in memory, and what only those who scanned the part before it know.
    public struct Slice: Equatable, Sendable {
        /// Where the slice is in the file.
        public let range: Range<Int>
        /// Whether a cue comes before the slice: styles and regions no longer count after one.
        public let isAfterCue: Bool
        /// How many line terminators come before the slice, for the numbers of lines.
        public let linesBefore: Int

        /// The slice of a file that is at `range`.
        public init(_ range: Range<Int>, isAfterCue: Bool, linesBefore: Int = 0) {
            self.range = range
            self.isAfterCue = isAfterCue
            self.linesBefore = linesBefore
        }
    }

    /// Scans the blocks that begin in `slice`, wherever they end.
    ///
    /// Slices that follow each other give the events of the whole file, each exactly once; the header belongs to the
    /// slice that begins at 0. The part of a slice's range that is not in the file is left out.
    ///
    /// - Throws: ``CueLimitError`` when the slice has been scanned, if a block exceeded the limits and their policy
    ///   says so.
    public static func scan(
        _ slice: Slice, of file: UnsafeRawBufferPointer, limits: CueLimits = CueLimits(), _ body: Handler
    ) throws(CueLimitError) {
        let view = unsafe ByteView(file)
        let range = slice.range.clamped(to: 0..<view.count)
        guard !range.isEmpty else { return }
        var scanner = CueScanner(limits: limits, sliceEnd: range.upperBound)
        if range.lowerBound == 0 {
            scanner.scan(view, body)
        } else {
            let signature = WebVTTSignature(head: view, isWholeFile: true)
            guard case .valid = signature else { return }
            scanner.document.signature = SignatureReader(passing: signature)
            scanner.document.hasSeenCue = slice.isAfterCue
            scanner.document.lines.count = slice.linesBefore
            guard let start = scanner.enter(view, at: range.lowerBound), start < range.upperBound else { return }
            scanner.scanBlocks(view, from: start, BlockCarry(after: 0, ASCII.lineFeed), body)
            if !scanner.isPastSlice { scanner.endChunk(view) }
        }
        if scanner.position == view.count { scanner.end(body) }
        try scanner.throwOwedError()
    }

    /// Makes the scanner one that has come to the first line at or after `offset`.
    ///
    /// - Returns: Where it goes on; nil if no line begins there or later.
    private mutating func enter(_ file: ByteView, at offset: Int) -> Int? {
        // A line that begins at `offset` begins after the terminator that ends just before it.
        // One that ends after the slice does leaves no line to begin here, and others look for its end.
        let endOfSlice = sliceEnd ?? file.count
        guard let endAbove = file.prefix(upTo: endOfSlice).firstLineEnd(from: offset &- 1) else { return nil }
        let start = file.offsetAfterLineEnd(at: endAbove)
        if endAbove >= offset { document.lines.count &+= 1 }
        document.line.start = start
        document.block.begin(at: start)
        guard !file.hasBlankLine(above: start) else { return start }
        document.block.content = .fromEarlierSlice
        // The line above may have begun far from here: it is read only where it may be the identifier of a cue.
        let end = file.firstLineEnd(from: start) ?? file.count
        guard file.hasArrow(in: start..<end) else { return start }
        let above = file.lineAbove(start)
        guard file.hasBlankLine(above: above.lowerBound), !file.hasArrow(in: above) else { return start }
        document.lines.count &+= 1
        document.block.start = file.offsetAfterLineEnd(at: end)
        return document.block.start
    }

    /// Whether no line of the slice is known that begins a block, and none can come: all of the slice is the block of
    /// an earlier one.
    ///
    /// `offset` is how far the chunk has been scanned. The line that begins last in the slice may end after it.
    func isInsideEarlierBlock(at offset: Int, of chunk: ByteView) -> Bool {
        guard let sliceEnd, document.block.content == .fromEarlierSlice else { return false }
        let stop = sliceEnd &- document.position
        guard offset >= stop else { return false }
        let end = chunk.firstLineEnd(from: max(stop &- 1, 0)) ?? chunk.count
        return end <= offset || !chunk.hasArrow(in: max(offset &- 2, 0)..<end)
    }
}

extension ByteView {
    /// The line that ends before the line at `start`, which is above 0, without its terminator.
    fileprivate func lineAbove(_ start: Int) -> Range<Int> {
        let end = self[0..<start].withoutLineEnd.count
        return (lastLineEnd(in: 0..<end).map { $0 &+ 1 } ?? 0)..<end
    }

    /// Whether the line above the one at `start` is there and blank.
    fileprivate func hasBlankLine(above start: Int) -> Bool {
        guard start > 0 else { return false }
        let above = self[0..<start].withoutLineEnd
        return above.last.map(ASCII.isLineEnd) ?? true
    }

    fileprivate func hasArrow(in range: Range<Int>) -> Bool { self[range].lastArrow(before: range.count) != nil }
}
