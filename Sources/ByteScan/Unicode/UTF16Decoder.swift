/// Turns UTF-16 into UTF-8, over chunks of any size (Unicode 17, section 3.9, table 3-5 and 3-6).
///
/// A unit of two bytes that is half of a pair without the other half becomes U+FFFD, and so does a byte that is left at
/// the end. They are counted. A byte order mark is a character like any other: whoever has read one at the beginning of
/// a file does not pass it here.
package struct UTF16Decoder: Sendable {
    /// How many U+FFFD stand for what is no character.
    package private(set) var malformedCount = 0
    /// The stream position, in bytes, of the first of these.
    package private(set) var firstMalformed: Int?

    private let order: UTF16Order
    /// The stream position of the next byte.
    private var position: Int
    /// The first byte of a unit whose second is still to come.
    private var first: UInt8?
    /// The first unit of a pair whose second is still to come.
    private var high: UInt16?

    /// A decoder of a file of which `skipped` bytes have been read by others.
    package init(_ order: UTF16Order, after skipped: Int = 0) {
        self.order = order
        position = skipped
    }

    /// Decodes the next chunk, and appends the characters that are whole to `output`.
    package mutating func write(_ chunk: ByteView, into output: inout ReusableBuffer<UInt8>) {
        var offset = 0
        if let first, !chunk.isEmpty {
            self.first = nil
            position &+= 1
            offset = 1
            take(unit(first, chunk[0]), &output)
        }
        while offset &+ 1 < chunk.count {
            position &+= 2
            take(unit(chunk[offset], chunk[offset &+ 1]), &output)
            offset &+= 2
        }
        if offset < chunk.count {
            first = chunk[offset]
            position &+= 1
        }
    }

    /// Ends the text: what is left of it is no character.
    package mutating func finish(into output: inout ReusableBuffer<UInt8>) {
        let tail = first == nil ? 0 : 1
        if high != nil { replace(at: position &- tail &- 2, &output) }
        if first != nil { replace(at: position &- 1, &output) }
        high = nil
        first = nil
    }

    @inline(__always)
    private func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        order == .bigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
    }

    /// Takes a unit that ends at `position`.
    @inline(__always)
    private mutating func take(_ unit: UInt16, _ output: inout ReusableBuffer<UInt8>) {
        if high == nil, unit < 0x80 { return output.append(UInt8(truncatingIfNeeded: unit)) }
        takeRare(unit, &output)
    }

    @inline(never)
    private mutating func takeRare(_ unit: UInt16, _ output: inout ReusableBuffer<UInt8>) {
        let isLow = 0xDC00...0xDFFF ~= unit
        if let high {
            self.high = nil
            if isLow {
                return append(0x10000 &+ UInt32(high &- 0xD800) << 10 | UInt32(unit &- 0xDC00), &output)
            }
            replace(at: position &- 4, &output)
        }
        switch unit {
        case 0xD800...0xDBFF: high = unit
        case 0xDC00...0xDFFF: replace(at: position &- 2, &output)
        default: append(UInt32(unit), &output)
        }
    }

    private mutating func replace(at position: Int, _ output: inout ReusableBuffer<UInt8>) {
        malformedCount &+= 1
        firstMalformed = firstMalformed ?? position
        append(0xFFFD, &output)
    }

    /// Appends the character `scalar` in UTF-8.
    private func append(_ scalar: UInt32, _ output: inout ReusableBuffer<UInt8>) {
        func trail(_ shift: UInt32) { output.append(UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift) & 0x3F)) }
        switch scalar {
        case ..<0x80: output.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            output.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            trail(0)
        case ..<0x1_0000:
            output.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            trail(6)
            trail(0)
        default:
            output.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
            trail(12)
            trail(6)
            trail(0)
        }
    }
}
