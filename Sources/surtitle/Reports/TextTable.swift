/// Rows of cells in columns: two spaces between them, none after the last.
struct TextTable {
    /// A wider cell sticks out of its column instead of widening it for every row.
    static let widestColumn = 48

    private var rows: [[String]] = []
    /// The columns that are aligned to the right.
    private let numbers: Set<Int>

    init(numbers: Set<Int> = []) { self.numbers = numbers }

    var isEmpty: Bool { rows.isEmpty }

    mutating func append(_ cells: String...) { rows.append(cells.map(Console.oneLine)) }

    /// The rows as lines, each after `indentation` spaces and with its line feed.
    func lines(indentation: Int) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        var widths = [Int](repeating: 0, count: columns)
        for row in rows {
            for (column, cell) in row.enumerated() where cell.count <= Self.widestColumn {
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = Self.spaces(indentation)
            for (column, cell) in row.enumerated() {
                let padding = Self.spaces(max(0, widths[column] - cell.count))
                line += (column > 0 ? "  " : "") + (numbers.contains(column) ? padding + cell : cell + padding)
            }
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return line + "\n"
        }
    }

    /// The lines as one text.
    func text(indentation: Int) -> String { lines(indentation: indentation).joined() }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
