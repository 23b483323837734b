import Support

/// The variables that a playlist has defined so far, and what they make of a text (8216bis 4.3): an oracle.
struct NaiveDefinitions {
    private var values: [(name: [UInt8], value: [UInt8])] = []

    /// Whether a variable is referred to in `text`, or something like it.
    static func holdsReference(_ text: [UInt8]) -> Bool {
        text.indices.contains { text[$0...].starts(with: "{$".utf8) }
    }

    /// Notes what `line`, an EXT-X-DEFINE tag, defines. False if more than `limit` bytes were to be remembered, at 1 KiB a variable.
    mutating func note(_ line: NaivePlaylist.Line, upTo limit: Int) -> Bool {
        guard let name = NaiveAttributes.first("NAME", in: line.list),
            let definition = NaiveAttributes.first("VALUE", in: line.list), NaiveAttributes.isQuotable(definition)
        else { return true }
        guard let value = substituted(in: definition, upTo: limit) else { return false }
        values.append((name, value))
        return values.map { $0.name.count + $0.value.count + 1024 }.reduce(0, +) <= limit
    }

    /// `text` with values in place of the references to variables that have one, or nil if that has more than `limit` bytes.
    func substituted(in text: [UInt8], upTo limit: Int) -> [UInt8]? {
        var rest = text[...]
        var result: [UInt8] = []
        while let first = rest.first, result.count <= limit {
            if rest.starts(with: "{$".utf8), let close = rest.firstIndex(of: UInt8(ascii: "}")),
                let known = values.first(where: { $0.name == Array(rest[(rest.startIndex + 2)..<close]) })
            {
                result += known.value
                rest = rest[(close + 1)...]
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result.count <= limit ? result : nil
    }
}
