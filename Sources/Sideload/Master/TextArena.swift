internal import ByteScan
internal import M3U8

/// The bytes remembered of a playlist, one text after the other.
struct TextArena: ~Copyable {
    /// A stretch of the arena.
    struct Span: BitwiseCopyable {
        let start: Int
        let end: Int
        var count: Int { end - start }
        var range: Range<Int> { start..<end }
    }

    private var bytes = ReusableBuffer<UInt8>()

    /// How many bytes are remembered.
    var count: Int { bytes.count }

    /// The bytes of `span`, valid until the arena next changes.
    func view(_ span: Span) -> ByteView { bytes.view[span.range] }

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

    /// Appends `text` with the values of `variables`, and no more of it once there are more than `limit` bytes.
    mutating func append(_ text: ByteView, with variables: borrowing PlaylistVariables, upTo limit: Int) -> Span {
        let start = count
        variables.substitute(text, into: &bytes, upTo: limit)
        return span(from: start)
    }

    mutating func append(decimal number: UInt64) { bytes.append(contentsOf: DecimalDigits(number)) }

    /// Forgets everything from `start` on.
    mutating func truncate(to start: Int) { bytes.truncate(to: start) }
}
