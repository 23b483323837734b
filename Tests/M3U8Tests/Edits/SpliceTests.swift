import ByteScan
import Testing

@testable import M3U8

@Suite struct SpliceTests {
    /// Where the value begins, and what a line of another kind has in its place.
    @Test(arguments: [("#EXT-X-A:1", 8, 9), ("#EXT-X-A", 8, 8), ("v/1.ts", 0, 0)])
    func valuesBeginBehindTheColon(_ text: String, _ nameEnd: Int, _ start: Int) {
        Array(text.utf8).withView { bytes in
            let kind: SelectedLine.Kind = nameEnd == 0 ? .uri : .otherTag
            let line = SelectedLine(
                kind: kind, bytes: bytes, context: bytes, position: 0, nameEnd: nameEnd, isEditable: false)
            #expect(line.valueStart == start && "\(line.name)" == (nameEnd == 0 ? "" : "EXT-X-A"))
            #expect(line.uriRange == (nameEnd == 0 ? 0..<6 : nil))
        }
    }

    /// What LineLimits says: 11 times the line at most, because what goes in one piece is one splice.
    @Test(arguments: [("A,", 1), ("A,,", 999), ("A=1,", 1), ("A,B,", 1000), ("A=1,,B,", 1000), ("B,", 0)])
    func removalsTakeNoMoreThanElevenTimesTheLine(item: String, count: Int) {
        let text = Array(("#EXT-X-A:" + String(repeating: item, count: 1000)).utf8)
        text.withUnsafeBytes { buffer in
            let line = SelectedLine(
                kind: .otherTag, bytes: ByteView(buffer), context: ByteView(buffer), position: 0, nameEnd: 8,
                isEditable: true)
            var edits = LineEdits()
            edits.remove("A".utf8)
            edits.resolve(line)
            #expect(edits.splices.count == count)
            #expect(edits.splices.count * MemoryLayout<Splice>.stride <= 11 * text.count)
        }
    }
}
