internal import ByteScan

/// Which part of a resource a 206 has, by its Content-Range (RFC 9110 14.4).
package struct ContentRange: Equatable {
    /// The positions of its first and its last byte.
    package let bytes: ClosedRange<Int>
    /// How long the whole resource is; nil if the origin does not know.
    package let total: Int?

    /// Parses `bytes 0-15/100` or `bytes 0-15/*`; nil if it is something else, or contradicts itself.
    init?(_ value: ByteView) {
        guard let space = value.firstOffset(of: ASCII.space), value.prefix(upTo: space).equalsIgnoringCase("bytes")
        else { return nil }
        let rest = value.suffix(from: space).trimmed
        guard let hyphen = rest.firstOffset(of: ASCII.hyphen),
            let slash = rest.firstOffset(of: ASCII.slash, from: hyphen),
            let first = Self.number(rest.prefix(upTo: hyphen)),
            let last = Self.number(rest[(hyphen &+ 1)..<slash]), first <= last
        else { return nil }
        let total = rest.suffix(from: slash &+ 1)
        if total == "*" {
            self.total = nil
        } else {
            guard let number = Self.number(total), last < number else { return nil }
            self.total = number
        }
        bytes = first...last
    }

    /// Whether this is what was `asked` for: all of it, or as much as there is up to the resource's end.
    func answers(_ asked: FetchRange) -> Bool {
        switch asked {
        case .bytes(let range):
            guard bytes.lowerBound == range.lowerBound else { return false }
            return bytes.upperBound == range.upperBound
                || bytes.upperBound < range.upperBound && total == bytes.upperBound &+ 1
        case .suffix(let count):
            guard let total else { return false }
            return bytes.upperBound == total &- 1 && bytes.lowerBound == max(0, total &- count)
        }
    }

    /// The number that all of `digits` are; nil if they are none, or there are more than 18: a length that nobody has.
    static func number(_ digits: ByteView) -> Int? { digits.count <= 18 ? Int(decimal: digits) : nil }
}
