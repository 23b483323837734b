import ByteScan
import Testing

@testable import M3U8

@Suite struct SpliceTests {
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
