public import ByteScan

/// A place in a JSON text, for programs and for people.
public struct JSONLocation: Equatable, Sendable {
    /// The offset of the byte, from 0 to the text's length.
    public let position: Int

    /// The line, from 1. LF, CR and CRLF end one.
    public let line: Int

    /// The character of the line, from 1: a Unicode scalar, whose bytes after the first do not count.
    public let column: Int

    /// The place of the byte at `position` of `text`.
    ///
    /// - Complexity: O(*n*) in `position`: it is counted when it is asked for.
    public init(of position: Int, in text: ByteView) {
        let end = min(max(position, 0), text.count)
        var line = 1
        var column = 1
        // A byte order mark is no character of the first line.
        var offset = text.hasBytes("\u{FEFF}", at: 0) ? min(3, end) : 0
        while offset < end {
            let byte = text[offset]
            let isEnd =
                byte == ASCII.lineFeed
                || byte == ASCII.carriageReturn && !text.hasBytes("\n", at: offset + 1)
            if isEnd {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            offset += 1
        }
        self.position = end
        self.line = line
        self.column = column
    }
}

extension JSONLocation: Described {
    /// The place in words: `line 3, column 15, at byte 61`.
    public var message: Message { "line \(line), column \(column), at byte \(position)" }
}
