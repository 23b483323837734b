import ByteScan

/// The beginning of the bytes that a search from the tail has already been handed, shortened but reading the same.
///
/// When an arrow turns up at the end of a block, what follows it lies in blocks handed before, whose memory is gone. What
/// follows matters only as far as it is `ws* TIME`, so that much is kept, in a fixed number of bytes:
///
///     a run of white space      → its first byte                    (one reads like many)
///     a run of digits           → its last 13 and one for the rest  (0 where all of the rest are 0, else 1: too many hours)
///     a byte that ends a time   → itself, and nothing behind it
///
/// A cut arrow, `->` or `>` at the very beginning, is kept too.
struct SearchedHead: Sendable {
    /// `->`, one byte of white space, 14 digits of hours, `:MM:SS.mmm` and the byte behind; a longer rest changes nothing.
    private static let capacity = 28

    private var bytes = SIMD32<UInt8>()
    private var count = 0

    /// How many digits the run at the end has; 0 where another byte is last.
    private var digitCount = 0

    /// Whether the last byte is white space.
    private var endsInSpace = false

    /// Whether no byte that follows can change what the head says.
    private var isClosed = false

    /// The head of no bytes.
    init() {}

    /// The head of `block` from `offset` on with `later` behind it; an offset past the end skips that many of `later`.
    init(of block: ByteView, from offset: Int, before later: SearchedHead) {
        var offset = offset
        while offset < block.count, !isClosed {
            append(block[offset])
            offset &+= 1
        }
        var laterOffset = offset &- block.count
        while laterOffset < later.count, !isClosed {
            append(later.bytes[laterOffset])
            laterOffset &+= 1
        }
    }

    /// Whether `byte` stands at `offset`, which is below 2.
    func has(_ byte: UInt8, at offset: Int) -> Bool { offset < count && bytes[offset] == byte }

    /// The time that the head begins with, behind any white space.
    var timestamp: Timestamp? {
        unsafe withUnsafeBytes(of: bytes) { buffer in
            let view = unsafe ByteView(buffer)[0..<count]
            let start = view.count > 0 && ASCII.isLineSpace(view[0]) ? 1 : 0
            return Timestamp.scan(view, from: start)?.timestamp
        }
    }

    private mutating func append(_ byte: UInt8) {
        let isDigit = ASCII.digit(byte) != nil
        let isSpace = ASCII.isLineSpace(byte)
        if isDigit, digitCount > DigitRun.significantCount { return shiftInDigit(byte) }
        if isSpace, endsInSpace { return }

        bytes[count] = byte
        let isPart = isDigit || isSpace || byte == ASCII.colon || byte == ASCII.period || isCutArrow(byte)
        count &+= 1
        digitCount = isDigit ? digitCount &+ 1 : 0
        endsInSpace = isSpace
        isClosed = !isPart || count == Self.capacity
    }

    /// Whether `byte`, the next one, continues an arrow that an earlier block began.
    private func isCutArrow(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.hyphen: count == 0
        case ASCII.greaterThan: count == 0 || count == 1 && bytes[0] == ASCII.hyphen
        default: false
        }
    }

    /// Adds a digit to a run of 14: the first stands for all digits that no longer count by themselves.
    private mutating func shiftInDigit(_ digit: UInt8) {
        let first = count &- digitCount
        if bytes[first &+ 1] != ASCII.zero { bytes[first] = ASCII.zero &+ 1 }
        for index in (first &+ 1)..<(count &- 1) { bytes[index] = bytes[index &+ 1] }
        bytes[count &- 1] = digit
    }
}
