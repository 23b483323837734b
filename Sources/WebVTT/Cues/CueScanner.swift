import ByteScan

// How a file becomes cues:
//
//     CueScanner+Scan       finds blank lines and lines with an arrow, 64 bytes at a time
//     CueScanner+Cues       hands out cues of the usual form, some at a time
//     CueScanner+Blocks     decides what a block is, and hands it out when it ends
//     CueScanner+Carry      keeps what the next chunk may need of this one
//     CueScanner+Slice      scans a part of a file that is in memory
//     OpenBlock, LineCounter    what is known of the block that has not ended, and of its place
//
// To change what a line does to a block: `belongsToBlock` decides whether a line with an arrow is the block's, and
// `event` of BlockPlace what a block without one is. NaiveWebVTT in Tests/Support says the same without chunks, and
// every test compares the two.

/// Scans a WebVTT file from its beginning: chunks of any size in, cues and all other blocks out, in the order of the
/// file.
///
///     var scanner = CueScanner()
///     let take = { (event: CueEvent) in
///         if case .cue(let cue) = event { print(cue.start, cue.text.string) }
///     }
///     try scanner.scan(chunk, take)
///     try scanner.finish(take)
///
/// Answers are those of the W3C parsing algorithm (W3C WebVTT, section 6). Cues whose end is before their start, cues
/// without text and cues out of order are handed out as they stand. A line that is no timing line costs its own block
/// and no other. Where a chunk ends never changes what is handed out.
///
/// A block that lies in one chunk is handed out from there, without copying. One that does not is put together in a
/// buffer that ``CueLimits`` bound. No memory is allocated for a cue.
public struct CueScanner: ~Copyable {
    /// Receives what the scanner hands out.
    public typealias Handler = (CueEvent) -> Void

    /// What is known of the file so far: all that a reset forgets.
    struct Document {
        var signature = SignatureReader()
        var block = OpenBlock()
        var line = OpenLine()
        var lines = LineCounter()
        /// The last two bytes of the chunk before.
        var lastBytes: (UInt8, UInt8) = (0, 0)
        /// Whether a cue has come: styles and regions no longer count then.
        var hasSeenCue = false
        var hasEnded = false
        /// The stream position of the chunk being scanned.
        var position = 0
        var exceededLimit = ExceededLimit.none

        /// Makes `chunk` the chunk before.
        mutating func pass(_ chunk: ByteView) {
            let count = chunk.count
            block.shift(by: count)
            line.shift(by: count)
            lines.shift(by: count)
            position &+= count
            if count > 1 {
                lastBytes = (chunk[count &- 2], chunk[count &- 1])
            } else if let last = chunk.last {
                lastBytes = (lastBytes.1, last)
            }
        }
    }

    /// The first block that was longer than the limits allow.
    enum ExceededLimit {
        case none
        /// It is still to be thrown.
        case owed(CueLimitError)
        /// It has been thrown, or the policy is to skip.
        case noted(CueLimitError)
    }

    let limits: CueLimits

    /// The stream position at which the slice ends: blocks that begin there or later are not handed out. Nil for a
    /// whole file.
    let sliceEnd: Int?

    var document = Document()

    /// The timing line of the open block, if that is a cue.
    ///
    /// It stands beside the block's content and is not the payload of a case: a payload would be stored piece by piece
    /// and loaded as a vector, a store-forwarding stall (see ``CueOutline/Timing``).
    var timing = CueOutline.Timing()

    /// The blocks of 64 bytes being scanned, their line masks and marks.
    var batch = LineBatch()

    var carry = CarryBuffer()

    /// A scanner for one file. Reset it to use it for another.
    public init(limits: CueLimits = CueLimits()) { self.init(limits: limits, sliceEnd: nil) }

    init(limits: CueLimits, sliceEnd: Int?) {
        self.limits = limits
        self.sliceEnd = sliceEnd
    }

    /// Makes the scanner as new; the memory it has is kept.
    public mutating func reset() {
        document = Document()
        carry.removeAll()
    }

    /// How many bytes have been scanned.
    public var position: Int { document.position }

    /// What the first bytes say: nothing is handed out of a file without a signature.
    public var signature: WebVTTSignature { document.signature.answer }

    /// The first block that was longer than the limits allow; nil if there was none.
    public var exceededLimit: CueLimitError? {
        switch document.exceededLimit {
        case .none: nil
        case .owed(let error), .noted(let error): error
        }
    }

    /// Scans the next chunk, of any size, and hands out the blocks that are whole.
    ///
    /// - Throws: ``CueLimitError`` when the chunk has been scanned, if a block exceeded the limits for the first time
    ///   and their policy says so. Nothing is lost by then, and scanning may go on.
    /// - Complexity: O(*n*), 64 bytes a step.
    public mutating func scan(_ chunk: UnsafeRawBufferPointer, _ body: Handler) throws(CueLimitError) {
        scan(unsafe ByteView(chunk), body)
        try throwOwedError()
    }

    /// Scans the next chunk, of any size, and hands out the blocks that end in it.
    ///
    /// - Throws: ``CueLimitError``, as the form that takes a buffer.
    public mutating func scan(_ chunk: RawSpan, _ body: Handler) throws(CueLimitError) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(CueLimitError) in try unsafe scan(chunk, body) }
    }

    /// Ends the file: hands out the block that its end ends.
    ///
    /// - Throws: ``CueLimitError``, as `scan(_:_:)`.
    public mutating func finish(_ body: Handler) throws(CueLimitError) {
        end(body)
        try throwOwedError()
    }

    mutating func throwOwedError() throws(CueLimitError) {
        guard case .owed(let error) = document.exceededLimit else { return }
        document.exceededLimit = .noted(error)
        throw error
    }
}
