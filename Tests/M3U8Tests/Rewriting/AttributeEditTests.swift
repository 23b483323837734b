import Drivers
import M3U8
import Support
import Testing

/// What sets, replacements and removals make of attribute lists.
@Suite struct AttributeEditTests {
    typealias Operation = NaiveRewriter.Operation

    /// The value of a tag's line after `operations`, from the library: as edits, as a handler's decisions, and in both ways.
    static func edited(_ list: [UInt8], _ operations: [Operation], sourceLocation: SourceLocation = #_sourceLocation)
        throws -> [UInt8]
    {
        let tag = "EXT-X-SESSION-DATA"
        let head = Array("#EXTM3U\n#\(tag):".utf8)
        let text = head + list + Array("\nv\n".utf8)
        let naive = NaiveRewriter { $0.isTag(tag) ? .attributes(operations) : nil }
        let expected = naive.rewrite(text)
        for early in 0...operations.count {
            let (compiled, decided) = (operations[..<early], operations[early...])
            let rewriting = Rewriting(
                edits: try PlaylistEdits(
                    compiled.map { $0.edit(of: tag) }, observing: [TagSelector(spelling: tag.utf8)]),
                handler: { line, edits in for operation in decided { operation.decide(&edits) } })
            let splits = [[0..<text.count], Splits.even(of: text.count, size: 1)]
            rewriting.check(text, expected, splits: splits, "\(operations)", sourceLocation: sourceLocation)
        }
        // Where it is all that is done, an edit is made at once, if enough comes after the line and it is not the one
        // that tells the kind of the playlist.
        let padded = Array("#EXTM3U\n#EXT-X-STREAM-INF:X=1\nw\n#\(tag):".utf8) + list + Self.padding
        Rewriting(edits: try PlaylistEdits(operations.map { $0.edit(of: tag) })).check(
            padded, naive.rewrite(padded), splits: [[0..<padded.count]], "at once, \(operations)",
            sourceLocation: sourceLocation)
        return Array(expected.bytes.dropFirst(head.count).dropLast(3))
    }

    private static let padding = Array(("\n" + String(repeating: "# padding\n", count: 16)).utf8)

    static func edited(_ list: String, _ operations: [Operation]) throws -> String {
        String(decoding: try edited(Array(list.utf8), operations), as: UTF8.self)
    }

    // MARK: One operation

    @Test(arguments: [
        ("", "A=2"), ("B=1", "B=1,A=2"), ("A=1", "A=2"), ("A=\"1,\"", "A=2"), ("A", "A=2"), ("A=", "A=2"),
        ("B=1,A", "B=1,A=2"), ("B=1 ", "B=1,A=2 "), (" A = 1 ,B=1", " A = 2 ,B=1"), ("A=1,A=3", "A=2,A=3"),
        ("AA=1", "AA=1,A=2"), ("B=\"A=1\"", "B=\"A=1\",A=2"), (" ", "A=2 "), (",", ",A=2"), ("B=1,", "B=1,A=2"),
        ("B=1 , ", "B=1 ,A=2 "), ("B=1,,", "B=1,,A=2"), ("B=1,\r", "B=1,A=2\r"), ("B=\",\"", "B=\",\",A=2"),
        ("B=1,A=3,", "B=1,A=2,"),
        ("a=1", "a=1,A=2"), ("A=\"", "A=\""),
    ])
    func set(list: String, expected: String) throws {
        #expect(try Self.edited(list, [.set(name: "A", value: "2")]) == expected)
    }

    @Test(arguments: [
        ("", ""), ("B=1", "B=1"), ("A=1", "A=2"), ("B=1, A=1 ", "B=1, A=2 "), ("A=1,A=3", "A=2,A=3"),
        ("X-A=1", "X-A=1"),
        ("A", "A=2"),
    ])
    func replace(list: String, expected: String) throws {
        #expect(try Self.edited(list, [.replace(name: "A", value: "2")]) == expected)
    }

    @Test(arguments: [
        ("", ""), ("A=1", ""), ("A=1 ", " "), ("A=1,B=2", "B=2"), ("B=2,A=1", "B=2"), ("B=2,A=1,C=3", "B=2,C=3"),
        ("A=1,A=2", ""), ("A=1,B=2,A=3", "B=2"), ("B=2,A=1,A=3,C=4", "B=2,C=4"), ("A", ""), ("B,A", "B"),
        ("A=\",\",B=\"A=1\"", "B=\"A=1\""), ("A=1,", ""), (",A=1", ""), ("A=1,,B=2", ",B=2"), (",,A=1,,", ",,,"),
        (" A = 1 , B = 2 ", " B = 2 "), ("B = 2 , A = 1 ", "B = 2  "), ("A=\"1,B=2", "A=\"1,B=2"), ("AA=1", "AA=1"),
    ])
    func remove(list: String, expected: String) throws {
        #expect(try Self.edited(list, [.remove(name: "A")]) == expected)
    }

    // MARK: At once

    /// An attribute that is found at once, anywhere in lists that reach over several blocks, and wherever a chunk ends.
    @Test(arguments: ["\n", "\r\n"])
    func atOnce(ending: String) throws {
        let long = String(repeating: "x", count: 70)
        let lists = [
            "A=1", "B=\"\(long)\",A=\"\(long),A=2\",C=3", "B=\"A=1,A=\(long)\",C=3", "B=\(long),A=1", "A=\(long),AA=1",
            "B=1 ,A=1,C=\"\(long)\"", "A=1,B=\"\(long)\",A=3", "B=\"\(long),A", "B=\(long),A", "B=\(long),",
        ]
        let operations: [Operation] = [
            .set(name: "A", value: "22"), .replace(name: "A", value: "2"), .remove(name: "A"),
        ]
        let tags = ["EXT-X-STREAM-INF", "EXT-X-SESSION-DATA"]
        for list in lists {
            let lines = tags.map { "#\($0):\(list)\nv\n" }.joined()
            let text = "#EXTM3U\n\(lines)#EXT-X-STREAM-INF\n\(lines)" + String(repeating: "# padding\n", count: 12)
            let bytes = Array(text.replacing("\n", with: ending).utf8)
            for operation in operations {
                let naive = NaiveRewriter { line in
                    tags.contains { line.isTag($0) } ? .attributes([operation]) : nil
                }
                let edits = try PlaylistEdits(tags.map { operation.edit(of: $0) })
                let splits = [[0..<bytes.count]] + (operation.isRemoval ? Splits.all(of: bytes.count, random: 2) : [])
                Rewriting(edits: edits).check(bytes, naive.rewrite(bytes), splits: splits, "\(list), \(operation)")
            }
        }
    }

    /// A line that is longer than the limit ends the editing, though its attribute is found.
    @Test(arguments: [-1, 0, 1])
    func atOnceInALongLine(more: Int) throws {
        let line = "#EXT-X-STREAM-INF:B=\"\(String(repeating: "x", count: 70))\",A=1"
        let text = Array("#EXTM3U\n# a\n\(line)\nv\n\(line)\n".utf8) + Self.padding
        var naive = NaiveRewriter { $0.isTag("EXT-X-STREAM-INF") ? .attributes([.remove(name: "A")]) : nil }
        naive.longestLine = line.utf8.count + more
        var rewriting = Rewriting(edits: try PlaylistEdits([.remove("EXT-X-STREAM-INF", "A")]))
        rewriting.limits = LineLimits(longestLine: line.utf8.count + more)
        rewriting.check(text, naive.rewrite(text))
    }

    // MARK: Several

    /// Lists of one to four items, every subset of them removed, with and without something set.
    @Test(arguments: 1...4)
    func removalsTakeOneCommaEach(count: Int) throws {
        let items = ["A=1", "B=\"x,y\"", "C", "D=\"\""].prefix(count)
        let names = ["A", "B", "C", "D"].prefix(count)
        for subset in 0..<(1 << count) {
            let removed = names.indices.filter { subset & 1 << $0 != 0 }
            let kept = items.indices.filter { !removed.contains($0) }.map { items[$0] }
            let removals = removed.map { Operation.remove(name: names[$0]) }
            let list = items.joined(separator: ",")
            #expect(try Self.edited(list, removals) == kept.joined(separator: ","))
            #expect(try Self.edited(list, removals.reversed()) == kept.joined(separator: ","))
            let added = removals + [.set(name: "N", value: "0")]
            #expect(try Self.edited(list, added) == (kept + ["N=0"]).joined(separator: ","))
            for place in names.indices where !removed.contains(place) {
                let name = names[place]
                let changed = items.indices.filter { !removed.contains($0) }
                    .map { $0 == place ? "\(name)=9" : items[$0] }
                let both = removals + [.set(name: name, value: "9")]
                #expect(try Self.edited(list, both) == changed.joined(separator: ","))
            }
        }
    }

    @Test func whatIsSetAndThenRemovedIsAsBefore() throws {
        for list in ["", "B=1", "B=1 ", " ", "B=\"x\",C", "X-A=1,B=\"A=1\"", "B=1\r"] {
            let there = try Self.edited(list, [.set(name: "A", value: "\"1,2\"")])
            #expect(try Self.edited(there, [.remove(name: "A")]) == list)
        }
        // The comma at the end has become the attribute's own.
        for (list, rest) in [("B=1,", "B=1"), (",", ""), (",, ", ", ")] {
            let there = try Self.edited(list, [.set(name: "A", value: "1")])
            #expect(try Self.edited(there, [.remove(name: "A")]) == rest)
        }
    }

    /// Of several operations on one attribute the last counts, so that no list gets an attribute twice.
    @Test(
        arguments: [
            ([.set(name: "A", value: "1"), .set(name: "A", value: "2")], "B=0", "B=0,A=2"),
            ([.set(name: "A", value: "1"), .set(name: "A", value: "2")], "A=0", "A=2"),
            ([.set(name: "A", value: "1"), .remove(name: "A")], "A=0,B=0", "B=0"),
            ([.set(name: "A", value: "1"), .remove(name: "A")], "B=0", "B=0"),
            ([.remove(name: "A"), .set(name: "A", value: "1")], "A=0,B=0", "A=1,B=0"),
            ([.replace(name: "A", value: "1"), .set(name: "A", value: "2")], "", "A=2"),
            ([.set(name: "A", value: "1"), .replace(name: "A", value: "2")], "", ""),
            ([.set(name: "A", value: "1"), .set(name: "B", value: "2"), .set(name: "A", value: "3")], "", "A=3,B=2"),
            ([.set(name: "A", value: "1"), .set(name: "B", value: "2")], "C=0,", "C=0,A=1,B=2"),
            ([.remove(name: "C"), .set(name: "A", value: "1")], "B=0, ,C=0", "B=0, A=1"),
            ([.remove(name: "C"), .set(name: "A", value: "1")], "C=0, ,C=0", " A=1"),
            ([.remove(name: "C"), .replace(name: "B", value: "2"), .set(name: "A", value: "1")], "B= ,C", "B=2 ,A=1"),
        ] as [([Operation], String, String)])
    func ofSeveralTheLastCounts(operations: [Operation], list: String, expected: String) throws {
        #expect(try Self.edited(list, operations) == expected)
    }

    @Test func randomOperationsOnRandomLists() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<400 {
            let list = PlaylistTokens.list(using: &generator)
            if list.contains(0x0A) { continue }
            _ = try Self.edited(list, Self.operations(using: &generator))
        }
    }

    /// Up to five operations on the names that random lists hold.
    static func operations(using generator: inout SeededGenerator) -> [Operation] {
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            let name = PlaylistTokens.names[Int.random(in: 0..<PlaylistTokens.names.count, using: &generator)]
            let value = ["1", "\"s\"", "\"a,b=c\"", "29.970", "{$v}"][Int.random(in: 0..<5, using: &generator)]
            return switch Int.random(in: 0..<4, using: &generator) {
            case 0: .remove(name: name)
            case 1: .replace(name: name, value: value)
            default: .set(name: name, value: value)
            }
        }
    }

    // MARK: Refusals

    @Test(
        arguments: [
            (.set("EXT-X-A", "", to: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.set("EXT-X-A", "A=", to: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.set("EXT-X-A", "A,", to: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.set("EXT-X-A", "A\"", to: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.set("EXT-X-A", "A B", to: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.set("EXT-X-A", "A\t", to: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.replace("EXT-X-A", "A\n", with: "1"), PlaylistEditError(.attributeName, index: 1)),
            (.remove("EXT-X-A", "A\r"), PlaylistEditError(.attributeName, index: 1)),
            (.remove("EXT-X-A", ""), PlaylistEditError(.attributeName, index: 1)),
            (.set("EXT-X-A", "A", to: ""), PlaylistEditError(.value, index: 1)),
            (.set("EXT-X-A", "A", to: "\""), PlaylistEditError(.value, index: 1)),
            (.set("EXT-X-A", "A", to: "\"x\"\""), PlaylistEditError(.value, index: 1)),
            (.set("EXT-X-A", "A", to: "1,B=2"), PlaylistEditError(.value, index: 1)),
            (.set("EXT-X-A", "A", to: "\"x\",B=2"), PlaylistEditError(.value, index: 1)),
            (.replace("EXT-X-A", "A", with: "1\n#EXT-X-B"), PlaylistEditError(.value, index: 1)),
            (.replace("EXT-X-A", "A", with: "\"1\r\""), PlaylistEditError(.value, index: 1)),
            (.drop(""), PlaylistEditError(.tagName, index: 1)),
            (.drop("EXTM3U"), PlaylistEditError(.tagName, index: 1)),
            (.drop("EXT-X-A:"), PlaylistEditError(.tagName, index: 1)),
            (.drop("EXT-X-A "), PlaylistEditError(.tagName, index: 1)),
            (.drop("EXT-X-A\n"), PlaylistEditError(.tagName, index: 1)),
            (.drop("EXT-X-A\r"), PlaylistEditError(.tagName, index: 1)),
            (.drop("#EXT-X-A"), PlaylistEditError(.tagName, index: 1)),
            (.drop("FOO"), PlaylistEditError(.tagName, index: 1)),
        ] as [(PlaylistEdit, PlaylistEditError)])
    func refusals(edit: PlaylistEdit, error: PlaylistEditError) {
        #expect(throws: error) { try PlaylistEdits([.drop("EXT-X-A"), edit]) }
        #expect(!error.description.isEmpty)
    }

    @Test func moreRefusals() throws {
        #expect(throws: PlaylistEditError(.tagName, index: 1)) {
            try PlaylistEdits([.drop("EXT-X-A")], observing: ["EXT-X-B", "EXT X"])
        }
        for line in ["", "a\nb", "a\r"] {
            #expect(throws: PlaylistEditError(.appendedLine, index: 1)) {
                try PlaylistEdits([], appending: [Array("fine".utf8), Array(line.utf8)])
            }
        }
        _ = try PlaylistEdits([.set("EXT-X-A", "A", to: "\"1,2=\"x\"\""), .set("EXTINF", "é", to: "{$v}")])
    }

    @Test func aHandlerIsRefusedTheSame() throws {
        let text = Array("#EXTM3U\n#EXT-X-A:A=1\n".utf8)
        let rewriting = Rewriting(
            edits: try PlaylistEdits([], observing: ["EXT-X-A"]),
            handler: { _, edits in
                let accepted = [
                    edits.set("B".utf8, to: "".utf8), edits.set("B".utf8, to: "1,C=2".utf8),
                    edits.set("B".utf8, to: "\"1".utf8), edits.set("".utf8, to: "1".utf8),
                    edits.replace("A".utf8, with: "1\n".utf8), edits.replace("A B".utf8, with: "1".utf8),
                    edits.replaceLine(with: "".utf8), edits.replaceLine(with: "a\nb".utf8),
                    edits.replaceLine(with: "a\rb".utf8),
                ]
                #expect(!accepted.contains(true))
            })
        var expected = NaiveRewriter.Result()
        expected.bytes = text
        rewriting.check(text, expected)
    }
}

extension NaiveRewriter.Operation {
    fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }
}
