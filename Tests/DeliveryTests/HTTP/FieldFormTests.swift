import ByteScan
import Support
import Testing

@testable import Delivery

/// How names and lists are read some bytes at a time, against one byte after the other.
@Suite struct FieldFormTests {
    /// A name is that of a field in any case of letters, and with no other byte in the place of one of its own.
    @Test(arguments: FieldName.allCases)
    func aNameWithAnotherByteIsNone(field: FieldName) {
        let name = Array(ByteView(field.spelling))
        for offset in name.indices {
            for byte in UInt8.min...UInt8.max {
                var other = name
                other[offset] = byte
                let isSame = ASCII.lowercased(byte) == ASCII.lowercased(name[offset])
                #expect(other.withView { FieldName($0) } == (isSame ? field : nil), "\(field), \(byte) at \(offset)")
            }
        }
        #expect(name.dropLast().withView { FieldName($0) } != field)
        #expect((name + name.suffix(1)).withView { FieldName($0) } != field)
    }

    /// The elements of `value`, from its first byte to its last.
    static func elements(of value: [UInt8], _ quoting: FieldList.Quoting) -> [[UInt8]] {
        var (elements, isQuoted, isEscaped): ([[UInt8]], Bool, Bool) = ([[]], false, false)
        for byte in value {
            if isEscaped {
                isEscaped = false
            } else if byte == ASCII.comma, !isQuoted {
                elements.append([])
                continue
            } else if byte == ASCII.quote {
                isQuoted.toggle()
            } else {
                isEscaped = isQuoted && byte == UInt8(ascii: "\\") && quoting == .strings
            }
            elements[elements.count - 1].append(byte)
        }
        return elements.map { $0.withView { Array($0.trimmed) } }.filter { !$0.isEmpty }
    }

    @Test func listsAreReadAsByteByByte() {
        var generator = SeededGenerator(seed: 9)
        for round in 0..<20_000 {
            let common = Array("abcdefgh-=; \u{AC}\"\\,".utf8)
            let value = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                common[Int.random(in: round % 2 == 0 ? 0..<common.count : 10..<common.count, using: &generator)]
            }
            for quoting in [FieldList.Quoting.strings, .entityTags] {
                let found = value.withView { view in
                    var list = FieldList(view, quoting)
                    var elements: [[UInt8]] = []
                    while let element = list.next() { elements.append(Array(element)) }
                    return elements
                }
                #expect(found == Self.elements(of: value, quoting), "\(value)")
            }
        }
    }

    /// Whatever stands where the fingerprint's digits do, and of tags of any length.
    @Test func onlySmallDigitsAreAFingerprint() {
        for length in 0..<20 {
            let origin = Array("\"\(String(repeating: "x", count: length))".utf8)
            var derived = ReusableBuffer<UInt8>()
            (origin + [ASCII.quote]).withView { EntityTag($0)?.writeDerived(0x0123_4567_89AB_CDEF, into: &derived) }
            let tag = Array(derived.view)
            #expect(tag == origin + Array("-surtitle-0123456789abcdef\"".utf8))
            for offset in (tag.count - 17)..<(tag.count - 1) {
                for byte in UInt8.min...UInt8.max where byte != ASCII.quote {
                    var other = tag
                    other[offset] = byte
                    let found = other.withView { EntityTag($0)?.derivation?.fingerprint }
                    let isDigit = ASCII.hexadecimal(byte) != nil && byte == ASCII.lowercased(byte)
                    #expect((found != nil) == isDigit, "\(byte) at \(offset)")
                    #expect(byte != tag[offset] || found == 0x0123_4567_89AB_CDEF)
                }
            }
        }
    }

    /// What may stand in a tag (RFC 9110 8.8.3), in each place of short and long ones, beside digits and letters.
    @Test(arguments: [UInt8(ascii: "1"), UInt8(ascii: "z")])
    func whatATagMayHave(_ other: UInt8) {
        for count in 1...20 {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var opaque = [UInt8](repeating: other, count: count)
                    opaque[place] = byte
                    let isTag = ([ASCII.quote] + opaque + [ASCII.quote]).withView { EntityTag($0) != nil }
                    let mayBeThere = byte == 0x21 || 0x23...0x7E ~= byte || byte >= 0x80
                    if isTag != mayBeThere { Issue.record("\(byte) at \(place) of \(count)") }
                }
            }
        }
    }
}
