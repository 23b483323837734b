import ByteScan
import Support
import Testing

@testable import M3U8

/// The variables that a playlist gives a value (8216bis 4.4.2.3).
@Suite struct PlaylistVariablesTests {
    /// Variables by their names and values, `a=AA` for instance.
    private static func add(_ definitions: [String], to variables: inout PlaylistVariables) {
        for definition in definitions {
            let parts = definition.split(separator: "=", omittingEmptySubsequences: false)
            String(parts[0]).withView { name in String(parts[1]).withView { variables.add(name, $0) } }
        }
    }

    private static func value(of name: String, in variables: borrowing PlaylistVariables) -> String? {
        let bytes = Array(name.utf8)
        return bytes.withUnsafeBytes { variables.value(of: ByteView($0)) }.map { "\($0)" }
    }

    @Test func theFirstOfANameCounts() {
        var variables = PlaylistVariables()
        var isEmpty = variables.isEmpty
        #expect(isEmpty)
        for _ in 0..<2 {
            Self.add(["a=AA", "ab=", "a=other", "b=B"], to: &variables)
            let values = ["a", "ab", "b", "", "abc", "A"].map { Self.value(of: $0, in: variables) }
            #expect(values == ["AA", "", "B", nil, nil, nil])
            // Names and values, the second of a name too, and a KiB each besides.
            let (cost, byteCount) = (variables.cost, variables.byteCount)
            #expect(byteCount == 3 + 2 + 6 + 2 && cost == byteCount + 4 * 1024)
            isEmpty = variables.isEmpty
            #expect(!isEmpty)
            variables.removeAll()
            isEmpty = variables.isEmpty
            let left = (variables.cost, Self.value(of: "a", in: variables))
            #expect(isEmpty && left == (0, nil))
        }
    }

    @Test(
        arguments: [
            ("{$a}", "AA"), ("x{$a}y{$b}z", "xAAyBz"), ("{$a}{$a}", "AAAA"), ("{$e}", ""), ("{$c}", "{$c}"),
            ("{$c}{$a}", "{$c}AA"), ("{$a", "{$a"), ("{$a{$b}", "{$aB"), ("{$}", "{$}"), ("$a", "$a"), ("{a}", "{a}"),
            ("{{$a}}", "{AA}"), ("}{$a}", "}AA"), ("{$c {$a}", "{$c AA"), ("", ""), ("{", "{"), ("{$", "{$"),
            ("$", "$"),
            ("{$a}{", "AA{"), ("{$a}{$", "AA{$"),
        ])
    func valuesTakeThePlaceOfReferences(_ text: String, _ expected: String) {
        var variables = PlaylistVariables()
        Self.add(["a=AA", "b=B", "e="], to: &variables)
        let bytes = GuardedBytes(Array(text.utf8))
        var output = ReusableBuffer<UInt8>()
        output.append(ASCII.hash)
        let isWhole = variables.substitute(ByteView(bytes.buffer), into: &output)
        #expect(isWhole && "\(output.view)" == "#" + expected)
        // Just as much is allowed, and not a byte more.
        for (limit, isAllowed) in [(expected.utf8.count, true), (expected.utf8.count - 1, false)] {
            output.removeAll()
            let answer = variables.substitute(ByteView(bytes.buffer), into: &output, upTo: limit)
            #expect(answer == isAllowed && (!isAllowed || "\(output.view)" == expected), "\(limit)")
        }
        // Without variables it stays.
        let none = PlaylistVariables()
        output.removeAll()
        let isCopied = none.substitute(ByteView(bytes.buffer), into: &output, upTo: text.utf8.count)
        #expect(isCopied && "\(output.view)" == text)
    }

    /// What is put together stops once it is longer than the limit.
    @Test func longTextsStop() {
        var variables = PlaylistVariables()
        Self.add(["a=" + String(repeating: "A", count: 100)], to: &variables)
        var output = ReusableBuffer<UInt8>()
        let text = Array(String(repeating: "{$a}", count: 1000).utf8)
        let isWhole = text.withUnsafeBytes { variables.substitute(ByteView($0), into: &output, upTo: 250) }
        let count = output.count
        #expect(!isWhole && count == 300)
    }

    @Test(
        arguments: [
            ("NAME=\"n\",VALUE=\"v\"", "n", "v"), ("VALUE=\"v\",NAME=\"n\"", "n", "v"), ("NAME=n,VALUE=v", "n", "v"),
            ("NAME=\"n\",VALUE=\"x{$a}\"", "n", "xAA"), ("NAME=\"n\",VALUE=\"\"", "n", ""),
            ("NAME=\"n\",NAME=\"m\",VALUE=\"v\",VALUE=\"w\"", "n", "v"), ("NAME=\"n\"", nil, ""),
            ("VALUE=\"v\"", nil, ""),
            ("NAME,VALUE=\"v\"", nil, ""), ("NAME=\"n\",VALUE", nil, ""), ("NAME=\"n\",VALUE=\"a\"b\"c\"", nil, ""),
            ("NAME=\"n\",VALUE=\"a\u{7F}\"", nil, ""), ("", nil, ""), ("NAME=\"n\",X=1,VALUE=\"v\"", "n", "v"),
        ] as [(String, String?, String)])
    func definitions(_ list: String, _ name: String?, _ value: String) {
        var variables = PlaylistVariables()
        Self.add(["a=AA"], to: &variables)
        let guarded = GuardedBytes(Array("#EXT-X-DEFINE:\(list)".utf8))
        let line = ByteView(guarded.buffer)
        var found = ReusableBuffer<UInt8>()
        found.append(ASCII.hash)
        let defined = variables.definition(in: line, AttributeScanner(line, from: 14), through: &found, upTo: 100)
        #expect(defined.map { "\($0)" } == name && "\(found.view)" == (name == nil ? "#" : value))
    }
}
