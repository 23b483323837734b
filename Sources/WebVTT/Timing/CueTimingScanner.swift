import ByteScan

/// When a cue is shown, and where its timing line stands.
public struct CueTiming: Equatable, Sendable, BitwiseCopyable {
    /// When the cue is shown first.
    public let start: Timestamp
    /// When the cue is no longer shown; it may be earlier than ``start``.
    public let end: Timestamp
    /// The stream position, in bytes, at which the timing line begins.
    public let position: Int

    /// Whether the cue is ever shown: one that ends at its start or before it is not.
    public var isShown: Bool { end > start }
}

/// Scans a WebVTT file for the times of its cues and nothing else: chunks of any size in, times out, in the order of
/// the file.
///
///     var scanner = CueTimingScanner()
///     scanner.scan(chunk) { timing in print(timing.start, timing.end) }
///     scanner.finish { timing in print(timing.start, timing.end) }
///
/// A line is a cue's timing line by its own form, whatever is around it, so only lines with an arrow are looked at.
/// That is faster than scanning cues, and exact for lines of any length: a line that two chunks share is kept in 64
/// bytes.
public struct CueTimingScanner: Sendable {
    /// Receives the times of a cue.
    public typealias Handler = (CueTiming) -> Void

    /// What the next byte belongs to.
    private enum State {
        /// The signature or the rest of its line.
        case signatureLine
        /// A line, perhaps its first byte.
        case line
        /// The rest of a line whose times have been handed out.
        case restOfLine
        /// Nothing: the file has ended.
        case ended
    }

    private var state = State.signatureLine
    private var signatureReader = SignatureReader()

    /// What has come of the line, and where it began.
    private var line = ShortenedText()
    private var linePosition = 0

    /// How many bytes have been scanned.
    public private(set) var position = 0

    /// What the first bytes say: nothing is handed out of a file without a signature.
    public var signature: WebVTTSignature { signatureReader.answer }

    /// A scanner for one file.
    public init() {}

    /// Scans the next chunk, of any size, and hands out the times on the lines that are whole.
    ///
    /// - Complexity: O(*n*), 64 bytes a step.
    public mutating func scan(_ chunk: UnsafeRawBufferPointer, _ body: Handler) {
        let view = unsafe ByteView(chunk)
        if let end = endOfOpenLine(in: view, body) { scanLines(view, from: end &+ 1, body) }
        position &+= view.count
    }

    /// Scans the next chunk, of any size, and hands out the times on the lines that are whole.
    public mutating func scan(_ chunk: RawSpan, _ body: Handler) {
        unsafe chunk.withUnsafeBytes { unsafe scan($0, body) }
    }

    /// Ends the file: hands out the times on a last line without a terminator.
    public mutating func finish(_ body: Handler) {
        signatureReader.finish()
        if state == .line { handOutLine(body) }
        state = .ended
    }

    /// Goes on with the line that an earlier chunk began, and returns where it ends; nil if it does not in `chunk`.
    private mutating func endOfOpenLine(in chunk: ByteView, _ body: Handler) -> Int? {
        switch state {
        case .signatureLine: return signatureReader.lineEnd(in: chunk)
        case .restOfLine: return chunk.firstLineEnd(from: 0)
        case .line:
            let end = chunk.firstLineEnd(from: 0)
            line.append(chunk.prefix(upTo: end ?? chunk.count), from: 0)
            if end != nil { handOutLine(body) }
            return end
        case .ended: return nil
        }
    }

    private func handOutLine(_ body: Handler) {
        guard let timing = line.timingLine else { return }
        body(CueTiming(start: timing.start, end: timing.end, position: linePosition))
    }

    /// Scans the lines that begin at `start` and after it, and keeps the beginning of the last one.
    private mutating func scanLines(_ chunk: ByteView, from start: Int, _ body: Handler) {
        // Times are handed out once a line, at the first of its arrows: lines that begin before this offset have had
        // theirs.
        var newLines = start
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
                guard let line = timingLine(at: arrow, notBefore: start, in: chunk), line.start >= newLines else {
                    continue
                }
                newLines = line.start &+ 1
                body(CueTiming(start: line.timing.start, end: line.timing.end, position: position &+ line.start))
            }
            offset &+= ByteView.blockSize
        }
        let last = chunk.lastLineEnd(in: start..<chunk.count).map { $0 &+ 1 } ?? start
        line = ShortenedText()
        linePosition = position &+ last
        if last < newLines {
            state = .restOfLine
        } else {
            state = .line
            line.append(chunk, from: last)
        }
    }

    /// The timing line with an arrow that ends at `arrow`, and where it begins; nil if it is none or is not whole.
    @inline(__always)
    private func timingLine(
        at arrow: Int, notBefore start: Int, in chunk: ByteView
    ) -> (timing: TimingLine, start: Int)? {
        fixedLine(at: arrow, notBefore: start, in: chunk, hasThreeDigits: false)
            ?? otherTimingLine(at: arrow, notBefore: start, in: chunk)
    }

    /// The same for the fixed form, in which the arrow is at a fixed distance from the start of its line.
    @inline(__always)
    private func fixedLine(
        at arrow: Int, notBefore start: Int, in chunk: ByteView, hasThreeDigits: Bool
    ) -> (timing: TimingLine, start: Int)? {
        let lineStart = arrow &- (hasThreeDigits ? 16 : 15)
        guard lineStart >= start, lineStart == start || ASCII.isLineEnd(chunk[lineStart &- 1]),
            let timing = TimingLine(fixed: chunk, at: lineStart, hasThreeDigits: hasThreeDigits)
        else { return nil }
        return (timing, lineStart)
    }

    @inline(never)
    private func otherTimingLine(
        at arrow: Int, notBefore start: Int, in chunk: ByteView
    ) -> (timing: TimingLine, start: Int)? {
        if let line = fixedLine(at: arrow, notBefore: start, in: chunk, hasThreeDigits: true) { return line }
        guard let lineStart = startOfLine(at: arrow &- 2, notBefore: start, in: chunk) else { return nil }
        // At the end of the chunk more digits may follow; the line is then looked at when it is whole.
        guard let timing = TimingLine(chunk, from: lineStart), timing.settingsStart < chunk.count else { return nil }
        return (timing, lineStart)
    }

    /// Where the line begins that has an arrow at `arrow`, as far as the bytes before it may be a time.
    ///
    /// Most lines begin among the last 64 bytes. If they do not, no more is read than may be a time, so that many
    /// arrows on one long line do not take longer than one.
    private func startOfLine(at arrow: Int, notBefore start: Int, in chunk: ByteView) -> Int? {
        let near = max(start, arrow &- ByteView.blockSize)
        if let end = chunk.lastLineEnd(in: near..<arrow) { return end &+ 1 }
        var prefix = TimingPrefix()
        var lineStart = arrow
        while lineStart > start, case .needsEarlierBytes = prefix.read(chunk[lineStart &- 1]) { lineStart &-= 1 }
        return lineStart == start || ASCII.isLineEnd(chunk[lineStart &- 1]) ? lineStart : nil
    }
}
