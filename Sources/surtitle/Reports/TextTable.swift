/// Rows of cells in columns: two spaces between them, none after the last.
struct TextTable {
    private var rows: [[String]] = []
    /// The columns that are aligned to the right.
    private let numbers: Set<Int>

    init(numbers: Set<Int> = []) { self.numbers = numbers }

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ cells: String...) { rows.append(cells.map(Console.oneLine)) }

    /// The rows as lines, each after `indentation` spaces.
    func text(indentation: Int) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        var text = ""
        for row in rows {
            var line = Self.spaces(indentation)
            for (column, cell) in row.enumerated() {
                let padding = Self.spaces(widths[column] - cell.count)
                line += (column > 0 ? "  " : "") + (numbers.contains(column) ? padding + cell : cell + padding)
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
