import M3U8
import Testing

@testable import surtitle

/// What is in a playlist: all of it is counted, and so much of it listed.
@Suite struct PlaylistInventoryTests {
    private func inventory(_ text: String) -> PlaylistInventory {
        let inventory = PlaylistInventory()
        _ = PlaylistFacts(of: Array(text.utf8)) { line, _ in inventory.note(line) }
        return inventory
    }

    /// 4 MiB are listed, where a line counts 512 bytes more than it has: #EXTM3U takes 519 of them, the first tag of
    /// variants 541, each variant 541 and its URI 513. A tag of so many bytes leaves room for so many variants, and for
    /// the last one's URI or not.
    @Test(arguments: [(433, 3978, "…"), (434, 3977, "v"), (974, 3977, "v"), (975, 3977, "…")])
    func theListsAreBounded(_ length: Int, _ count: Int, _ uri: String) {
        let tag = "#EXT-" + String(repeating: "A", count: length - 5)
        let variants = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", count: 4000)
        // Behind the end nothing is listed, however short.
        let rest = "#EXT-Z\n#EXT-Z\n#EXT-X-MEDIA:A=B\n#EXT-X-I-FRAME-STREAM-INF:A=B\n"
        let found = inventory("#EXTM3U\n\(tag)\n\(variants)\(rest)")
        #expect(found.variantCount == 4000 && found.variants.count == count && found.variants.last?.uri == uri)
        #expect(found.variants.dropLast().allSatisfy { $0.uri == "v" })
        #expect(found.tags == ["EXTM3U", String(tag.dropFirst()), "EXT-X-STREAM-INF"] && found.otherTagCount == 4)
        #expect(found.counts == ["EXTM3U": 1, String(tag.dropFirst()): 1, "EXT-X-STREAM-INF": 4000])
        #expect(found.renditionCount == 1 && found.groups.isEmpty)
        #expect(found.frameStreamCount == 1 && found.frameStreams.isEmpty)
    }

    @Test func aURIBelongsToTheVariantBeforeIt() {
        let found = inventory(
            "#EXTM3U\na\n#EXT-X-STREAM-INF:A=1\n#EXT-X-STREAM-INF:URI=\"x\"\nb\nc\n#EXT-X-IMAGE-STREAM-INF:URI=\"d\"\ne\n"
        )
        #expect(found.variants.map(\.uri) == [nil, "b"] && found.frameStreams.map(\.uri) == ["d"])
        #expect(found.variantCount == 2 && found.frameStreamCount == 1)
    }

    /// A group is of one type and one name, in the order in which they come up.
    @Test func renditionsAreInGroups() {
        let media = ["A,x,1", "B,x,2", "A,y,3", "A,x,4"].map { line in
            let parts = line.split(separator: ",")
            return "#EXT-X-MEDIA:TYPE=\(parts[0]),GROUP-ID=\"\(parts[1])\",NAME=\"\(parts[2])\",X=Y\n"
        }
        let found = inventory("#EXTM3U\n" + media.joined() + "#EXT-X-MEDIA:NAME=\"5\"\n")
        #expect(found.groups.map { $0.type + $0.name } == ["Ax", "Bx", "Ay", ""] && found.renditionCount == 5)
        #expect(found.groups.map { $0.renditions.map { $0["NAME"] } } == [["1", "4"], ["2"], ["3"], ["5"]])
        #expect(found.groups[0].renditions[0].keys.sorted() == ["NAME"])
    }

    /// Of two attributes alike the first counts.
    @Test(
        arguments: [
            ("A=1,B=\"2\"", ["A": "1", "B": "2"], false, []), ("A=1,A=1", ["A": "1"], false, []),
            ("A=1,A=2,A=3", ["A": "1"], false, ["A", "A"]), ("A=\"1,B=2", ["A": "\"1,B=2"], true, []),
            ("", [:], false, []),
        ] as [(String, [String: String], Bool, [String])])
    func values(_ list: String, _ all: [String: String], _ hasStrayQuote: Bool, _ contradictions: [String]) {
        var found: TagValues?
        _ = PlaylistFacts(of: Array("#EXTM3U\n#EXT-X-MEDIA:\(list)\n".utf8)) { line, _ in found = TagValues(line) }
        #expect(found?.all == all && found?.hasStrayQuote == hasStrayQuote && found?.contradictions == contradictions)
    }
}
