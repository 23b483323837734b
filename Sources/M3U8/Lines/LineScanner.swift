internal import ByteScan
internal import CByteScan

/// Scans a playlist line by line: chunks of any size in, classified lines out (RFC 8216 4.1).
///
///     var scanner = LineScanner()
///     try scanner.scan(chunk) { line in
///         if line.kind == .tag(.extInf) { … line.value … }
///     }
///     try scanner.finish { line in … }
///
/// Lines end in LF or CRLF; a lone CR is data. A line that lies in one chunk is handed out from there, without copying; one
/// that does not is put together in a buffer that ``LineLimits`` bound. Where a chunk ends never changes what is handed out.
/// Every text can be scanned: whether its first line is `#EXTM3U` is for the caller to see.
public struct LineScanner: ~Copyable {
    private let limits: LineLimits
    private var classifier = LineClassifier()
    /// What has come of the unfinished line, up to the limit.
    private var held = ReusableBuffer<UInt8>()
    /// How many bytes of it have come in all.
    private var pending = 0
    /// The last of them.
    private var pendingLast = ASCII.space

    /// How many bytes have been scanned.
    public private(set) var position = 0

    /// A scanner for one playlist. Reset it to use it for another.
    public init(limits: LineLimits = LineLimits()) { self.limits = limits }

    /// Makes the scanner as new; the memory it has is kept.
    public mutating func reset() {
        held.removeAll()
        pending = 0
        position = 0
    }

    /// Takes the next chunk, of any size, and hands out the lines that are whole.
    ///
    /// - Throws: ``LimitError`` at a line longer than the limits allow, where their policy says so. Without that policy the
    ///   line is handed out truncated.
    public mutating func scan(
        _ chunk: UnsafeRawBufferPointer, _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        let view = unsafe ByteView(chunk)
        var start = 0
        var offset = 0
        while true {
            let block = view.firstBlock(with: ASCII.lineFeed, from: offset)
            offset = block.start
            guard block.bits != 0 else { break }
            var ends = block.bits
            repeat {
                try endLine(of: view, from: start, to: offset &+ ends.trailingZeroBitCount, body)
                start = offset &+ ends.trailingZeroBitCount &+ 1
                ends &= ends &- 1
            } while ends != 0
            offset &+= ByteView.blockSize
        }
        while let end = view.firstOffset(of: ASCII.lineFeed, from: max(start, offset)) {
            try endLine(of: view, from: start, to: end, body)
            start = end + 1
        }
        keep(view.suffix(from: start))
        position += view.count
        if pending > limits.longestLine, limits.policy == .fail { throw tooLong(at: position - pending) }
    }

    /// Ends the playlist: hands out a last line that has no line ending.
    ///
    /// - Throws: ``LimitError``, as ``scan(_:_:)``.
    public mutating func finish(_ body: (PlaylistLine) -> Void) throws(LimitError) {
        guard pending > 0 else { return }
        try handOutHeld(endsInLineFeed: false, at: position - pending, body)
    }

    /// Hands out the line that ends at `end`, of which the bytes from `start` on are in `chunk`.
    @inline(__always)
    private mutating func endLine(
        of chunk: ByteView, from start: Int, to end: Int, _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        if pending == 0 {
            let last = end > start ? chunk[end &- 1] : nil
            try handOut(
                chunk.suffix(from: start), count: end &- start, last: last, endsInLineFeed: true,
                at: position &+ start, body)
        } else {
            keep(chunk[start..<end])
            try handOutHeld(endsInLineFeed: true, at: position + end - pending, body)
        }
    }

    private mutating func keep(_ bytes: ByteView) {
        guard let last = bytes.last else { return }
        held.append(bytes.prefix(upTo: min(bytes.count, limits.longestLine - held.count)))
        pending += bytes.count
        pendingLast = last
    }

    private mutating func handOutHeld(
        endsInLineFeed: Bool, at position: Int, _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        try handOut(held.view, count: pending, last: pendingLast, endsInLineFeed: endsInLineFeed, at: position, body)
        held.removeAll()
        pending = 0
    }

    /// Hands out the line of `count` bytes that `context` begins with, so far as they have been kept, and that ends with `last`.
    @inline(__always)
    private mutating func handOut(
        _ context: ByteView, count: Int, last: UInt8?, endsInLineFeed: Bool, at position: Int,
        _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        let ending = PlaylistLine.Ending(hasCarriageReturn: last == ASCII.carriageReturn, hasLineFeed: endsInLineFeed)
        if count > limits.longestLine {
            if limits.policy == .fail { throw tooLong(at: position) }
            body(
                PlaylistLine(
                    context, count: limits.longestLine, ending: ending, position: position, isTruncated: true,
                    &classifier))
        } else {
            let content = last == ASCII.carriageReturn ? count &- 1 : count
            body(
                PlaylistLine(
                    context, count: content, ending: ending, position: position, isTruncated: false, &classifier))
        }
    }

    private func tooLong(at position: Int) -> LimitError {
        LimitError(.longestLine, bytes: limits.longestLine, position: position)
    }
}
