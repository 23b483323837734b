import ByteScan

/// Scans a WebVTT file from its beginning: chunks of any size in, cues and all other blocks out, in the order of the file.
///
///     var scanner = CueScanner()
///     try scanner.scan(chunk) { event in
///         if case .cue(let cue) = event { … cue.start, cue.text.string … }
///     }
///     try scanner.finish { event in … }
///
/// Answers are those of the W3C parsing algorithm (W3C WebVTT, section 6). Cues whose end is before their start, cues
/// without text and cues out of order are handed out as they stand; a line that is no timing line costs its own block and no
/// other. Where a chunk ends never changes what is handed out.
///
/// A block that lies in one chunk is handed out from there, without copying; one that does not is put together in a buffer
/// that ``CueLimits`` bound. No memory is allocated for a cue.
public struct CueScanner: ~Copyable {
    /// Takes what the scanner hands out.
    public typealias Handler = (CueEvent) -> Void

    /// What the next byte belongs to.
    enum Phase {
        /// The signature, not yet known to be one.
        case signature
        /// The rest of the signature's line.
        case signatureLine
        /// The metadata below it.
        case header
        /// A block without an arrow so far, or the blank lines before one.
        case block
        /// A cue, behind its timing line.
        case cue
        /// A block behind a line that is no timing line.
        case failed
        /// A block that began before the slice that is scanned.
        case foreign
        /// Nothing: the file has ended or was never WebVTT.
        case ended
    }

    let limits: CueLimits

    var phase = Phase.signature

    /// Where the block begins. This and all offsets below count from the start of the chunk being scanned: those below 0
    /// are of earlier chunks.
    var blockStart = 0

    /// Where the block's second line begins; ``unknown`` before anybody asked or where it has not come yet.
    var secondLineStart = unknown

    /// Where the line begins that goes on at the start of the chunk.
    var lineStart = 0

    /// Whether that line has an arrow.
    var lineHasArrow = false

    /// The number of the block's first line, where it is of an earlier chunk.
    var blockLine = 1

    /// How many line terminators come before ``countedEnd``.
    var countedLines = 0
    var countedEnd = 0

    /// The timing line of the cue that the block is, in phase `cue`.
    var timing = CueOutline.Timing()

    /// Whether a cue has come: styles and regions no longer count then.
    var hasSeenCue = false

    /// The first bytes of the file.
    var fileHead = FileHead()

    /// The line masks of the blocks being scanned.
    var batch = LineBatch()

    /// What is kept of earlier chunks, and where it ends.
    var held = ReusableBuffer<UInt8>()
    var heldEnd = 0

    /// The last two bytes of the chunk before.
    var lastBytes: (UInt8, UInt8) = (0, 0)

    /// How many bytes have been scanned.
    public internal(set) var position = 0

    /// What the first bytes say: nothing is handed out of a file without a signature.
    public internal(set) var signature = WebVTTSignature.needsMoreBytes

    /// The first block that was longer than the limits allow, where there was one.
    public internal(set) var exceededLimit: CueLimitError?

    /// Whether ``exceededLimit`` is still to be thrown.
    var owesError = false

    static var unknown: Int { .min / 2 }

    /// A scanner for one file. Reset it to use it for another.
    public init(limits: CueLimits = CueLimits()) { self.limits = limits }

    /// Makes the scanner as new; the memory it has is kept.
    public mutating func reset() {
        phase = .signature
        blockStart = 0
        secondLineStart = Self.unknown
        lineStart = 0
        lineHasArrow = false
        blockLine = 1
        countedLines = 0
        countedEnd = 0
        hasSeenCue = false
        fileHead = FileHead()
        held.removeAll()
        heldEnd = 0
        lastBytes = (0, 0)
        position = 0
        signature = .needsMoreBytes
        exceededLimit = nil
        owesError = false
    }

    /// Takes the next chunk, of any size, and hands out the blocks that are whole.
    ///
    /// - Throws: ``CueLimitError`` when the chunk has been scanned, where a block exceeded the limits for the first time and
    ///   their policy says so. Nothing is lost by then, and scanning may go on.
    public mutating func scan(_ chunk: UnsafeRawBufferPointer, _ body: Handler) throws(CueLimitError) {
        scan(unsafe ByteView(chunk), body)
        try throwOwedError()
    }

    /// Ends the file: hands out the block that its end ends.
    ///
    /// - Throws: ``CueLimitError``, as ``scan(_:_:)``.
    public mutating func finish(_ body: Handler) throws(CueLimitError) {
        end(body)
        try throwOwedError()
    }

    mutating func throwOwedError() throws(CueLimitError) {
        guard owesError, let exceededLimit else { return }
        owesError = false
        throw exceededLimit
    }
}
