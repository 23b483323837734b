import ByteScan
import CByteScan
import Support
import Testing

@testable import M3U8

@Suite struct SelectedLineTests {
    struct Row: Sendable {
        let list: String
        let isThere: Bool
        let reason: String

        init(_ list: String, _ isThere: Bool, _ reason: String) {
            (self.list, self.isThere, self.reason) = (list, isThere, reason)
        }
    }

    static let rows: [Row] = [
        Row("A=1,SUBTITLES=\"a\"", true, "it is the last item"),
        Row("A=1,SUBTITLES=\"a\" \r", true, "white space and stray CRs after the list are none of it"),
        Row("A=1,SUBTITLES=\"a\",B=\"2\"", true, "a comma ends it"),
        Row("A=1,SUBTITLES=\"ab\"", false, "another value"),
        Row("A=1,SUBTITLES=\"a\"x", false, "text after the value"),
        Row("A=\"1,SUBTITLES=\"a\"", false, "it stands inside quotes"),
        Row("A=\"\",SUBTITLES=\"a\"", true, "quotes before it are closed"),
        Row("A=1,SUBTITLES=\"a\",SUBTITLES=\"b\"", false, "another attribute of that name"),
        Row("A=1,SUBTITLES=\"a\",B=\"UB\"", false, "its pair stands elsewhere too"),
        Row("A=1,SUBTITLES", false, "no value"),
        Row("A=1", false, "it is not there"),
    ]

    /// Wherever the item stands among the blocks of 64 bytes, and whether bytes follow the line or not.
    @Test(arguments: rows) func itemsAreThereOrNot(_ row: Row) {
        for indent in 0..<130 {
            let tag = "#EXT-X-STREAM-INF:"
            let line = Array("\(tag)X=\(String(repeating: "y", count: indent)),\(row.list)".utf8)
            for after in ["", "\nUBUBUB\"" + String(repeating: "UB\"", count: 40)] {
                let guarded = GuardedBytes(line + Array(after.utf8))
                let context = ByteView(guarded.buffer)
                let selected = SelectedLine(
                    kind: .tag(.streamInf), bytes: context.prefix(upTo: line.count), context: context, position: 0,
                    nameEnd: tag.utf8.count - 1, isEditable: true)
                let isThere = selected.hasItem(
                    ByteView(",SUBTITLES=\"a\""), knownBy: BytePair(first: 0x55, second: 0x42, distance: 1), at: 2)
                #expect(isThere == row.isThere, "\(row.reason), \(indent)")
            }
        }
    }
}
