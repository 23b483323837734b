internal import ByteScan

extension SubtitleGroups {
    /// Keeps a copy of `bytes` with the values of known variables in place of their references (8216bis 4.3).
    ///
    /// References to variables that are not known here, imported ones for instance, stay as they are written. Nothing is
    /// added once more than `limit` bytes are kept in all: values made of values grow with every line, and no line is long.
    mutating func keepResolved(_ bytes: ByteView, upTo limit: Int = .max) -> Span {
        guard variables.count > 0, bytes.firstOffset(of: UInt8(ascii: "$")) != nil else { return keep(bytes) }
        let start = text.count
        var offset = 0
        // Where the next brace closes, or the end: looked for once, however many open before it.
        var close = -1
        while offset < bytes.count, text.count <= limit {
            if close < offset { close = bytes.firstOffset(of: UInt8(ascii: "}"), from: offset) ?? bytes.count }
            if let value = reference(in: bytes, from: offset, to: close) {
                for index in value.start..<value.end { text.append(text[index]) }
                offset = close + 1
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        return Span(start: start, end: text.count)
    }

    /// The value of the variable that `{$name}` from `offset` to the brace at `close` refers to.
    private func reference(in bytes: ByteView, from offset: Int, to close: Int) -> Span? {
        guard close < bytes.count, bytes.hasBytes("{$", at: offset) else { return nil }
        let name = bytes[(offset + 2)..<close]
        for index in 0..<variables.count where view(variables[index].name) == name {
            return variables[index].value
        }
        return nil
    }
}
