/// A table in Markdown, its columns filled up so that it reads well on a terminal too.
struct MarkdownTable: CustomStringConvertible {
    private var rows: [[String]]

    init(_ titles: String...) { rows = [titles] }

    init(_ titles: [String]) { rows = [titles] }

    /// Whether there is nothing but the titles.
    var isEmpty: Bool { rows.count <= 1 }

    mutating func append(_ cells: String...) { rows.append(cells) }

    mutating func append(_ cells: [String]) { rows.append(cells) }

    var description: String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let filled = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            return "| " + filled.joined(separator: " | ") + " |\n"
        }
        var text = line(rows[0])
        text += "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|\n"
        for row in rows.dropFirst() { text += line(row) }
        return text
    }
}
