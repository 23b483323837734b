import ByteScan
import Support
import Testing

/// UTF-16 into UTF-8, and what a byte order mark says.
@Suite struct UTF16DecoderTests {
    private static func decode(
        _ bytes: [UInt8], _ order: UTF16Order, _ split: [Range<Int>], after skipped: Int = 0
    ) -> (text: [UInt8], count: Int, first: Int?) {
        var decoder = UTF16Decoder(order, after: skipped)
        var output = ReusableBuffer<UInt8>()
        var text: [UInt8] = []
        for range in split {
            let chunk = GuardedBytes(Array(bytes[range]))
            unsafe decoder.write(ByteView(chunk.buffer), into: &output)
            text += Array(output.view)
            output.removeAll()
        }
        decoder.finish(into: &output)
        return (text + Array(output.view), decoder.malformedCount, decoder.firstMalformed)
    }

    /// Units, and how many of them are no character, and which is the first.
    private static let rows: [(units: [UInt16], malformed: Int, first: Int?)] = [
        ([], 0, nil),
        (Array("WEBVTT\n".utf16), 0, nil),
        (Array("\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}".utf16), 0, nil),
        // A mark that is not at the beginning of a file, or is read by nobody, is a character.
        (Array("\u{FEFF}a\u{FEFF}".utf16), 0, nil),
        ([0x61, 0xD83D], 1, 1), ([0xD83D, 0x61], 1, 0), ([0xDC00, 0x61], 1, 0), ([0xDFFF], 1, 0),
        ([0xD83D, 0xD83D, 0xDC00, 0x61], 1, 0), ([0xD800, 0xDBFF, 0xE9], 2, 0), ([0x61, 0xDC00, 0xD800], 2, 1),
        ([0xD7FF, 0xE000], 0, nil),
    ]

    @Test(arguments: [UTF16Order.bigEndian, .littleEndian])
    func unitsBecomeCharacters(_ order: UTF16Order) {
        for (units, malformed, first) in Self.rows {
            let bytes = units.flatMap { unit in
                let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
                return order == .bigEndian ? pair : pair.reversed()
            }
            // The standard library's own decoder, which replaces as this one does.
            let text = Array(String(decoding: units, as: UTF16.self).utf8)
            for split in Splits.all(of: bytes.count) {
                let decoded = Self.decode(bytes, order, split)
                #expect(decoded.text == text && decoded.count == malformed && decoded.first == first.map { 2 * $0 })
                // A byte that is left over.
                let odd = Self.decode(bytes + [0x61], order, split + [bytes.count..<bytes.count + 1], after: 2)
                #expect(odd.text == text + [0xEF, 0xBF, 0xBD] && odd.count == malformed + 1)
                #expect(odd.first == 2 + (first.map { 2 * $0 } ?? bytes.count))
            }
        }
    }

    @Test func marksHaveBytes() {
        let marks: [(ByteOrderMark, [UInt8])] = [
            (.absent, []), (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16(.bigEndian), [0xFE, 0xFF]),
            (.utf16(.littleEndian), [0xFF, 0xFE]),
        ]
        for (mark, bytes) in marks {
            #expect(mark.count == bytes.count)
            #expect((bytes + [0x61, 0x62]).withView { ByteOrderMark(head: $0, isWhole: false) } == mark)
            // As many bytes as decide do so at any rate.
            let head = (bytes + [0, 0, 0, 0]).prefix(ByteOrderMark.decidingByteCount)
            #expect(Array(head).withView { ByteOrderMark(head: $0, isWhole: false) } != nil)
        }
        #expect(ByteOrderMark.decidingByteCount == 4)
        #expect(ByteView("\u{FEFF}ab").withoutMark == "ab" && ByteView("\u{FEFF}").withoutMark.isEmpty)
        #expect(ByteView("a\u{FEFF}").withoutMark == "a\u{FEFF}" && ByteView().withoutMark.isEmpty)
        #expect([0xEF, 0xBB].withView { $0.withoutMark.count } == 2)
    }

    /// The first bytes of a file, and what they say once all of it is known.
    @Test(
        arguments: [
            ([], .absent), ([0xFF], .absent), ([0xFE], .absent), ([0xEF], .absent), ([0xEF, 0xBB], .absent),
            ([0xFF, 0xFE], .utf16(.littleEndian)), ([0xFE, 0xFF], .utf16(.bigEndian)),
            ([0xFF, 0xFE, 0], .utf16(.littleEndian)), ([0xFF, 0xFE, 0, 0], .absent),
            ([0xFF, 0xFE, 0, 1], .utf16(.littleEndian)), ([0xFF, 0xFE, 1, 0], .utf16(.littleEndian)),
            ([0xFE, 0xFF, 0, 0], .utf16(.bigEndian)), ([0xEF, 0xBB, 0xBF], .utf8), ([0xEF, 0xBB, 0xBE], .absent),
            ([0x31, 0xFF, 0xFE], .absent), ([0xFE, 0xFE], .absent), ([0xFF, 0xFF], .absent),
        ] as [([UInt8], ByteOrderMark)])
    func theMarkDecides(_ head: [UInt8], _ mark: ByteOrderMark) {
        #expect(head.withView { ByteOrderMark(head: $0, isWhole: true) } == mark)
        // A part of the head says the same or nothing, and nothing only if what may follow could change it.
        for count in 0...head.count {
            let part = Array(head[..<count])
            let told = part.withView { ByteOrderMark(head: $0, isWhole: false) }
            #expect(told == nil || told == mark)
            let isOpen = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE, 0, 0]].contains {
                part.count < $0.count && $0.starts(with: part)
            }
            #expect((told == nil) == isOpen)
        }
    }
}
