import Encodings
import Support
import Testing

/// Bytes of any encoding into UTF-8.
@Suite struct TextDecoderTests {
    /// What a text becomes: what is handed out, from which encoding, and what of it is no character.
    struct Row: CustomTestStringConvertible {
        let bytes: [UInt8]
        let named: String?
        let text: [UInt8]
        let encoding: String?
        /// The stream position of the first byte that is no part of a character, and how many U+FFFD there are.
        let malformed: (position: Int, count: Int)?
        let testDescription: String

        init(
            _ bytes: [UInt8], _ named: String? = nil, is text: String, from encoding: String? = nil,
            malformed: (Int, Int)? = nil, _ why: String
        ) {
            self.init(bytes, named, is: Array(text.utf8), from: encoding, malformed: malformed, why)
        }

        init(
            _ bytes: [UInt8], _ named: String? = nil, is text: [UInt8], from encoding: String? = nil,
            malformed: (Int, Int)? = nil, _ why: String
        ) {
            self.bytes = bytes
            self.named = named
            self.text = text
            self.encoding = encoding
            self.malformed = malformed
            testDescription = why
        }
    }

    static let rows: [Row] = [
        Row([], is: "", "nothing"),
        Row([], "latin1", is: "", from: "latin1", "nothing, in an encoding"),
        Row([0xC3, 0x85, 0x73], is: "Ås", "UTF-8"),
        Row([0xEF, 0xBB, 0xBF, 0x61], is: [0xEF, 0xBB, 0xBF, 0x61], "a mark of UTF-8 is handed on"),
        Row([0xEF, 0xBB, 0xBF, 0xC3, 0x85], "latin1", is: "\u{FEFF}Å", "a mark goes before the name"),
        Row([0x61, 0xE9, 0x62], is: [0x61, 0xE9, 0x62], malformed: (1, 0), "what is not UTF-8 is handed on"),
        Row([0x61, 0xE5, 0xAD], is: [0x61, 0xE5, 0xAD], malformed: (1, 0), "an end inside a character"),
        Row([0xFF, 0xFE, 0x61, 0, 0xE9, 0], is: "aé", from: "UTF-16LE", "UTF-16, low byte first"),
        Row([0xFE, 0xFF, 0, 0x61, 0, 0xE9], "latin1", is: "aé", from: "UTF-16BE", "UTF-16, high byte first"),
        Row([0xFF, 0xFE, 0xFF, 0xFE], is: "\u{FEFF}", from: "UTF-16LE", "a second mark is a character"),
        Row(
            [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x61], is: "a\u{FFFD}\u{FFFD}", from: "UTF-16LE", malformed: (4, 2),
            "half a pair, half a unit"),
        Row([0xFF, 0xFE, 0, 0], is: [0xFF, 0xFE, 0, 0], malformed: (0, 0), "UTF-32 is not read"),
        Row([0x61, 0, 0xE9, 0], "UTF-16LE", is: "aé", from: "UTF-16LE", "UTF-16 without a mark"),
        Row([0x8E, 0x9A, 0x61], "shift_jis", is: "字a", from: "shift_jis", "two bytes a character"),
        Row(
            [0x61, 0x81, 0x20, 0x62], "shift_jis", is: "a\u{FFFD} b", from: "shift_jis", malformed: (1, 1),
            "one byte is replaced"),
        Row([0x61, 0x81], "shift_jis", is: "a\u{FFFD}", from: "shift_jis", malformed: (1, 1), "cut short"),
        Row(
            [0x84, 0x31, 0x95, 0x33, 0x61, 0x84, 0x31, 0x95, 0x33], "GB18030", is: "a\u{FEFF}", from: "GB18030",
            "a mark of a named encoding"),
        Row(
            [0x1B, 0x24, 0x42, 0x3B, 0x7A, 0x1B, 0x28, 0x42, 0x62], "ISO-2022-JP", is: "字b", from: "ISO-2022-JP",
            "escape sequences"),
        Row(
            [0xFF, 0x84, 0x31, 0x95, 0x33, 0x61], "GB18030", is: "\u{FFFD}\u{FEFF}a", from: "GB18030",
            malformed: (0, 1),
            "a mark that comes later is a character"),
        Row(
            [0x3D, 0xD8, 0x61, 0, 0xE9, 0], "UTF-16LE", is: "\u{FFFD}aé", from: "UTF-16LE", malformed: (0, 1),
            "two bytes are replaced"),
        Row(
            [0x61, 0, 0, 0, 0, 0, 0x11, 0, 0x62, 0, 0, 0], "UTF-32LE", is: "a\u{FFFD}b", from: "UTF-32LE",
            malformed: (4, 1),
            "four bytes are"),
        Row(
            [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], "UTF-32", is: "a", from: "UTF-32",
            "a mark of a named encoding tells its order"),
        Row(
            [0x61, 0x80, 0x62], "UTF-7", is: "a\u{FFFD}b", from: "UTF-7", malformed: (1, 1),
            "one byte is, of an encoding without NUL"),
        Row(
            [0x98, 0x98, 0xCF], "windows-1251", is: "\u{FFFD}\u{FFFD}П", from: "windows-1251", malformed: (0, 2),
            "two that are counted"),
    ]

    /// Named for all files at once: it counts for what is certainly not UTF-8.
    static let unlessUTF8: [Row] = [
        Row([], "latin1", is: "", "nothing"),
        Row([0xC3, 0x85, 0x73], "latin1", is: "Ås", "UTF-8"),
        Row([0x57, 0x45, 0x42, 0x56], "latin1", is: "WEBV", "the beginning of a signature"),
        Row([0x61, 0xE9, 0x62], "latin1", is: "aéb", from: "latin1", "what is not UTF-8"),
        Row([0x61, 0xE5, 0xAD], "latin1", is: "aå\u{AD}", from: "latin1", "an end inside a character"),
        Row(
            Array("WEBVTT\n".utf8) + [0xE9], "latin1", is: Array("WEBVTT\n".utf8) + [0xE9], malformed: (7, 0),
            "WebVTT is UTF-8, whatever it has"),
        Row(Array("WEBVT\n".utf8) + [0xE9], "latin1", is: "WEBVT\né", from: "latin1", "nearly WebVTT"),
        Row([0xEF, 0xBB, 0xBF, 0xE9], "latin1", is: [0xEF, 0xBB, 0xBF, 0xE9], malformed: (3, 0), "a mark of UTF-8"),
        Row([0xFF, 0xFE, 0x61, 0, 0xE9, 0], "latin1", is: "aé", from: "UTF-16LE", "a mark of UTF-16"),
        Row([0x61, 0, 0x62, 0], "UTF-16LE", is: "ab", from: "UTF-16LE", "no text in UTF-8 has a NUL"),
        Row(
            [0x62, 0x1B, 0x24, 0x42, 0x3B, 0x7A, 0x1B, 0x28, 0x42], "ISO-2022-JP", is: "b字", from: "ISO-2022-JP",
            "nor an escape"),
        Row([0x8E, 0x9A, 0x61], "shift_jis", is: "字a", from: "shift_jis", "two bytes a character"),
        Row([0x61, 0xE9], is: [0x61, 0xE9], malformed: (1, 0), "no encoding is named"),
    ]

    @Test(arguments: unlessUTF8)
    func whatIsUTF8StaysWhatItIs(_ row: Row) throws {
        try Self.decodesChunksOfAnySize(row, .unlessUTF8)
        let named = try row.named.map { try TextEncoding($0) }
        if row.bytes.starts(with: Array("WEBVTT".utf8)) {
            #expect(TextDecoder.encoding(of: row.bytes, in: named, .unlessUTF8) == nil)
        }
    }

    /// An encoding that is named for one file counts whatever that begins with, and one for all files not for WebVTT.
    @Test func whatAHeadTells() throws {
        let latin = try TextEncoding("latin1")
        for (head, always, unlessUTF8) in [
            ("WEBVTT", "latin1", nil), ("WEBVTT\n", "latin1", nil), ("WEBVT", "latin1", "latin1"),
            ("", "latin1", "latin1"),
            ("\u{FEFF}WEBVTT", nil, nil),
        ] as [(String, String?, String?)] {
            let bytes = Array(head.utf8)
            #expect(TextDecoder.encoding(of: bytes, in: latin)?.name == always, "\(head)")
            #expect(TextDecoder.encoding(of: bytes, in: latin, .unlessUTF8)?.name == unlessUTF8, "\(head)")
            #expect(TextDecoder.encoding(of: bytes) == nil && TextDecoder.encoding(of: bytes, .unlessUTF8) == nil)
        }
    }

    /// While it is not known whether a text is UTF-8, the beginning of a character counts, and nothing is replaced.
    @Test func whatIsHeldReplacesNothing() throws {
        let decoder = try TextDecoder(in: TextEncoding("latin1"), .unlessUTF8)
        #expect(decoder.malformed == nil)
        unsafe decoder.write([0x65]) { _ in }
        #expect(decoder.malformed == nil)
        unsafe (Array("leven and ".utf8) + [0xC3])
            .withUnsafeBytes { chunk in
                unsafe decoder.write(chunk) { _ in }
            }
        #expect(decoder.malformed?.position == 11 && decoder.malformed?.replacementCount == 0)
        #expect(decoder.encoding == nil)
    }

    /// A file is held only so long: what is longer is UTF-8, and what of it is not is told.
    @Test func onlySoMuchIsHeld() throws {
        let part = [UInt8](repeating: 0x61, count: 4 << 20)
        for (more, isDecoded) in [(0, true), (1, false)] {
            let count = 16_777_216 + more
            let decoder = try TextDecoder(in: TextEncoding("latin1"), .unlessUTF8)
            var last: UInt8 = 0
            var length = 0
            for chunk in Array(repeating: part, count: 4) + [Array(part[..<more]), [0xFF]] {
                unsafe chunk.withUnsafeBytes { chunk in
                    unsafe decoder.write(chunk) { bytes in
                        length += bytes.count
                        last = unsafe bytes.last ?? last
                    }
                }
            }
            unsafe decoder.finish { bytes in
                length += bytes.count
                last = unsafe bytes.last ?? last
            }
            #expect(length == count + (isDecoded ? 2 : 1) && last == (isDecoded ? 0xBF : 0xFF))
            #expect(decoder.encoding?.name == (isDecoded ? "latin1" : nil))
            #expect(decoder.malformed?.position == (isDecoded ? nil : count))
        }
    }

    private static func check(
        _ row: Row, _ text: [UInt8], _ encoding: TextEncoding?, _ malformed: MalformedText?
    ) {
        #expect(text == row.text)
        #expect(encoding?.name == row.encoding)
        #expect(malformed?.position == row.malformed?.position)
        #expect(malformed?.replacementCount == row.malformed?.count)
        if malformed != nil { #expect(malformed?.encoding == encoding) }
    }

    @Test(arguments: rows)
    func decodesChunksOfAnySize(_ row: Row) throws {
        try Self.decodesChunksOfAnySize(row, .always)
        let named = try row.named.map { try TextEncoding($0) }
        #expect(TextDecoder.encoding(of: row.bytes, in: named)?.name == row.encoding)
    }

    private static func decodesChunksOfAnySize(_ row: Row, _ use: TextDecoder.Use) throws {
        let named = try row.named.map { try TextEncoding($0) }
        for split in Splits.all(of: row.bytes.count) {
            let decoder = try TextDecoder(in: named, use)
            var text: [UInt8] = []
            // Nothing is handed out where there is nothing.
            func take(_ bytes: UnsafeRawBufferPointer) {
                unsafe text.append(contentsOf: bytes)
                #expect(bytes.count > 0)
            }
            for range in split {
                let chunk = GuardedBytes(Array(row.bytes[range]))
                unsafe decoder.write(chunk.buffer) { bytes in unsafe take(bytes) }
            }
            unsafe decoder.finish { bytes in unsafe take(bytes) }
            Self.check(row, text, decoder.encoding, decoder.malformed)
        }
    }

    @Test(arguments: rows)
    func decodesAWhole(_ row: Row) throws {
        let named = try row.named.map { try TextEncoding($0) }
        let text = try DecodedText(row.bytes, in: named)
        Self.check(row, text.bytes, text.encoding, text.malformed)
        let decoder = try TextDecoder(in: named)
        var slices: [UInt8] = []
        for slice in [row.bytes[..<(row.bytes.count / 2)], row.bytes[(row.bytes.count / 2)...]] {
            unsafe decoder.write(slice) { bytes in unsafe slices.append(contentsOf: bytes) }
        }
        unsafe decoder.finish { bytes in unsafe slices.append(contentsOf: bytes) }
        #expect(slices == text.bytes)
        if let malformed = text.malformed {
            #expect(throws: malformed) { try text.wellFormed() }
        } else {
            #expect(try text.wellFormed() == row.text)
        }
    }

    /// More than the buffers inside hold, cut where it hurts.
    @Test(arguments: [nil, "UTF-16BE", "gb18030"])
    func decodesLongTexts(_ named: String?) throws {
        let text = String(repeating: "é字🎬a", count: 20_000)
        let wide = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let bytes: [UInt8] =
            switch named {
            case nil: [0xFE, 0xFF] + wide
            case "UTF-16BE": wide
            // é, 字, 🎬 (four bytes), a
            default:
                Array(repeatElement([0xA8, 0xA6, 0xD7, 0xD6, 0x94, 0x39, 0xC1, 0x30, 0x61], count: 20_000).joined())
            }
        let encoding = try named.map { try TextEncoding($0) }
        #expect(try DecodedText(bytes, in: encoding).wellFormed() == Array(text.utf8))
        for size in [16 << 10, 65_537, 7919] {
            let decoder = try TextDecoder(in: encoding)
            var decoded: [UInt8] = []
            for range in Splits.even(of: bytes.count, size: size) {
                unsafe bytes.withUnsafeBytes { bytes in
                    let chunk = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                    unsafe decoder.write(chunk) { part in unsafe decoded.append(contentsOf: part) }
                }
            }
            unsafe decoder.finish { part in unsafe decoded.append(contentsOf: part) }
            #expect(decoded == Array(text.utf8) && decoder.malformed == nil)
        }
    }

    /// Where the first malformed byte is in a text that is longer than what is converted at a time.
    @Test(arguments: [0, 16_383, 16_384, 40_000])
    func malformedFarOn(_ position: Int) throws {
        let text = [UInt8](repeating: 0x61, count: position)
        let decoded = try DecodedText(text + [0x81, 0x20, 0x81, 0x20], in: TextEncoding("shift_jis"))
        #expect(decoded.bytes == text + Array("\u{FFFD} \u{FFFD} ".utf8))
        #expect(decoded.malformed?.position == position && decoded.malformed?.replacementCount == 2)
    }

    /// What some systems' iconv knows: bytes that become nine each, and one that is kept back until the next is known.
    @Test func bytesThatBecomeMany() throws {
        if let tamil = try? TextEncoding("TSCII") {
            let decoded = try DecodedText([UInt8](repeating: 0x87, count: 20_000), in: tamil)
            // Where its output is full, glibc 2.36 puts two characters the other way round.
            #expect(decoded.bytes.starts(with: "\u{B95}\u{BCD}\u{BB7}".utf8) && decoded.bytes.count == 180_000)
            #expect(decoded.malformed == nil)
        }
        if let chinese = try? TextEncoding("BIG5-HKSCS") {
            #expect(try DecodedText([0x88, 0x66], in: chinese).wellFormed() == Array("\u{CA}".utf8))
        }
    }

    @Test func whatTheBodyThrowsEndsTheChunk() throws {
        struct Enough: Error, Equatable {}
        for named in [nil, try TextEncoding("latin1")] {
            let decoder = try TextDecoder(in: named)
            #expect(throws: Enough.self) {
                try unsafe Array("abcdefgh".utf8).withUnsafeBytes { bytes in
                    try unsafe decoder.write(bytes) { _ throws(Enough) in throw Enough() }
                }
            }
        }
    }

    @Test(arguments: ["klingon", "utf-8//TRANSLIT", "a b", "latin1,x", "é", "", "a\u{0}b"])
    func anUnknownNameIsRefused(_ name: String) {
        #expect { try TextEncoding(name) } throws: { error in
            let error = error as? UnknownEncodingError
            let words = "is no encoding that this system's iconv knows"
            return error?.name == name && error?.description.contains(words) == true
        }
    }

    @Test func errorsSayWhere() throws {
        #expect(
            try DecodedText([0x61, 0xE9]).malformed?.description == "at byte 1: not UTF-8, so that players show U+FFFD")
        #expect(
            try DecodedText([0x61, 0x81], in: TextEncoding("shift_jis")).malformed?.description
                == "at byte 1: not shift_jis; U+FFFD stands for what is no character, 1 in all")
    }
}
