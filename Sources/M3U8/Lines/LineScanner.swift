internal import ByteScan
internal import CByteScan

/// Scans a playlist line by line: chunks of any size in, classified lines out (RFC 8216 4.1).
///
///     var scanner = LineScanner()
///     let count = { (line: PlaylistLine) in
///         if line.kind == .tag(.extInf) { segments += 1 }
///     }
///     try scanner.scan(chunk, count)
///     try scanner.finish(count)
///
/// Lines end in LF or CRLF; a lone CR is data. A line that lies in one chunk is handed out from there, without copying;
/// one that does not is put together in a buffer that ``LineLimits`` bound. Where a chunk ends never changes what is
/// handed out. Every text can be scanned: whether its first line is `#EXTM3U` is for the caller to see.
public struct LineScanner: ~Copyable {
    private let limits: LineLimits
    private var classifier = LineClassifier()
    /// What has come of the unfinished line, up to the limit.
    private var carried = ReusableBuffer<UInt8>()
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
        carried.removeAll()
        pending = 0
        position = 0
    }

    /// Scans the next chunk, of any size, and hands out the lines that are whole.
    ///
    /// - Throws: ``LimitError``, as the form that takes a buffer.
    public mutating func scan(_ chunk: RawSpan, _ body: (PlaylistLine) -> Void) throws(LimitError) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(LimitError) in try unsafe scan(chunk, body) }
    }

    #if !hasFeature(Embedded)
    /// Scans the next chunk, of any size, and hands out the lines that are whole.
    ///
    /// - Throws: ``LimitError``, as the form that takes a buffer.
    public mutating func scan(
        _ chunk: some Collection<UInt8>, _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        try unsafe chunk.withBytes { (chunk) throws(LimitError) in try unsafe scan(chunk, body) }
    }
    #endif

    /// Scans the next chunk, of any size, and hands out the lines that are whole.
    ///
    /// - Throws: ``LimitError`` at a line longer than the limits allow, if their policy says so. Without that policy
    ///   the line is handed out truncated.
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
        carry(view.suffix(from: start))
        position += view.count
        if pending > limits.longestLine, limits.policy == .fail { throw tooLong(at: position - pending) }
    }

    /// Ends the playlist: hands out a last line that has no line ending.
    ///
    /// - Throws: ``LimitError``, as `scan(_:_:)`.
    public mutating func finish(_ body: (PlaylistLine) -> Void) throws(LimitError) {
        guard pending > 0 else { return }
        try handOutCarried(endsInLineFeed: false, at: position - pending, body)
    }

    /// Hands out the line that ends at `end`, of which the bytes from `start` on are in `chunk`.
    @inline(__always)
    private mutating func endLine(
        of chunk: ByteView, from start: Int, to end: Int, _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        if pending == 0 {
            let line = ScannedBytes(
                context: chunk.suffix(from: start), count: end &- start, last: end > start ? chunk[end &- 1] : nil,
                endsInLineFeed: true, position: position &+ start)
            try handOut(line, body)
        } else {
            carry(chunk[start..<end])
            try handOutCarried(endsInLineFeed: true, at: position + end - pending, body)
        }
    }

    private mutating func carry(_ bytes: ByteView) {
        guard let last = bytes.last else { return }
        carried.append(bytes.prefix(upTo: min(bytes.count, limits.longestLine - carried.count)))
        pending += bytes.count
        pendingLast = last
    }

    private mutating func handOutCarried(
        endsInLineFeed: Bool, at position: Int, _ body: (PlaylistLine) -> Void
    ) throws(LimitError) {
        let line = ScannedBytes(
            context: carried.view, count: pending, last: pendingLast, endsInLineFeed: endsInLineFeed, position: position
        )
        try handOut(line, body)
        carried.removeAll()
        pending = 0
    }

    @inline(__always)
    private mutating func handOut(_ line: ScannedBytes, _ body: (PlaylistLine) -> Void) throws(LimitError) {
        if line.count > limits.longestLine, limits.policy == .fail { throw tooLong(at: line.position) }
        body(PlaylistLine(line, longest: limits.longestLine, &classifier))
    }

    private func tooLong(at position: Int) -> LimitError {
        LimitError(.longestLine, bytes: limits.longestLine, position: position)
    }
}
