import ByteScan
import Testing

@testable import Delivery

/// Bytes are compared by eights, as if one after the other.
@Suite struct HTTPSyntaxTests {
    @Test func lowercasedWords() {
        for byte in UInt8.min...UInt8.max {
            for place in UInt64(0)..<8 {
                for others in [UInt8(0), 0x40, 0x5A, 0x80, 0xFF] {
                    let rest = UInt64(others) &* 0x0101_0101_0101_0101 & ~(0xFF << (8 * place))
                    let word = HTTPSyntax.lowercased(rest | UInt64(byte) << (8 * place))
                    let expected = HTTPSyntax.lowercased(byte)
                    #expect(UInt8(truncatingIfNeeded: word >> (8 * place)) == expected, "\(byte) at \(place)")
                    let beside = (place + 1) % 8
                    #expect(UInt8(truncatingIfNeeded: word >> (8 * beside)) == HTTPSyntax.lowercased(others))
                }
            }
        }
    }

    @Test func equalIgnoringCase() {
        let text = Array("If-Modified-Since[@`{é".utf8)
        for count in 0...text.count {
            let part = Array(text[..<count])
            #expect(isEqual(part, part) && isEqual(part.map(HTTPSyntax.lowercased), part))
            #expect(!isEqual(part, part + [0x20]))
            for offset in 0..<count {
                var other = part
                // Another byte, unless it is the same letter in the other case.
                for bit in [UInt8(1), 0x20, 0x80] {
                    other[offset] = part[offset] ^ bit
                    let isSame = HTTPSyntax.lowercased(other[offset]) == HTTPSyntax.lowercased(part[offset])
                    #expect(isEqual(part, other) == isSame, "\(count), \(offset), \(bit)")
                }
            }
        }
    }

    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withView { left in right.withView { left.equalsIgnoringCase($0) } }
    }
}
