extension TrackSpec {
    /// Parses a SPEC, `number` being its number among those on the command line, from 1.
    init(_ text: String, number: Int) throws(Failure) {
        var fields = TrackFields(number: number)
        for (index, item) in Self.items(of: text).enumerated() {
            if index == 0, item.cut(at: "=") == nil, let path = SubtitlePath(item) {
                fields.note(path)
            } else {
                try fields.parse(item)
            }
        }
        self = try fields.finished()
    }

    /// Cuts `text` at its commas. A comma after a backslash is an ordinary character, and that backslash is left out.
    static func items(of text: String) -> [String] {
        var items = [""]
        var rest = text.unicodeScalars[...]
        while var scalar = rest.popFirst() {
            if scalar == "," {
                items.append("")
                continue
            }
            if scalar == "\\", rest.first == "," { scalar = rest.removeFirst() }
            items[items.count - 1].unicodeScalars.append(scalar)
        }
        return items
    }
}
