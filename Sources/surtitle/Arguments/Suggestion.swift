/// What a mistyped word may have been meant to be.
enum Suggestion {
    /// What a message adds after a word that nothing is called by: `; did you mean --media?`, or a semicolon alone.
    static func hint(for word: String, among names: [String]) -> String {
        nearest(to: word, among: names).map { "; did you mean \($0)?" } ?? ";"
    }

    /// The first of the `names` that is nearest to `word`: at most two edits away, and fewer than half of its letters.
    static func nearest(to word: String, among names: [String]) -> String? {
        var best: (name: String, distance: Int)?
        for name in names {
            let letters = name.utf8.count { $0 != UInt8(ascii: "-") }
            let distance = distance(Array(word.utf8), Array(name.utf8), atMost: min(2, letters / 2))
            if let distance, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// How many edits make `other` of `word`: a byte more, less or another, or two neighbours exchanged. Nil above `limit`.
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
