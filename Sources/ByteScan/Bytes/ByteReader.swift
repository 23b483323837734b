/// Reads a text of a fixed form, such as a date, from left to right.
package struct ByteReader {
    /// What has not been read.
    package private(set) var rest: ByteView

    /// A reader at the beginning of `bytes`.
    package init(_ bytes: ByteView) { rest = bytes }

    /// Goes past `literal`, and tells whether it was there.
    package mutating func skip(_ literal: StaticString) -> Bool { skip(ByteView(literal)) }

    /// Goes past `bytes`, and tells whether they were there.
    package mutating func skip(_ bytes: ByteView) -> Bool {
        guard rest.hasBytes(bytes, at: 0) else { return false }
        rest = rest.suffix(from: bytes.count)
        return true
    }

    /// Goes past the digits that come next, none perhaps, and returns them.
    package mutating func digits() -> ByteView { bytes(while: ASCII.isDigit) }

    /// Goes past the bytes that match, none perhaps, and returns them.
    package mutating func bytes(while matches: (UInt8) -> Bool) -> ByteView {
        let bytes = rest.prefix(upTo: rest.offset(from: 0, while: matches))
        rest = rest.suffix(from: bytes.count)
        return bytes
    }

    /// Goes past a number of exactly so many digits, and returns it; nil if there is none.
    package mutating func number(_ digitCount: Int) -> Int? {
        guard digitCount <= rest.count, let number = Int(decimal: rest.prefix(upTo: digitCount)) else { return nil }
        rest = rest.suffix(from: digitCount)
        return number
    }
}
