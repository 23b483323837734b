import ByteScan
import Support
import Testing

/// What is read of texts and written into them, byte by byte.
@Suite struct TextTests {
    @Test(
        arguments: [
            ("", ""), (" ", ""), (" \t ", ""), ("a", "a"), (" a", "a"), ("a\t", "a"), (" \ta b\t ", "a b"),
            ("\u{0C}a\n", "\u{0C}a\n"),
        ])
    func trims(_ text: String, _ trimmed: String) {
        let bytes = GuardedBytes(Array(text.utf8))
        let view = unsafe ByteView(bytes.buffer)
        #expect(Array(view.trimmed) == Array(trimmed.utf8))
        #expect(view.offset(from: 0, while: ASCII.isBlank) == text.prefix { $0 == " " || $0 == "\t" }.utf8.count)
        let all = view.trimmedRange(0..<view.count) { _ in true }
        #expect(all.isEmpty && all.lowerBound == view.count)
    }

    @Test(
        arguments: [
            ("a%20b", "a b"), ("%41%6a%6A", "Ajj"), ("%", "%"), ("%4", "%4"), ("%4g%g4", "%4g%g4"), ("%%41", "%A"),
            ("a%2", "a%2"), ("", ""), ("%25%32%35", "%25"),
        ])
    func undoesEscapes(_ text: String, _ decoded: String) {
        let bytes = GuardedBytes(Array(text.utf8))
        #expect(unsafe ByteView(bytes.buffer).percentDecoded == Array(decoded.utf8))
    }

    @Test func escapes() {
        let all = Array(UInt8.min...UInt8.max)
        let encoded = all.percentEncoded(keeping: ASCII.isLetter)
        #expect(encoded.withView(\.percentDecoded) == all)
        #expect(encoded.count == 52 + 3 * (256 - 52))
        #expect(Array("a é/".utf8).percentEncoded(keeping: ASCII.isLetter) == Array("a%20%C3%A9%2F".utf8))
    }

    @Test(
        arguments: [
            ("", 0), ("a", 1), ("é", 2), ("a\u{10FFFF}", 5),
        ])
    func wholeCharactersAreUTF8(_ text: String, _ count: Int) {
        let whole = Array(text.utf8)
        #expect(whole.withView(\.validUTF8Count) == count)
        let faults: [[UInt8]] = [[0xFF], [0x80], [0xC3], [0xE2, 0x80], [0xED, 0xA0, 0x80], [0xC0, 0x80]]
        for wrong in faults {
            #expect((whole + wrong).withView(\.validUTF8Count) == count)
            #expect((whole + wrong + whole).withView(\.validUTF8Count) == count)
        }
    }

    @Test func aReaderGoesFromLeftToRight() {
        let text = GuardedBytes(Array("2024-02x0077".utf8))
        var reader = unsafe ByteReader(ByteView(text.buffer))
        #expect(reader.number(5) == nil && reader.number(4) == 2024)
        #expect(!reader.skip("+") && reader.skip("-") && reader.number(3) == nil && reader.number(2) == 2)
        #expect(reader.digits().isEmpty && reader.skip("x") && !reader.skip("00770"))
        #expect(Array(reader.digits()) == Array("0077".utf8) && reader.rest.isEmpty)
        #expect(reader.number(1) == nil && reader.skip("") && reader.number(0) == nil)
    }

    /// A collection in one piece is handed out as it lies, any other as a copy; an error comes through as it is.
    @Test func bytesOfCollections() throws {
        struct Refused: Error, Equatable {}
        let bytes = Array("abc".utf8)
        let place = bytes.withUnsafeBytes { $0.baseAddress }
        #expect(bytes.withBytes { $0.baseAddress } == place && bytes[1...].withBytes { Array($0) } == [0x62, 0x63])
        #expect(AnyCollection(bytes).withBytes { Array($0) } == bytes)
        for isInOnePiece in [true, false] {
            #expect(throws: Refused()) {
                let body: (UnsafeRawBufferPointer) throws(Refused) -> Int = { _ throws(Refused) in throw Refused() }
                _ = isInOnePiece ? try bytes.withBytes(body) : try AnyCollection(bytes).withBytes(body)
            }
        }
        #expect([UInt8](utf8: "é") == [0xC3, 0xA9] && String(utf8: [0xC3, 0xA9, 0xFF]) == "é\u{FFFD}")
    }

    @Test func aViewOfNothing() {
        #expect([UInt8]().withView { $0.count } == 0 && "".withView { $0.count } == 0)
        #expect("é".withView { Array($0) } == [0xC3, 0xA9])
    }
}
