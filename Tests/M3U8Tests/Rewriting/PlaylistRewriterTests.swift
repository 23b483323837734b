import ByteScan
import Drivers
import M3U8
import Support
import Testing

/// The rewriter against the naive one, at every split.
@Suite struct PlaylistRewriterTests {
    typealias Operation = NaiveRewriter.Operation

    static var nothing: NaiveRewriter { NaiveRewriter { _ in nil } }

    static func check(
        _ text: String, _ rewriting: Rewriting, _ naive: NaiveRewriter, expected: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let result = naive.rewrite(Array(text.utf8))
        if let expected {
            #expect(String(decoding: result.bytes, as: UTF8.self) == expected, sourceLocation: sourceLocation)
        }
        rewriting.check(Array(text.utf8), result, sourceLocation: sourceLocation)
    }

    // MARK: Nothing asked

    static let untouched = [
        "", "#EXTM3U", "#EXTM3U\n", "#EXTM3U\r\n\r\n", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", "\n", "\r",
        "\u{FEFF}",
        "#EXTM3U\n#EXTINF:4,\na\r\n#EXT-X-STREAM-INF", "#EXTM3U\n#EXT-X-", "#EXTM3U\n#\n##\n# \n", "\0", "#EXTM3\n",
        "#EXTM3U\n#EXT-X-NAME-THAT-IS-LONGER-THAN-ANY-THAT-MATTERS:1\nv\n",
        "#EXTM3U\n#EXT and much text after it, no tag\n",
        "#EXTM3U\n#EXT-X-DISCONTINUITY-SEQUENCEX\r\n#EXT-X-DISCONTINUITY-SEQUENCE-1\r\n#EXT-X-DISCONTINUITY-SEQUENCE-12\r\n",
    ]

    @Test(arguments: untouched)
    func nothingAskedNothingChanged(text: String) throws {
        Self.check(text, Rewriting(edits: try PlaylistEdits([])), Self.nothing, expected: text)
        let observing = try PlaylistEdits(
            [], observing: ["EXTINF", "EXT-X-STREAM-INF", "EXT-X-FOO"], selectsURIs: true, absent: Array("A".utf8))
        Self.check(text, Rewriting(edits: observing), Self.nothing, expected: text)
    }

    // MARK: Whole lines

    @Test func droppedLines() throws {
        let text = "#EXTM3U\r\n#EXT-X-A:1\r\nv\n#EXT-X-A\n#EXT-X-A\n#EXT-X-AB\n#EXT-X-A\r#\n#EXT-X-A"
        let naive = NaiveRewriter { $0.isTag("EXT-X-A") ? .drop : nil }
        let expected = "#EXTM3U\r\nv\n#EXT-X-AB\n#EXT-X-A\r#\n"
        Self.check(text, Rewriting(edits: try PlaylistEdits([.drop("EXT-X-A")])), naive, expected: expected)
        let handled = Rewriting(edits: try PlaylistEdits([], observing: ["EXT-X-A"]), handler: { $1.drop() })
        Self.check(text, handled, naive, expected: expected)
        // A line that is dropped is not edited, and none that is dropped counts as one that could not be.
        let both = Rewriting(edits: try PlaylistEdits([.set("EXT-X-A", "B", to: "1"), .drop("EXT-X-A")]))
        Self.check(text, both, naive, expected: expected)
    }

    @Test func replacedLines() throws {
        let text = "#EXTM3U\r\n#EXT-X-A:1\r\nv\n#EXT-X-A\nw\r\n#EXT-X-A\r"
        let naive = NaiveRewriter { $0.isTag("EXT-X-A") ? .replaceLine(Array("# gone".utf8)) : nil }
        let rewriting = Rewriting(
            edits: try PlaylistEdits([.remove("EXT-X-A", "X")], observing: ["EXT-X-A"]),
            handler: { _, edits in edits.replaceLine(with: "# gone".utf8) })
        Self.check(text, rewriting, naive, expected: "#EXTM3U\r\n# gone\r\nv\n# gone\nw\r\n# gone\r")
    }

    @Test func theLastWordAboutAWholeLineCounts() throws {
        let text = "#EXTM3U\n#EXT-X-A:1\n#EXT-X-B:1\n"
        let naive = NaiveRewriter { line in
            line.isTag("EXT-X-A") ? .drop : line.isTag("EXT-X-B") ? .replaceLine([0x78]) : nil
        }
        let rewriting = Rewriting(
            edits: try PlaylistEdits([.drop("EXT-X-B")], observing: ["EXT-X-A", "EXT-X-B"]),
            handler: { line, edits in
                edits.replaceLine(with: "x".utf8)
                if line.name == "EXT-X-A" { edits.drop() }
            })
        Self.check(text, rewriting, naive, expected: "#EXTM3U\nx\n")
    }

    // MARK: URIs

    /// `<uri>`, without the lone CRs that no replacement may hold.
    static func bracketed(_ uri: [UInt8]) -> [UInt8] {
        Array("<".utf8) + uri.filter { $0 != 0x0D } + Array(">".utf8)
    }

    @Test func selectedURIs() throws {
        let text = "#EXTM3U\n\n \n\t\r\n# c\n#EXT-X-A\nv/1\r\n /2\n#\n\0\n\r3\r\n\r\nlast"
        let naive = NaiveRewriter { $0.isURI ? .replaceLine(Self.bracketed($0.content)) : nil }
        let rewriting = Rewriting(
            edits: try PlaylistEdits([], selectsURIs: true),
            handler: { line, edits in
                #expect(line.kind == .uri)
                #expect(line.name.isEmpty)
                #expect(line.nameEnd == 0)
                edits.replaceLine(with: Self.bracketed(Array(line.bytes)))
            })
        Self.check(
            text, rewriting, naive,
            expected: "#EXTM3U\n\n \n\t\r\n# c\n#EXT-X-A\n<v/1>\r\n< /2>\n#\n<\0>\n<3>\r\n\r\n<last>")
        for end in ["", "\r", " ", " \r"] {
            Self.check("#EXTM3U\nv\n\(end)", rewriting, naive, expected: "#EXTM3U\n<v>\n\(end)")
        }
    }

    /// The scanner's head of no line is no URI's either.
    @Test func everyByteMayStandInAURI() throws {
        let bytes = (0...255).filter { !"\n\r#".utf8.contains($0) }
        var text = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n".utf8)
        for byte in bytes { text += [UInt8](repeating: byte, count: 40) + [0x0A] }
        var seen: [UInt8] = []
        let edits = try PlaylistEdits([.set(TagSelector(.streamInf), "AUDIO", to: "\"a\"")], selectsURIs: true)
        var rewriter = PlaylistRewriter(edits)
        let look: PlaylistRewriter.Handler = { line, _ in if line.kind == .uri { seen.append(line.bytes[0]) } }
        try text.withUnsafeBytes { try rewriter.write($0, deciding: look) { _ in } }
        rewriter.finish { _ in }
        #expect(seen == bytes.filter { !" \t".utf8.contains($0) })
    }

    @Test func droppedURIs() throws {
        let naive = NaiveRewriter { $0.isURI ? .drop : nil }
        let rewriting = Rewriting(edits: try PlaylistEdits([], selectsURIs: true), handler: { $1.drop() })
        Self.check("#EXTM3U\na\n#EXTINF:1,\r\nb\r\n\nc", rewriting, naive, expected: "#EXTM3U\n#EXTINF:1,\r\n\n")
    }

    @Test func attributesOfAURIAreNone() throws {
        var naive = Self.nothing
        naive.decide = { $0.isURI ? .attributes([.set(name: "A", value: "1")]) : nil }
        let rewriting = Rewriting(
            edits: try PlaylistEdits([], selectsURIs: true), handler: { $1.set("A".utf8, to: "1".utf8) })
        Self.check("#EXTM3U\nv:A=1\nw\n", rewriting, naive, expected: "#EXTM3U\nv:A=1\nw\n")
    }

    // MARK: What a handler sees

    @Test func aHandlerSeesEachSelectedLineOnce() throws {
        let text =
            "#EXTM3U x\r\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"a\"\r\n#EXT-X-FOO\nv\n#EXT-X-GAP:\n#EXT-X-MEDIA:A=\"\n#EXT-X-FOO:"
        let edits = try PlaylistEdits([], observing: [TagSelector(.media), "EXT-X-FOO"], absent: Array("URI".utf8))
        let bytes = Array(text.utf8)
        let window = GuardedWindow(capacity: bytes.count)
        for split in Splits.all(of: bytes.count) {
            var seen: [String] = []
            let rewriting = Rewriting(
                edits: edits,
                handler: { line, _ in
                    var attributes = line.attributes
                    var names: [String] = []
                    while let attribute = attributes.next() {
                        names.append(String(decoding: Array(line.bytes[attribute.name]), as: UTF8.self))
                    }
                    seen.append(
                        "\(line.position) \(String(decoding: Array(line.name), as: UTF8.self)) \(line.kind) "
                            + "\(line.bytes.count) \(line.valueStart) \(line.isEditable) \(names)")
                })
            let output = rewriting.run(on: bytes, split: split, in: window).answer.bytes
            #expect(
                seen == [
                    "11 EXT-X-MEDIA tag(M3U8.TagName.media) 31 13 true [\"TYPE\", \"URI\"]",
                    "44 EXT-X-FOO otherTag 10 10 false []",
                    "69 EXT-X-MEDIA tag(M3U8.TagName.media) 16 13 false [\"A\"]",
                    "86 EXT-X-FOO otherTag 11 11 true []",
                ])
            #expect(output == bytes)
        }
    }

    // MARK: Lines at the end

    @Test func appendedLines() throws {
        let edits = try PlaylistEdits([.drop("EXT-X-A")], appending: [Array("#1".utf8), Array("2".utf8)])
        var naive = NaiveRewriter { $0.isTag("EXT-X-A") ? .drop : nil }
        naive.appended = ["#1", "2"]
        for (text, expected) in [
            ("#EXTM3U\n", "#EXTM3U\n#1\n2\n"), ("#EXTM3U", "#EXTM3U\n#1\n2\n"),
            ("#EXTM3U\r\nv", "#EXTM3U\r\nv\r\n#1\r\n2\r\n"),
            ("#EXTM3U\r\nv\n", "#EXTM3U\r\nv\n#1\r\n2\r\n"), ("#EXTM3U\nv\r\nw", "#EXTM3U\nv\r\nw\n#1\n2\n"),
            ("#EXTM3U\n#EXT-X-A", "#EXTM3U\n#1\n2\n"), ("#EXTM3U\n#EXT-X-A\n", "#EXTM3U\n#1\n2\n"),
            ("#EXTM3U\nv\n#EXT-X-AB", "#EXTM3U\nv\n#EXT-X-AB\n#1\n2\n"), ("#EXTM3", "#EXTM3"), ("", ""), ("v", "v"),
            // The rest of a line ending that is cut short is put there, and no more.
            ("#EXTM3U\r\nv\r", "#EXTM3U\r\nv\r\n#1\r\n2\r\n"), ("#EXTM3U\r", "#EXTM3U\r\n#1\n2\n"),
        ] {
            Self.check(text, Rewriting(edits: edits), naive, expected: expected)
        }
    }

    /// What became of the line before says nothing of the last one: what is kept of it gets a line ending.
    @Test func appendedLinesAfterADroppedLineAndALastOne() throws {
        let set = NaiveRewriter.Operation.set(name: "SUBTITLES", value: "\"s\"")
        let edits = try PlaylistEdits(
            [set.edit(of: "EXT-X-STREAM-INF"), .drop("EXT-X-A")], appending: [Array("#1".utf8)])
        var naive = NaiveRewriter { line in
            line.isTag("EXT-X-A") ? .drop : line.isTag("EXT-X-STREAM-INF") ? .attributes([set]) : nil
        }
        naive.appended = ["#1"]
        Self.check(
            "#EXTM3U\n#EXT-X-A:1\n#EXT-X-STREAM-INF:B=1", Rewriting(edits: edits), naive,
            expected: "#EXTM3U\n#EXT-X-STREAM-INF:B=1,SUBTITLES=\"s\"\n#1\n")
    }

    @Test func aDroppedURIAndHalfALineEndingAtTheEnd() throws {
        let edits = try PlaylistEdits([], selectsURIs: true, appending: [Array("#1".utf8)])
        var naive = NaiveRewriter { $0.isURI ? .drop : nil }
        naive.appended = ["#1"]
        let rewriting = Rewriting(edits: edits, handler: { $1.drop() })
        Self.check("#EXTM3U\nv\n\r", rewriting, naive, expected: "#EXTM3U\n\r\n#1\n")
    }

    @Test func appendedLinesHaveAScope() throws {
        var naive = Self.nothing
        naive.appended = ["#1"]
        for (scope, naiveScope) in Self.scopes {
            naive.scope = naiveScope
            let rewriting = Rewriting(edits: try PlaylistEdits([], appending: [Array("#1".utf8)], scope: scope))
            for text in [
                "#EXTM3U\n", "#EXTM3U\n#EXTINF:1\n", "#EXTM3U\n#EXT-X-MEDIA:\n", "#EXTM3U\n#EXTINF:1\n#EXT-X-MEDIA:\n",
            ] {
                Self.check(text, rewriting, naive)
            }
        }
    }

    // MARK: Scopes

    static let scopes: [(PlaylistEdits.Scope, NaiveRewriter.Scope)] = [
        (.any, .any), (.multivariant, .multivariant), (.media, .media),
    ]

    @Test func aTagOfTheOtherKindEndsTheEdits() throws {
        let text = "#EXTM3U\n#EXT-X-DEFINE:A=0\n#EXT-X-MEDIA:A=0\n#EXT-X-DEFINE:A=0\n#EXTINF:1\n#EXT-X-DEFINE:A=0\n"
        let other =
            "#EXTM3U\n#EXT-X-DEFINE:A=0\n#EXT-X-KEY:A=0\n#EXT-X-DEFINE:A=0\n#EXT-X-MEDIA:A=0\n#EXT-X-DEFINE:A=0\n"
        let tags = ["EXT-X-DEFINE", "EXT-X-MEDIA", "EXT-X-KEY"]
        for (scope, naiveScope) in Self.scopes {
            let edits = tags.map { Operation.set(name: "A", value: "1").edit(of: $0) }
            let rewriting = Rewriting(edits: try PlaylistEdits(edits, scope: scope))
            var naive = NaiveRewriter { line in
                tags.contains(where: line.isTag) ? .attributes([.set(name: "A", value: "1")]) : nil
            }
            naive.scope = naiveScope
            Self.check(text, rewriting, naive)
            Self.check(other, rewriting, naive)
        }
        var multivariant = NaiveRewriter { _ in .attributes([.set(name: "A", value: "1")]) }
        multivariant.scope = .multivariant
        #expect(multivariant.rewrite(Array(text.utf8)).verdict == .mixed)
    }
}
