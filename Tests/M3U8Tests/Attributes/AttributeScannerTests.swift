import ByteScan
import Support
import Testing

@testable import M3U8

@Suite struct AttributeScannerTests {
    /// What the scanner makes of `line` from `start` on.
    static func items(
        _ line: UnsafeRawBufferPointer, from start: Int, to end: Int? = nil
    ) -> (items: [NaiveAttributes.Item], endsInsideQuotes: Bool) {
        let view = ByteView(line)
        var scanner = AttributeScanner(view, from: start, to: end)
        var items: [NaiveAttributes.Item] = []
        var last = start
        while let attribute = scanner.next() {
            // The ranges lie in one another, and after those of the item before.
            #expect(attribute.item.lowerBound >= last)
            #expect(attribute.item.upperBound <= min(end ?? line.count, line.count))
            #expect(attribute.name.lowerBound >= attribute.item.lowerBound)
            #expect(attribute.name.upperBound <= attribute.value.lowerBound)
            #expect(attribute.value.upperBound <= attribute.item.upperBound)
            last = attribute.item.upperBound + 1
            let item = NaiveAttributes.Item(
                name: Array(view[attribute.name]), value: attribute.hasValue ? Array(view[attribute.value]) : nil)
            #expect(Array(view[attribute.content(in: view)]) == item.content)
            items.append(item)
        }
        let next = scanner.next()
        #expect(next == nil)
        return (items, scanner.endsInsideQuotes)
    }

    static func check(_ list: [UInt8], head: [UInt8] = []) {
        let expected = NaiveAttributes.items(of: list)
        let guarded = GuardedBytes(head + list)
        for buffer in [guarded.buffer, guarded.leadingBuffer] {
            let (items, endsInsideQuotes) = Self.items(buffer, from: head.count)
            if items != expected || endsInsideQuotes == NaiveAttributes.isClosed(list) {
                Issue.record("\(String(decoding: list, as: UTF8.self).debugDescription): \(items), not \(expected)")
            }
        }
    }

    static let lists: [(String, [(String, String?)])] = [
        ("", []),
        ("A=1", [("A", "1")]),
        ("A=1,B=\"2\"", [("A", "1"), ("B", "\"2\"")]),
        // A quoted string may hold commas and equals signs.
        ("A=\"1,B=2\",C=3", [("A", "\"1,B=2\""), ("C", "3")]),
        ("A=\"\",B=\"=\"", [("A", "\"\""), ("B", "\"=\"")]),
        // White space around commas and equals signs, and at the end.
        (" A\t= 1 ,\tB =\"2\" ", [("A", "1"), ("B", "\"2\"")]),
        ("A=1 2", [("A", "1 2")]),
        // Empty items.
        (",,A=1,, ,B=2,", [("A", "1"), ("B", "2")]),
        (" ", []),
        // Items that are no pair.
        ("A", [("A", nil)]),
        ("A,B=1,C", [("A", nil), ("B", "1"), ("C", nil)]),
        ("=1", [("", "1")]),
        ("A=", [("A", "")]),
        ("A= ,B=1", [("A", ""), ("B", "1")]),
        ("A=1=2", [("A", "1=2")]),
        // Duplicates.
        ("A=1,A=2", [("A", "1"), ("A", "2")]),
        // Quotes in odd places.
        ("A=\"x\"y,B=1", [("A", "\"x\"y"), ("B", "1")]),
        ("A=x\"y,z\",B=1", [("A", "x\"y,z\""), ("B", "1")]),
        ("\"A=1,B\"=2,C=3", [("\"A=1,B\"", "2"), ("C", "3")]),
        ("A=\"x\"\"y,z\"", [("A", "\"x\"\"y,z\"")]),
        // An unclosed one runs to the end.
        ("A=1,B=\"2,C=3", [("A", "1"), ("B", "\"2,C=3")]),
        ("A=1,\"", [("A", "1"), ("\"", nil)]),
        ("A=\"", [("A", "\"")]),
        // Bytes that mean nothing.
        ("A=\0,\u{1}=\r", [("A", "\0"), ("\u{1}", "\r")]),
    ]

    @Test(arguments: lists)
    func table(list: String, expected: [(String, String?)]) {
        let items = expected.map { NaiveAttributes.Item(name: Array($0.0.utf8), value: $0.1.map { Array($0.utf8) }) }
        #expect(NaiveAttributes.items(of: Array(list.utf8)) == items, "the oracle")
        // The windows of 64 bytes lie differently after prefixes of every length.
        for count in 0...70 { Self.check(Array(list.utf8), head: [UInt8](repeating: 0x22, count: count)) }
    }

    @Test func randomTokens() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<1500 {
            Self.check(PlaylistTokens.tokens(upTo: 30, using: &generator))
            Self.check(PlaylistTokens.list(using: &generator), head: Array("#EXT-X-STREAM-INF:".utf8))
        }
    }

    @Test func everyByteInEveryPlace() {
        let list = Array("A=\"1\",B=2".utf8)
        for place in 0...list.count {
            for byte in UInt8.min...UInt8.max where byte != 0x0A {
                Self.check(list[..<place] + [byte] + list[place...])
            }
        }
    }

    @Test func endsWhereItIsTold() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<300 {
            let list = PlaylistTokens.tokens(upTo: 20, using: &generator)
            let end = Int.random(in: 0...list.count, using: &generator)
            let answer = list.withUnsafeBytes { Self.items($0, from: 0, to: end) }
            #expect(answer.items == NaiveAttributes.items(of: Array(list[..<end])))
            #expect(answer.endsInsideQuotes != NaiveAttributes.isClosed(Array(list[..<end])))
        }
        // An end after the line's end is the line's end.
        let past = Array("A=1".utf8).withUnsafeBytes { Self.items($0, from: 0, to: 100) }
        #expect(past.items.count == 1)
    }

    @Test func theFirstOfANameCounts() throws {
        let line = ByteView("#EXT-X-MEDIA:X-A=0,NAME=\"A=1\",A=2,A=3")
        var scanner = AttributeScanner(line, from: 13)
        let first = scanner.first(named: ByteView("A"))
        let attribute = try #require(first)
        #expect(line[attribute.value] == "2")
        #expect(line[attribute.content(in: line)] == "2")
        #expect(!attribute.isQuoted(in: line))
        var other = AttributeScanner(line, from: 13)
        let none = other.first(named: ByteView("B"))
        #expect(none == nil)
    }

    static let contents = [
        ("\"x\"", "x"), ("\"\"", ""), ("\"", "\""), ("x", "x"), ("\"x\"y", "\"x\"y"), ("", ""),
    ]

    @Test(arguments: contents)
    func contentIsWhatStandsBetweenTheQuotes(value: String, content: String) throws {
        let guarded = GuardedBytes(Array("A=\(value)".utf8))
        let line = ByteView(guarded.buffer)
        var scanner = AttributeScanner(line, from: 0)
        let next = scanner.next()
        let attribute = try #require(next)
        #expect(Array(line[attribute.content(in: line)]) == Array(content.utf8))
        #expect(attribute.isQuoted(in: line) == (content != value))
    }

    @Test func aListOfTenMegabytes() {
        let items = 10 << 20
        let list = [UInt8](repeating: UInt8(ascii: ","), count: items) + Array("A=1".utf8)
        let answer = list.withUnsafeBytes { Self.items($0, from: 0) }
        #expect(answer.items == [NaiveAttributes.Item(name: [0x41], value: [0x31])])
        let quoted = Array("A=\"".utf8) + list.dropLast(3) + Array("\",B=1".utf8)
        #expect(quoted.withUnsafeBytes { Self.items($0, from: 0) }.items.map(\.name) == [[0x41], [0x42]])
    }

    /// Without the white space and the stray CRs at the line's end.
    @Test(arguments: [
        ("#A:B=1", "1"), ("#A:B=1 \t\r", "1"), ("#A:B=1\r\r ", "1"), ("#A:B=\r1\r", "\r1"), ("#A: \r", nil),
        ("#A:", nil),
        ("#A:B=1\u{B}", "1\u{B}"),
    ])
    func theListOfATag(_ line: String, _ value: String?) {
        let guarded = GuardedBytes(Array(line.utf8))
        let view = ByteView(guarded.buffer)
        var scanner = AttributeScanner(ofTag: view, from: 3)
        let attribute = scanner.next()
        #expect(attribute.map { "\(view[$0.value])" } == value)
        let next = scanner.next()
        #expect(next == nil)
    }

    @Test(arguments: [("\"a\"", "a"), ("\"\"", ""), ("\"", "\""), ("a", "a"), ("\"a", "\"a"), ("a\"", "a\""), ("", "")])
    func quotesAreTakenOff(_ value: String, _ content: String) {
        #expect(Array(value.utf8).withView { "\($0.withoutQuotes)" } == content)
        let isQuotable = !value.contains("\"")
        #expect(Array(value.utf8).withView(\.isQuotable) == isQuotable)
        #expect(Array((value + "\u{7F}").utf8).withView { !$0.isQuotable })
    }

    @Test func aListBeforeItsLineTraps() async {
        await #expect(processExitsWith: .failure) { _ = AttributeScanner(ByteView("A=1"), from: -1) }
    }

    @Test func aListPastItsLineTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = WhiteSpace.contentEnd(of: ByteView("A=1"), from: 0, to: 4)
        }
    }
}
