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
        while offset < bytes.count, text.count <= limit {
            if let (end, value) = reference(in: bytes, at: offset) {
                for index in value.start..<value.end { text.append(text[index]) }
                offset = end
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        return Span(start: start, end: text.count)
    }

    /// The reference `{$name}` at `offset`: where it ends, and the variable's value.
    private func reference(in bytes: ByteView, at offset: Int) -> (end: Int, value: Span)? {
        guard bytes.hasBytes("{$", at: offset), let close = bytes.firstOffset(of: UInt8(ascii: "}"), from: offset)
        else { return nil }
        let name = bytes[(offset + 2)..<close]
        for index in 0..<variables.count where view(variables[index].name) == name {
            return (close + 1, variables[index].value)
        }
        return nil
    }
}
