public import ByteScan

/// One `NAME=value` of an attribute list, as ranges of the line it stands in (RFC 8216 4.2).
public struct Attribute: Equatable, Sendable {
    /// From after the comma before the item to the comma after it, with all white space.
    public let item: Range<Int>
    /// The name, without the white space around it.
    public let name: Range<Int>
    /// The value as written, quotes included, without the white space around it.
    ///
    /// Empty if the item has no `=`; see ``hasValue``.
    public let value: Range<Int>
    /// Whether the item has an `=`.
    public let hasValue: Bool

    @inlinable @inline(__always)
    init(item: Range<Int>, name: Range<Int>, value: Range<Int>, hasValue: Bool) {
        self.item = item
        self.name = name
        self.value = value
        self.hasValue = hasValue
    }

    /// The value without its quotes: the content of a quoted string, or the value itself if it is none.
    public func content(in line: ByteView) -> Range<Int> {
        isQuoted(in: line) ? (value.lowerBound + 1)..<(value.upperBound - 1) : value
    }

    /// Whether the value begins and ends with a quote.
    public func isQuoted(in line: ByteView) -> Bool {
        value.count >= 2 && line[value.lowerBound] == ASCII.quote && line[value.upperBound - 1] == ASCII.quote
    }
}

extension ByteView {
    /// The content of a quoted string, or the bytes themselves if they are none.
    var withoutQuotes: ByteView {
        count >= 2 && first == ASCII.quote && last == ASCII.quote ? self[1..<(count - 1)] : self
    }

    /// Whether the bytes can stand between quotes: no quote, and no control character, which ends the line in some
    /// reader (RFC 8216 4.1, 4.2).
    package var isQuotable: Bool { firstOffset(of: ASCII.quote) == nil && !hasControlCharacter }
}
