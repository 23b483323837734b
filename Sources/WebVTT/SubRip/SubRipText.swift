import ByteScan

/// A line of SubRip text on its way to cue text (W3C WebVTT, sections 4.2.2 and 6.4).
///
///     <b> <i> <u> and their end tags      kept, in lower case and without attributes
///     <font …>, </font>, other tags       left out: `<` or `</`, a letter, and a `>` before the next `<`
///     {\…}                                left out, with a `}` before the next `{`
///     any other <                         &lt;
///     & of &amp; &lt; &gt; &nbsp; &lrm; &rlm;    kept
///     any other &                         &amp;
///     the > that would end an arrow       &gt;
///     NUL                                 U+FFFD, which is what a WebVTT parser makes of it
struct SubRipText {
    private let line: ByteView

    init(_ line: ByteView) { self.line = line }

    /// Appends the line without its line ending; a line of which only white space is left is none.
    ///
    /// Returns whether there is a line.
    func write(to output: inout ReusableBuffer<UInt8>) -> Bool {
        let start = output.count
        var offset = 0
        while let special = specialOffset(from: offset) {
            output.append(line[offset..<special])
            offset = writeSpecial(line[special], at: special, to: &output)
        }
        output.append(line.suffix(from: offset))
        return trim(&output, downTo: start)
    }

    /// The offset of the first byte at or after `start` that is not always copied, or nil.
    @inline(__always)
    private func specialOffset(from start: Int) -> Int? {
        var offset = start
        while offset < line.count {
            let block = line.block(at: offset)
            let bits = block.equal(to: ASCII.lessThan).or(block.equal(to: ASCII.ampersand))
                .or(block.equal(to: ASCII.greaterThan)).or(block.equal(to: ASCII.openingBrace))
                .or(block.equal(to: 0)).bits
            // A block that reaches past the end has zeros there.
            if bits != 0 {
                let found = offset &+ bits.trailingZeroBitCount
                return found < line.count ? found : nil
            }
            offset &+= ByteView.blockSize
        }
        return nil
    }

    /// Writes what becomes of the special `byte` at `offset`, and returns the offset of the first byte that it does not cover.
    private func writeSpecial(_ byte: UInt8, at offset: Int, to output: inout ReusableBuffer<UInt8>) -> Int {
        switch byte {
        case ASCII.lessThan:
            if let end = writeTag(at: offset, to: &output) { return end }
            output.append(ByteView("&lt;"))
        case ASCII.ampersand:
            output.append(isReference(at: offset) ? ByteView("&") : ByteView("&amp;"))
        case ASCII.greaterThan:
            // The output is asked: what is left out between the hyphens and this byte does not keep them apart.
            output.append(output.view.endsInHyphens ? ByteView("&gt;") : ByteView(">"))
        case ASCII.openingBrace:
            if let end = line.offsetAfterOverride(at: offset) { return end }
            output.append(byte)
        default:
            output.append(ByteView("\u{FFFD}"))
        }
        return offset &+ 1
    }

    /// Whether the `&` at `offset` begins a character reference that every WebVTT parser knows.
    private func isReference(at offset: Int) -> Bool {
        line.hasBytes("&amp;", at: offset) || line.hasBytes("&lt;", at: offset) || line.hasBytes("&gt;", at: offset)
            || line.hasBytes("&nbsp;", at: offset) || line.hasBytes("&lrm;", at: offset)
            || line.hasBytes("&rlm;", at: offset)
    }

    /// Keeps or leaves out the tag at `offset`, and returns the offset after it; nil if the `<` begins no tag.
    private func writeTag(at offset: Int, to output: inout ReusableBuffer<UInt8>) -> Int? {
        let isEndTag = line.has(ASCII.slash, at: offset &+ 1)
        let name = offset &+ (isEndTag ? 2 : 1)
        guard name < line.count, ASCII.isLetter(line[name]) else { return nil }
        var close = name
        while close < line.count, line[close] != ASCII.greaterThan {
            if line[close] == ASCII.lessThan { return nil }
            close &+= 1
        }
        guard close < line.count else { return nil }

        let letter = line[name] | 0x20
        let isWholeName = name &+ 1 == close || ASCII.isLineSpace(line[name &+ 1]) || line[name &+ 1] == ASCII.slash
        if isWholeName, letter == UInt8(ascii: "b") || letter == UInt8(ascii: "i") || letter == UInt8(ascii: "u") {
            output.append(isEndTag ? ByteView("</") : ByteView("<"))
            output.append(letter)
            output.append(ASCII.greaterThan)
        }
        return close &+ 1
    }

    /// Removes the white space at the end of the line that begins at `start`, and returns whether anything is left.
    private func trim(_ output: inout ReusableBuffer<UInt8>, downTo start: Int) -> Bool {
        var end = output.count
        while end > start, ASCII.isLineSpace(output[end &- 1]) { end &-= 1 }
        output.truncate(to: end)
        return end > start
    }
}

extension ByteView {
    fileprivate var endsInHyphens: Bool { hasBytes("--", at: count &- 2) }
}
