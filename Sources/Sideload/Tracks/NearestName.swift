/// What a mistyped word may have been meant to be.
package enum NearestName {
    /// The index of the first of the `names` that is nearest to `word`: at most two edits away, and no more than half of
    /// its letters; if there is none, of the first that is cut short to `word`, of at least three letters.
    ///
    /// An edit is a byte more, a byte less, another byte, or two neighbours exchanged.
    package static func index(of word: [UInt8], among names: [[UInt8]]) -> Int? {
        var best: (index: Int, distance: Int)?
        for (index, name) in names.enumerated() {
            guard let distance = distance(word, name, atMost: min(2, letters(of: name) / 2)) else { continue }
            if let best, best.distance <= distance { continue }
            best = (index, distance)
        }
        if best == nil, letters(of: word) >= 3 { return names.firstIndex { $0.starts(with: word) } }
        return best?.index
    }

    private static func letters(of name: [UInt8]) -> Int { name.count { $0 != UInt8(ascii: "-") } }

    /// How many edits make `other` of `word`; nil above `limit`.
    private static func distance(_ word: [UInt8], _ other: [UInt8], atMost limit: Int) -> Int? {
        // A word of any length is compared with names of a few dozen bytes.
        guard abs(word.count - other.count) <= limit else { return nil }
        var rows = [Array(0...other.count)]
        for (i, byte) in word.enumerated() {
            var row = [i + 1]
            for (j, otherByte) in other.enumerated() {
                var edits = min(rows[i][j] + (byte == otherByte ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, byte == other[j - 1], word[i - 1] == otherByte {
                    edits = min(edits, rows[i - 1][j - 1] + 1)
                }
                row.append(edits)
            }
            rows.append(row)
        }
        let edits = rows[word.count][other.count]
        return edits <= limit ? edits : nil
    }
}
