import ByteScan
import Support
import Testing

@testable import M3U8

/// What values and lines may hold that are written into a playlist.
@Suite struct EditSyntaxTests {
    /// A line break in any place, of lines of one block and more.
    @Test(arguments: [1, 2, 63, 64, 65, 130]) func lineBreaks(_ count: Int) {
        for place in 0..<count {
            for byte: UInt8 in [0x0A, 0x0D, 0x0B, 0x61] {
                var line = [UInt8](repeating: 0x78, count: count)
                line[place] = byte
                let (guarded, isBreak) = (GuardedBytes(line), byte == 0x0A || byte == 0x0D)
                #expect(EditSyntax.breaksLine(ByteView(guarded.buffer)) == isBreak, "\(byte) at \(place)")
                #expect(EditSyntax.isLine(line) != isBreak && EditSyntax.isAttributeValue(line) != isBreak)
            }
        }
        #expect(!EditSyntax.breaksLine(ByteView()) && !EditSyntax.isLine([]))
    }

    @Test(arguments: [
        ("\"\"", true), ("\"a,b=c\"", true), ("\"", false), ("", false), ("a", false), ("\"a", false), ("a\"", false),
        ("\"a\"b\"", false), ("\"a\" ", false), (" \"a\"", false), ("\"a\n\"", false), ("\"\r\"", false),
        ("\"a\"\"", false),
    ])
    func quotedStrings(_ value: String, _ isQuoted: Bool) {
        let bytes = GuardedBytes(Array(value.utf8))
        #expect(EditSyntax.isQuotedString(ByteView(bytes.buffer)) == isQuoted)
        if isQuoted { #expect(EditSyntax.isAttributeValue(Array(value.utf8))) }
    }

    /// What takes the place of a line's beginning: something, and no break in it. Its last bytes may be anything.
    @Test(arguments: [("a", "\r", "a\r"), ("a b", "", "a b"), ("", "b", nil), ("a\r", "b", nil), ("a\n", "", nil)])
    func beginningsOfLines(_ line: String, _ tail: String, _ whole: String?) {
        var edits = LineEdits()
        let isUndecided = edits.isUndecided
        #expect(isUndecided)
        let isDone = line.withView { line in tail.withView { edits.replaceLine(with: line, before: $0) } }
        #expect(isDone == (whole != nil))
        let left = edits.isUndecided
        #expect(left == (whole == nil))
        if case .replaced(let range) = edits.outcome { #expect("\(edits.scratch.view[range])" == whole) }
        edits.drop()
        let isDropped = edits.isDropped
        #expect(isDropped)
        edits.begin(appended: AppendedAttribute(), areIgnored: true)
        let fresh = (edits.isUndecided, edits.isDropped, edits.areIgnored)
        #expect(fresh == (true, false, true))
    }

    /// Of several decisions about one attribute the last stands, in the first one's place; a value whose place is known
    /// is the only one.
    @Test func decisionsAboutAttributes() {
        var edits = LineEdits()
        let isSet = edits.set("A".utf8, to: "1".utf8)
        edits.remove("B".utf8)
        let isReplaced = edits.replace("A".utf8, with: "2".utf8)
        #expect(isSet && isReplaced)
        let decided = ["A", "B", "C", ""].map { name in name.withView { edits.decides($0) } }
        #expect(decided == [true, true, false, false] && edits.operations.count == 2)
        #expect(edits.operations[0].kind == .replace && edits.operations[1].kind == .remove)
        #expect("\(edits.rendered(edits.operations[0]))" == ",A=2" && "\(edits.rendered(edits.operations[1]))" == ",B")
        edits.reset()
        let fresh = (edits.operations.count, edits.scratch.count)
        #expect(fresh == (0, 0))
        for (value, isTaken) in [("\"k\"", true), ("k", true), ("a,b", false), ("\"", false)] {
            edits.reset()
            let answer = value.withView { edits.replace(ByteView("URI"), at: 3..<5, with: $0) }
            #expect(answer == isTaken && edits.knownValue == (isTaken ? 3..<5 : nil))
            if isTaken { #expect("\(edits.rendered(edits.operations[0]))" == ",URI=\(value)") }
            edits.remove("A".utf8)
            #expect(edits.knownValue == nil)
            _ = value.withView { edits.replace(ByteView("URI"), at: 3..<5, with: $0) }
            #expect(edits.knownValue == nil)
        }
    }
}
