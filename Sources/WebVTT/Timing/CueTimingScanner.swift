import ByteScan

/// Scans a WebVTT file for the times of its cues and nothing else: chunks of any size in, times out, in the order of the file.
///
///     var scanner = CueTimingScanner()
///     scanner.scan(chunk) { timing in … timing.start, timing.end … }
///     scanner.finish { timing in … }
///
/// A line is a cue's timing line by its own form, whatever stands around it, so only lines with an arrow are looked at. That is
/// faster than scanning cues, and exact for lines of any length: a line that two chunks share is kept in 64 bytes.
public struct CueTimingScanner: Sendable {
    /// Takes the times of a cue.
    public typealias Handler = (CueTiming) -> Void

    /// What the next byte belongs to.
    private enum Phase {
        /// The signature, not yet known to be one.
        case signature
        /// A line that is not looked at: the signature's, or one whose times have been handed out.
        case restOfLine
        /// A line, perhaps its first byte.
        case line
        /// Nothing: the file was never WebVTT.
        case ended
    }

    private var phase = Phase.signature
    private var fileHead = FileHead()

    /// What has come of the line, and where it began.
    private var line = ShortenedText()
    private var linePosition = 0

    /// How many bytes have been scanned.
    public private(set) var position = 0

    /// What the first bytes say: nothing is handed out of a file without a signature.
    public private(set) var signature = WebVTTSignature.needsMoreBytes

    /// A scanner for one file.
    public init() {}

    /// Takes the next chunk, of any size, and hands out the times on the lines that are whole.
    public mutating func scan(_ chunk: UnsafeRawBufferPointer, _ body: Handler) {
        let view = unsafe ByteView(chunk)
        if let start = startOfWholeLines(in: view, body) { scanLines(view, from: start, body) }
        position &+= view.count
    }

    /// Ends the file: hands out the times on a last line without a terminator.
    public mutating func finish(_ body: Handler) {
        if phase == .signature { signature = fileHead.signatureOfWholeFile }
        if phase == .line { handOutLine(body) }
        phase = .ended
    }

    /// Goes on with the line that an earlier chunk began, and tells where the next one begins; nil where it is not in `chunk`.
    private mutating func startOfWholeLines(in chunk: ByteView, _ body: Handler) -> Int? {
        var start = 0
        if phase == .signature {
            let before = fileHead.count
            signature = fileHead.append(chunk)
            if signature == .invalid { phase = .ended }
            guard case .valid(let count) = signature else { return nil }
            phase = .restOfLine
            start = count &- before
        }
        guard phase != .ended else { return nil }
        guard let end = chunk.firstLineEnd(from: start) else {
            if phase == .line { line.append(chunk, from: start) }
            return nil
        }
        if phase == .line {
            line.append(chunk.prefix(upTo: end), from: start)
            handOutLine(body)
        }
        return end &+ 1
    }

    private func handOutLine(_ body: Handler) {
        guard let timing = line.timingLine else { return }
        body(CueTiming(start: timing.start, end: timing.end, position: linePosition))
    }

    /// Scans the lines that begin at `start` and behind, and keeps the beginning of the last one.
    private mutating func scanLines(_ chunk: ByteView, from start: Int, _ body: Handler) {
        // Times are handed out once a line, at the first of its arrows.
        var takenStart = -1
        var offset = start
        var hyphensBefore: UInt64 = 0
        while offset < chunk.count {
            let block = chunk.block(at: offset)
            let hyphens = block.equal(to: ASCII.hyphen).bits
            let greater = block.equal(to: ASCII.greaterThan).bits
            var arrows =
                greater & (hyphens &<< 1 | hyphensBefore &>> 63) & (hyphens &<< 2 | hyphensBefore &>> 62)
            hyphensBefore = hyphens
            while arrows != 0 {
                let arrow = offset &+ arrows.trailingZeroBitCount
                arrows &= arrows &- 1
                guard let line = timingLine(at: arrow, notBefore: start, in: chunk), line.start != takenStart else {
                    continue
                }
                takenStart = line.start
                body(CueTiming(start: line.timing.start, end: line.timing.end, position: position &+ line.start))
            }
            offset &+= ByteView.blockSize
        }
        phase = .line
        line = ShortenedText()
        let last = chunk.lastLineEnd(in: start..<chunk.count).map { $0 &+ 1 } ?? start
        linePosition = position &+ last
        if last == takenStart {
            phase = .restOfLine
        } else {
            line.append(chunk, from: last)
        }
    }

    /// The timing line with an arrow that ends at `arrow`, and where it begins; nil where it is none or is not whole.
    @inline(__always)
    private func timingLine(
        at arrow: Int, notBefore start: Int, in chunk: ByteView
    ) -> (timing: TimingLine, start: Int)? {
        // In the usual form the arrow is at a fixed distance from the start of its line.
        let usualStart = arrow &- 15
        if usualStart >= start, usualStart == start || ASCII.isLineEnd(chunk[usualStart &- 1]),
            let timing = TimingLine(usual: chunk, at: usualStart)
        {
            return (timing, usualStart)
        }
        return unusualTimingLine(at: arrow, notBefore: start, in: chunk)
    }

    @inline(never)
    private func unusualTimingLine(
        at arrow: Int, notBefore start: Int, in chunk: ByteView
    ) -> (timing: TimingLine, start: Int)? {
        let longStart = arrow &- 16
        if longStart >= start, longStart == start || ASCII.isLineEnd(chunk[longStart &- 1]),
            let timing = TimingLine(long: chunk, at: longStart)
        {
            return (timing, longStart)
        }
        guard let lineStart = startOfLine(at: arrow &- 2, notBefore: start, in: chunk) else { return nil }
        // At the end of the chunk more digits may follow; the line is then looked at when it is whole.
        guard let timing = TimingLine(chunk, from: lineStart), timing.settingsStart < chunk.count else { return nil }
        return (timing, lineStart)
    }

    /// Where the line begins that has an arrow at `arrow`, as far as the bytes before it may be a time.
    ///
    /// Most lines begin among the last 64 bytes. Where they do not, no more is read than may be a time, so that many arrows
    /// on one long line do not take longer than one.
    private func startOfLine(at arrow: Int, notBefore start: Int, in chunk: ByteView) -> Int? {
        let near = max(start, arrow &- ByteView.blockSize)
        if let end = chunk.lastLineEnd(in: near..<arrow) { return end &+ 1 }
        var prefix = TimingPrefix()
        var lineStart = arrow
        while lineStart > start, case .needsEarlierBytes = prefix.take(chunk[lineStart &- 1]) { lineStart &-= 1 }
        return lineStart == start || ASCII.isLineEnd(chunk[lineStart &- 1]) ? lineStart : nil
    }
}
