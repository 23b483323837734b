import Testing

@testable import surtitle

/// Rows of cells in columns.
@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirCells() {
        var table = TextTable(numbers: [0])
        #expect(table.isEmpty && table.lines(indentation: 2) == [])
        table.append("1", "ab", "x")
        table.append("22", "", "")
        table.append("333", "abc")
        #expect(!table.isEmpty)
        #expect(table.lines(indentation: 2) == ["    1  ab   x\n", "   22\n", "  333  abc\n"])
        #expect(table.text(indentation: 0) == "  1  ab   x\n 22\n333  abc\n")
    }

    /// A cell of 48 characters widens its column, and one more sticks out.
    @Test func aWideCellSticksOut() {
        let wide = String(repeating: "w", count: 48)
        var table = TextTable(numbers: [1])
        table.append(wide, "1")
        table.append("w" + wide, "22")
        table.append("é", "1")
        #expect(
            table.lines(indentation: 0) == [
                "\(wide)   1\n", "w\(wide)  22\n", "é\(String(repeating: " ", count: 47))   1\n",
            ])
    }
}
