import ByteScan

/// How a file ends its lines, by its first one.
///
/// What a segmenter adds is ended in the same way.
enum LineTerminator {
    /// No line has ended yet.
    case unknown
    /// The last byte was a CR; what follows tells whether an LF belongs to it.
    case afterReturn
    case lineFeed
    case carriageReturn
    case pair

    /// Looks at the next chunk, as long as it is not decided.
    @inline(__always)
    mutating func scan(_ chunk: ByteView) {
        switch self {
        case .unknown, .afterReturn: decide(chunk)
        case .lineFeed, .carriageReturn, .pair: break
        }
    }

    private mutating func decide(_ chunk: ByteView) {
        var offset = 0
        if self == .unknown {
            guard let end = chunk.firstLineEnd(from: 0) else { return }
            guard chunk[end] == ASCII.carriageReturn else { return self = .lineFeed }
            self = .afterReturn
            offset = end &+ 1
        }
        guard offset < chunk.count else { return }
        self = chunk[offset] == ASCII.lineFeed ? .pair : .carriageReturn
    }

    /// The bytes that end a line; an LF if the file has no line.
    var bytes: ByteView {
        switch self {
        case .unknown, .lineFeed: ByteView("\n")
        case .afterReturn, .carriageReturn: ByteView("\r")
        case .pair: ByteView("\r\n")
        }
    }

    /// The bytes that make a blank line after a line that ends with `last`, or that was ended with ``bytes`` because
    /// `last` ends none: never an LF after a CR, to which it would belong.
    @inline(__always)
    func blankLine(after last: UInt8) -> ByteView {
        last == ASCII.carriageReturn && self == .lineFeed ? ByteView("\r") : bytes
    }

    /// How many bytes are written after a cue that ends with `last`: the end of its line if that is missing, and a
    /// blank line.
    func countBehindCue(endingWith last: UInt8) -> Int {
        (ASCII.isLineEnd(last) ? 0 : bytes.count) + blankLine(after: last).count
    }
}
