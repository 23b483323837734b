internal import ByteScan
internal import CByteScan
internal import WebVTT

/// A line of text that is made of the raw bytes of a WebVTT file: numbers, times, and text with what must be escaped.
///
/// The next byte that is not plain text is found 64 bytes at a time; only such bytes are decided one by one.
struct CueTextBuffer: ~Copyable {
    private var bytes = ReusableBuffer<UInt8>()

    /// The text so far, valid until it changes.
    var view: ByteView { bytes.view }

    mutating func removeAll() { bytes.removeAll() }

    mutating func append(_ literal: StaticString) { bytes.append(ByteView(literal)) }

    /// Appends a number that is not negative.
    mutating func append(_ number: Int64) { bytes.append(contentsOf: DecimalDigits(UInt64(max(0, number)))) }

    /// Appends a time as `HH:MM:SS.mmm`.
    mutating func append(_ time: Timestamp) { time.write(to: &bytes) }

    /// Appends `text` as WebVTT decodes it: NUL and invalid UTF-8 become U+FFFD, and CRLF is one line terminator (W3C
    /// WebVTT, section 6.1, steps 1 to 3).
    mutating func append(_ text: ByteView, as form: CueLine.Form) {
        // The bytes from `start` to `offset` are still to be appended.
        var (start, offset) = (0, text.offsetOfUnusualByte(from: 0))
        while offset < text.count {
            let (count, isKept) = text.unusualText(at: offset, as: form)
            if !isKept {
                bytes.append(text[start..<offset])
                appendSubstitute(for: text[offset..<(offset + count)], as: form)
                start = offset + count
            }
            offset = text.offsetOfUnusualByte(from: offset + count)
        }
        bytes.append(text[start..<text.count])
    }

    private mutating func appendSubstitute(for text: ByteView, as form: CueLine.Form) {
        switch (text[0], form) {
        case (ASCII.carriageReturn, .json), (ASCII.lineFeed, .json): append("\\n")
        case (ASCII.carriageReturn, .readable), (ASCII.lineFeed, .readable): append(" / ")
        case (0, _): append("\u{FFFD}")
        case (ASCII.quote, _): append("\\\"")
        case (ASCII.backslash, _): append("\\\\")
        case (ASCII.tab, _): append("\\t")
        default:
            guard let number = text.hiddenCharacter else { return append("\u{FFFD}") }
            append(form == .json ? "\\u" : "\\u{")
            bytes.append(contentsOf: ASCII.hexadecimal(number, digits: form == .json || number > 0xFF ? 4 : 2))
            if form == .readable { append("}") }
        }
    }
}

extension ByteView {
    /// The offset of the first byte at or after `start` that is not plain text in every form, or ``count``. Such bytes
    /// are control characters, quotes, backslashes, and all bytes of characters outside ASCII.
    fileprivate func offsetOfUnusualByte(from start: Int) -> Int {
        for offset in stride(from: start, to: count, by: Self.blockSize) {
            let block = block(at: offset)
            let marks = block.atMost(0x1F).or(block.equal(to: ASCII.quote)).or(block.equal(to: ASCII.backslash))
                .or(block.equal(to: 0x7F))
            let bits = marks.bits | ~block.atMost(0x7F).bits
            if bits != 0 { return Swift.min(offset + bits.trailingZeroBitCount, count) }
        }
        return count
    }

    /// How many bytes at `offset` belong together, and whether they are kept unchanged.
    fileprivate func unusualText(at offset: Int, as form: CueLine.Form) -> (count: Int, isKept: Bool) {
        switch self[offset] {
        case ASCII.carriageReturn:
            return (offset + 1 < count && self[offset + 1] == ASCII.lineFeed ? 2 : 1, false)
        case ASCII.quote, ASCII.backslash: return (1, form == .readable)
        case ..<0x80: return (1, false)
        default:
            let (count, isWhole) = suffix(from: offset).firstCharacter
            return (count, isWhole && self[offset..<(offset + count)].hiddenCharacter == nil)
        }
    }
}
