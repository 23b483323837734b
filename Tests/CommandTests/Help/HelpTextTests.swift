import Testing

@testable import surtitle

/// Help for a terminal, line by line.
@Suite struct HelpTextTests {
    /// A label of 25 characters makes the column that wide, and a longer one has a line of its own.
    @Test func labelsHaveAColumn() {
        let wide = String(repeating: "w", count: 25)
        var help = HelpText()
        help.add([Term("a", "b"), Term(wide, "c"), Term("w" + wide, "d")])
        let space = String(repeating: " ", count: 29)
        #expect(help.text == "  a" + space.dropFirst(3) + "b\n  \(wide)  c\n  w\(wide)\n\(space)d\n")
        help.add([])
        help.add([Term("w" + wide, "d")])
        #expect(help.text.hasSuffix("d\n\n  w\(wide)\n    d\n"))
    }

    /// A line has 106 characters at most; paragraphs and lists are apart, unless one introduces the other.
    @Test func linesAreFilled() {
        let words = { (count: Int) in Array(repeating: "x", count: count).joined(separator: " ") }
        var help = HelpText()
        help.add(words(53) + " xx")
        #expect(help.text == words(53) + "\nxx\n")
        help.add([Term("a", words(51) + " y")], isIntroduced: true)
        #expect(help.text.hasSuffix("\nxx\n  a  \(words(51))\n     y\n"))
        help.add("z")
        #expect(help.text.hasSuffix("y\n\nz\n"))
        var widest = HelpText()
        widest.add("x" + words(53))
        #expect(widest.text == "x" + words(53) + "\n")
    }
}
