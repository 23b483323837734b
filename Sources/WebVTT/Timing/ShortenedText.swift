import ByteScan

/// The beginning of a run of bytes, shortened but reading the same as far as times and arrows go.
///
/// A timing line may be of any length, because white space and the digits of hours may, and it may come in many pieces.
/// What matters of it fits a fixed number of bytes:
///
///     a run of white space      → its first byte                    (one reads like many)
///     a run of digits           → its last 13 and one for the rest  (0 if all of it is 0, else 1: too many hours)
///     a byte of another kind    → itself, and nothing after it: neither times nor arrows hold it
struct ShortenedText: Sendable {
    /// White space, 14 digits of hours, `:MM:SS.mmm`, white space, `-->`, as much again and the byte after need 55
    /// bytes.
    private static let capacity = 64

    private var bytes = SIMD64<UInt8>()
    private var count = 0

    /// How many digits the run at the end has; 0 if another byte is last.
    private var digitCount = 0

    /// Whether the last byte is white space.
    private var endsInSpace = false

    /// Whether no byte that follows can change what the text says.
    private(set) var isClosed = false

    /// The text of no bytes.
    init() {}

    /// The text of `block` from `offset` on with `later` after it; an offset past the end skips that many bytes of
    /// `later`.
    init(_ block: ByteView, from offset: Int, before later: ShortenedText) {
        append(block, from: offset)
        var laterOffset = max(0, offset &- block.count)
        while laterOffset < later.count, !isClosed {
            append(later.bytes[laterOffset])
            laterOffset &+= 1
        }
    }

    /// Adds the bytes of `block` from `offset` on.
    mutating func append(_ block: ByteView, from offset: Int) {
        var offset = offset
        while offset < block.count, !isClosed {
            append(block[offset])
            offset &+= 1
        }
    }

    /// Whether `byte` stands at `offset`.
    func has(_ byte: UInt8, at offset: Int) -> Bool { offset < count && bytes[offset] == byte }

    /// The time that the text begins with, after any white space.
    var timestamp: Timestamp? {
        withView { view in
            let start = view.count > 0 && ASCII.isLineSpace(view[0]) ? 1 : 0
            return Timestamp.scan(view, from: start)?.timestamp
        }
    }

    /// The two times of the timing line that the text begins with.
    var timingLine: TimingLine? { withView { TimingLine($0, from: 0) } }

    private func withView<Result>(_ body: (ByteView) -> Result) -> Result {
        unsafe withUnsafeBytes(of: bytes) { buffer in
            let view = unsafe ByteView(buffer)
            return body(view[0..<count])
        }
    }

    private mutating func append(_ byte: UInt8) {
        let isDigit = ASCII.digit(byte) != nil
        let isSpace = ASCII.isLineSpace(byte)
        if isDigit, digitCount > DigitRun.significantCount { return shiftInDigit(byte) }
        if isSpace, endsInSpace { return }

        bytes[count] = byte
        count &+= 1
        digitCount = isDigit ? digitCount &+ 1 : 0
        endsInSpace = isSpace
        let isPart = isDigit || isSpace || Self.isSeparator(byte)
        isClosed = !isPart || count == Self.capacity
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == ASCII.colon || byte == ASCII.period || byte == ASCII.hyphen || byte == ASCII.greaterThan
    }

    /// Adds a digit to a run of 14: the first stands for all digits that no longer count by themselves.
    private mutating func shiftInDigit(_ digit: UInt8) {
        let first = count &- digitCount
        if bytes[first &+ 1] != ASCII.zero { bytes[first] = ASCII.zero &+ 1 }
        for index in (first &+ 1)..<(count &- 1) { bytes[index] = bytes[index &+ 1] }
        bytes[count &- 1] = digit
    }
}
