import ByteScan
import Support
import Testing

@testable import M3U8

/// What a trace says of a line is what the rewriter does with it, wherever the text is cut.
@Suite struct PlaylistTraceTests {
    /// One line of a trace in words.
    static func words(_ entry: TraceEntry) -> String {
        let decision =
            switch entry.decision {
            case .attributes(let effects):
                effects.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.effect)" }.joined(separator: ", ")
            case .replaced(let line): "replaced by \(String(decoding: line, as: UTF8.self))"
            case .uneditable(let hasOpenQuote): "uneditable: \(hasOpenQuote ? "open quote" : "no list")"
            case .bailedOut(let error): "bailed out: \(error)"
            case .ignored: "ignored"
            case .unchanged: "unchanged"
            case .onlyShown: "only shown"
            case .dropped: "dropped"
            }
        let verdict = entry.verdict.map { ", now \($0)" } ?? ""
        return "\(entry.position) \(String(decoding: entry.line, as: UTF8.self)): \(decision)\(verdict)"
    }

    /// The trace of `text`, cut into pieces of `size` bytes, and the output.
    static func trace(
        _ text: [UInt8], _ edits: PlaylistEdits, limits: LineLimits = LineLimits(), size: Int
    ) -> (lines: [String], output: [UInt8]) {
        var rewriter = PlaylistRewriter(edits, limits: limits)
        var trace = PlaylistTrace()
        var entries: [TraceEntry] = []
        var output: [UInt8] = []
        for range in Splits.even(of: text.count, size: size) {
            text[range].withUnsafeBytes { chunk in
                entries += trace.write(chunk, to: &rewriter, deciding: { _, _ in }) { output += $0.bytes }
            }
        }
        entries += trace.finish(&rewriter, deciding: { _, _ in }) { output += $0.bytes }
        return (entries.map(words), output)
    }

    @Test func everyDecision() throws {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a,b"
            v
            #EXT-X-STREAM-INF:BANDWIDTH=1,A=2
            v
            #EXT-X-STREAM-INF:A="
            #EXT-X-STREAM-INF
            #EXT-X-MEDIA:B=1
            #EXT-X-MEDIA:C=1
            #EXT-X-GAP
            #EXT-X-START:C=1
            #EXT-X-FOO
            """
        let edits = try PlaylistEdits(
            [
                .set("EXT-X-STREAM-INF", "A", to: "1"), .remove("EXT-X-MEDIA", "B"),
                .replace("EXT-X-MEDIA", "C", with: "3"),
                .drop("EXT-X-GAP"),
            ], observing: ["EXT-X-START"])
        let expected = [
            "8 #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,b\": A appended, now multivariant",
            "53 #EXT-X-STREAM-INF:BANDWIDTH=1,A=2: A replaced",
            "89 #EXT-X-STREAM-INF:A=\": uneditable: open quote",
            "111 #EXT-X-STREAM-INF: uneditable: no list",
            "129 #EXT-X-MEDIA:B=1: B removed, C absent",
            "146 #EXT-X-MEDIA:C=1: B absent, C replaced",
            "163 #EXT-X-GAP: dropped, now mixed",
            "174 #EXT-X-START:C=1: unchanged",
        ]
        let whole = Self.output(of: edits, Array(text.utf8))
        for size in [1, 2, 7, 64, text.utf8.count] {
            let answer = Self.trace(Array(text.utf8), edits, size: size)
            #expect(answer.lines == expected, "cut into pieces of \(size) bytes")
            #expect(answer.output == whole)
        }
    }

    @Test func aLimitIsAnEntry() throws {
        let text = Array("#EXTM3U\n#EXT-X-A:12345678\n#EXT-X-A:1\n".utf8)
        let edits = try PlaylistEdits([.set("EXT-X-A", "A", to: "1")])
        for policy in [LineLimits.Policy.passThrough, .fail] {
            let limits = LineLimits(longestLine: 12, policy: policy)
            let answer = Self.trace(text, edits, limits: limits, size: text.count)
            #expect(
                answer.lines == [
                    "8 #EXT-X-A:12345678: bailed out: at byte 8: the line is longer than the limit of 12 bytes"
                ])
            #expect(answer.output == text)
        }
    }

    private static func output(of edits: PlaylistEdits, _ text: [UInt8]) -> [UInt8] {
        var rewriter = PlaylistRewriter(edits)
        var output: [UInt8] = []
        text.withUnsafeBytes { text in try? rewriter.write(text) { output += $0.bytes } }
        rewriter.finish { output += $0.bytes }
        return output
    }

    /// A line that only gets the appended attribute is simple, and nobody is shown it.
    @Test func simpleLines() {
        let text = Array(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1
            #EXT-X-STREAM-INF:BANDWIDTH=1 
            #EXT-X-STREAM-INF:A="UB"
            #EXT-X-MEDIA:TYPE=AUDIO,NAME="UB"
            #EXT-X-MEDIA:TYPE=VIDEO,NAME="UB"
            #EXT-X-DEFINE:X-DO=replace
            #EXT-X-DEFINE:X-DO=drop
            #EXT-X-DEFINE:X-DO=refuse
            #EXTINF:1,
            #EXT-X-DEFINE
            #EXT-X-DEFINE:X-DO=stop
            #EXT-X-DEFINE:X-DO=drop
            """.utf8)
        let appended = AppendedAttribute(EditCompilerTests.attribute, nameLength: 9)
        var rewriter = PlaylistRewriter(EditCompilerTests.program(), appending: appended, limits: LineLimits())
        var trace = PlaylistTrace()
        let handler: PlaylistRewriter.Handler = { EditCompilerTests.decide($0, &$1) }
        let entries =
            text.withUnsafeBytes { trace.write($0, to: &rewriter, deciding: handler) { _ in } }
            + trace.finish(&rewriter, deciding: handler) { _ in }
        let words = entries.map { entry in
            let tag = entry.tag.map { String(decoding: $0, as: UTF8.self) } ?? "none"
            let how = (entry.isSimple ? ", simple" : "") + (entry.isShown ? ", shown" : "")
            return "\(Self.words(entry)); \(tag)\(how)"
        }
        #expect(
            words == [
                "8 #EXT-X-STREAM-INF:BANDWIDTH=1: SUBTITLES appended, now multivariant; #EXT-X-STREAM-INF",
                "38 #EXT-X-STREAM-INF:BANDWIDTH=1 : SUBTITLES appended; #EXT-X-STREAM-INF",
                "69 #EXT-X-STREAM-INF:A=\"UB\": SUBTITLES appended; #EXT-X-STREAM-INF, shown",
                "128 #EXT-X-MEDIA:TYPE=VIDEO,NAME=\"UB\": ignored; #EXT-X-MEDIA",
                "162 #EXT-X-DEFINE:X-DO=replace: replaced by #new; #EXT-X-DEFINE, shown",
                "189 #EXT-X-DEFINE:X-DO=drop: dropped; #EXT-X-DEFINE, shown",
                "213 #EXT-X-DEFINE:X-DO=refuse: uneditable: open quote; #EXT-X-DEFINE, shown",
                "239 #EXTINF:1,: ignored, now mixed; #EXTINF",
                "250 #EXT-X-DEFINE: only shown; #EXT-X-DEFINE, shown",
                "264 #EXT-X-DEFINE:X-DO=stop: bailed out: at byte 264: the line is longer than the limit of 1 bytes; #EXT-X-DEFINE, shown",
            ])
    }
}
