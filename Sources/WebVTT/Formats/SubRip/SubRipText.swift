import ByteScan

/// A line of SubRip text on its way to cue text (W3C WebVTT, sections 4.2.2 and 6.4).
///
///     <b> <i> <u> and their end tags      kept, in lower case and without attributes; < i > and < / i > too
///     <font …>, </font>, other tags       left out: `<` or `</`, a letter, and a `>` before the next `<`
///     {\…}                                left out, with a `}` before the next `{`
///     {y:i} {Y:i} and the like            tags around the rest of the line, or of the cue
///     \N \n                               the line's end
///     any other <                         &lt;
///     & of &amp; &lt; &gt; &nbsp; &lrm; &rlm;    kept
///     any other &                         &amp;
///     the > that would end an arrow       &gt;
///     NUL                                 U+FFFD, which is what a WebVTT parser makes of it
struct SubRipText {
    private let line: ByteView

    init(_ line: ByteView) { self.line = line }

    /// Appends the lines that it becomes, each with a line feed; one of which only white space is left is none.
    ///
    /// Each is within `styles`, which are the cue's and may become more.
    func write(to output: inout ReusableBuffer<UInt8>, _ styles: inout SubRipStyles) {
        var row = Row(styles, at: &output)
        var offset = 0
        while let special = specialOffset(from: offset) {
            output.append(line[offset..<special])
            if let code = SubRipStyleCode(in: line, at: special) {
                code.forEachStyle { letter in
                    row.open(letter, in: &output)
                    if code.isForCue { _ = styles.open(letter) }
                }
                offset = code.end
            } else if isBreak(at: special) {
                row.end(in: &output)
                row = Row(styles, at: &output)
                offset = special &+ 2
            } else {
                offset = writeSpecial(line[special], at: special, to: &output)
            }
        }
        output.append(line.suffix(from: offset))
        row.end(in: &output)
    }

    /// Whether a `\N` or `\n` is at `offset`.
    private func isBreak(at offset: Int) -> Bool {
        line.hasBytes("\\N", at: offset) || line.hasBytes("\\n", at: offset)
    }

    /// The offset of the first byte at or after `start` that is not always copied, or nil.
    @inline(__always)
    private func specialOffset(from start: Int) -> Int? {
        line.firstOffset(from: start) { block in
            block.equal(to: ASCII.lessThan).or(block.equal(to: ASCII.ampersand))
                .or(block.equal(to: ASCII.greaterThan)).or(block.equal(to: ASCII.openingBrace))
                .or(block.equal(to: ASCII.backslash)).or(block.equal(to: 0))
        }
    }

    /// Writes what becomes of the special `byte` at `offset`, and returns the offset of the first byte that it does not
    /// cover.
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
        case ASCII.backslash:
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
        guard name < line.count, ASCII.isLetter(line[name]) else { return writeSpacedTag(at: offset, to: &output) }
        var close = name
        while close < line.count, line[close] != ASCII.greaterThan {
            if line[close] == ASCII.lessThan { return nil }
            close &+= 1
        }
        guard close < line.count else { return nil }

        let letter = line[name] | 0x20
        let isWholeName = name &+ 1 == close || ASCII.isLineSpace(line[name &+ 1]) || line[name &+ 1] == ASCII.slash
        if isWholeName, SubRipStyles.isStyle(letter) {
            SubRipStyles.writeTag(isEndTag ? ByteView("</") : ByteView("<"), letter, to: &output)
        }
        return close &+ 1
    }

    /// Writes the tag at `offset` that has white space before its name, one of `b`, `i` and `u` alone, and returns the
    /// offset after it; nil if there is none.
    private func writeSpacedTag(at offset: Int, to output: inout ReusableBuffer<UInt8>) -> Int? {
        var name = line.offsetAfterSpace(from: offset &+ 1)
        let isEndTag = line.has(ASCII.slash, at: name)
        if isEndTag { name = line.offsetAfterSpace(from: name &+ 1) }
        guard name < line.count, SubRipStyles.isStyle(line[name] | 0x20) else { return nil }
        let close = line.offsetAfterSpace(from: name &+ 1)
        guard line.has(ASCII.greaterThan, at: close) else { return nil }
        SubRipStyles.writeTag(isEndTag ? ByteView("</") : ByteView("<"), line[name] | 0x20, to: &output)
        return close &+ 1
    }
}

/// A line of cue text while it is written, and the styles of codes that hold until its end.
private struct Row {
    private let start: Int
    private var styles: SubRipStyles
    /// Where the text after the last code begins.
    private var textStart: Int
    /// Whether there is more than white space before that.
    private var hasText = false

    /// A line within `styles` at the end of `output`.
    init(_ styles: SubRipStyles, at output: inout ReusableBuffer<UInt8>) {
        start = output.count
        self.styles = styles
        styles.writeStartTags(to: &output)
        textStart = output.count
    }

    /// Opens the style of `letter` for the rest of the line.
    mutating func open(_ letter: UInt8, in output: inout ReusableBuffer<UInt8>) {
        guard styles.open(letter) else { return }
        hasText = hasText || endOfText(in: output) > textStart
        SubRipStyles.writeTag(ByteView("<"), letter, to: &output)
        textStart = output.count
    }

    /// Ends the line, or takes it back if there is nothing but white space.
    mutating func end(in output: inout ReusableBuffer<UInt8>) {
        let end = endOfText(in: output)
        guard hasText || end > textStart else { return output.truncate(to: start) }
        output.truncate(to: end)
        styles.writeEndTags(to: &output)
        output.append(ASCII.lineFeed)
    }

    /// Where the white space at the end of the text after the last code begins.
    private func endOfText(in output: borrowing ReusableBuffer<UInt8>) -> Int {
        var end = output.count
        while end > textStart, ASCII.isLineSpace(output[end &- 1]) { end &-= 1 }
        return end
    }
}

extension ByteView {
    fileprivate var endsInHyphens: Bool { hasBytes("--", at: count &- 2) }
}
