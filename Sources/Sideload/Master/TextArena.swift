internal import ByteScan

/// The bytes remembered of a playlist, one text after the other.
struct TextArena: ~Copyable {
    /// A stretch of the arena.
    struct Span: BitwiseCopyable {
        let start: Int
        let end: Int
        var count: Int { end - start }
    }

    private var bytes = ReusableBuffer<UInt8>()

    /// How many bytes are remembered.
    var count: Int { bytes.count }

    /// The bytes of `span`, valid until the arena next changes.
    func view(_ span: Span) -> ByteView { bytes.view[span.start..<span.end] }

    /// Everything from `start` on.
    func span(from start: Int) -> Span { Span(start: start, end: count) }

    /// Appends a copy of `text`, which is not the arena's own.
    @discardableResult
    mutating func append(_ text: ByteView) -> Span {
        let start = count
        bytes.append(text)
        return span(from: start)
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends a copy of a stretch of the arena.
    mutating func append(copyOf span: Span) {
        for index in span.start..<span.end { bytes.append(bytes[index]) }
    }

    mutating func append(decimal number: UInt64) { bytes.append(contentsOf: DecimalDigits(number)) }

    /// Forgets everything from `start` on.
    mutating func truncate(to start: Int) { bytes.truncate(to: start) }
}
