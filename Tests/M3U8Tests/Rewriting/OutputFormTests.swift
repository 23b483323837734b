import ByteScan
import Drivers
import M3U8
import Support
import Testing

/// Edits of any kind give the same bytes in each form of output.
@Suite struct OutputFormTests {
    static let texts = [
        "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:\nw\n#EXT-X-STREAM-INF:B\n#EXT-X-STREAM-INF:A=\"",
        "#EXTM3U\r\n#EXT-X-KEY:B=1,A=22,A=3\r\n#EXT-X-KEY:\r\n#EXT-X-KEY\r\nv\r\n#EXT-X-MEDIA:A",
        "#EXTM3U\n#EXT-X-GAP\n#EXTINF:4,\nv\n#EXT-X-GAP", "#EXTM3U", "", "no\n#EXT-X-KEY:A=1\n",
    ].map { Array($0.utf8) }

    static func edits(_ scope: PlaylistEdits.Scope) throws -> PlaylistEdits {
        try PlaylistEdits(
            [
                .set("EXT-X-STREAM-INF", "A", to: "\"a longer value\""), .set("EXT-X-KEY", "A", to: "\"longer still\""),
                .replace("EXT-X-KEY", "B", with: "2"), .set("EXT-X-KEY", "C", to: "3"), .remove("EXT-X-MEDIA", "A"),
                .drop("EXT-X-GAP"),
            ], appending: [Array("#end".utf8), Array("x".utf8)], scope: scope)
    }

    @Test(arguments: OutputForm.allCases)
    func everyFormGivesTheSame(form: OutputForm) throws {
        for (scope, limits) in [
            (PlaylistEdits.Scope.any, LineLimits()), (.multivariant, LineLimits()),
            (.any, LineLimits(longestLine: 19, policy: .fail)),
        ] {
            var rewriter = PlaylistRewriter(try Self.edits(scope), limits: limits)
            for text in Self.texts {
                let window = GuardedWindow(capacity: text.count)
                rewriter.reset()
                let whole = RewriterRun(of: &rewriter, on: text, split: [0..<text.count], in: window)
                for split in Splits.all(of: text.count) {
                    rewriter.reset()
                    let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, form: form)
                    #expect(run.faults == [], "\(split)")
                    #expect(run.answer == whole.answer, "\(split) of \(String(decoding: text, as: UTF8.self))")
                }
            }
        }
    }

    @Test(arguments: [PlaylistEdits.Scope.any, .multivariant, .media])
    func whatBreaksOffIsNotFinished(scope: PlaylistEdits.Scope) throws {
        var rewriter = PlaylistRewriter(try Self.edits(scope))
        for text in Self.texts {
            rewriter.reset()
            let window = GuardedWindow(capacity: text.count)
            let whole = RewriterRun(of: &rewriter, on: text, split: [0..<text.count], in: window).answer.bytes
            for end in 0...text.count {
                let faults = AbandonRun.faults(
                    of: &rewriter, on: text, breakingOffAt: end, split: Splits.even(of: text.count, size: 5),
                    whole: whole)
                #expect(faults == [], "\(String(decoding: text, as: UTF8.self))")
            }
        }
    }

    @Test func whatHandlersDecideIsCollectedToo() throws {
        let edits = try PlaylistEdits([], observing: ["EXT-X-KEY"], appending: [Array("#end".utf8)])
        var rewriter = PlaylistRewriter(edits)
        let text = Array("#EXTM3U\n#EXT-X-KEY:A=1\n#EXT-X-KEY:A=2".utf8)
        for threshold in [0, 1024, .max] {
            var output = OutputPieces(mergingThreshold: threshold)
            var log = PieceLog(longestPiece: 32 << 10)
            let window = GuardedWindow(capacity: text.count)
            for split in Splits.all(of: text.count) {
                rewriter.reset()
                log = PieceLog(longestPiece: 32 << 10)
                log.collect(text, split, in: window, isLeading: true, into: &output) {
                    chunk, output throws(LimitError) in
                    try rewriter.write(chunk, deciding: { $1.set("A".utf8, to: "3".utf8) }, into: &output)
                } finish: { output in
                    rewriter.finish(deciding: { $1.set("A".utf8, to: "3".utf8) }, into: &output)
                }
                #expect(log.faults == [])
                #expect(String(decoding: log.bytes, as: UTF8.self) == "#EXTM3U\n#EXT-X-KEY:A=3\n#EXT-X-KEY:A=3\n#end\n")
            }
        }
    }

    @Test func aProxyCanStepAside() throws {
        let rows: [(scope: PlaylistEdits.Scope, text: String, isSettled: Bool, reason: String)] = [
            (.any, "#EXTM3U\n#EXTINF:4,\n", false, "every playlist is edited"),
            (.multivariant, "#EXTM3U\n#EXTINF:4,\n", true, "a media playlist is not"),
            (.multivariant, "#EXTM3U\n#EXT-X-STREAM-INF:A=1\n", false, "it is one"),
            (.multivariant, "#EXTM3U\n#EXT-X-STREAM-INF:A=1\n#EXTINF:4,\n", true, "it was one"),
            (.media, "#EXTM3U\n#EXT-X-STREAM-INF:A=1\n", true, "not the kind"),
            (.media, "#EXTM3U\n", false, "may be the kind"),
            (.any, "nothing\n", true, "no playlist"),
        ]
        for row in rows {
            var rewriter = PlaylistRewriter(try Self.edits(row.scope))
            Array(row.text.utf8).withUnsafeBytes { chunk in try? rewriter.write(chunk) { _ in } }
            #expect(rewriter.isSettled == row.isSettled, "\(row.reason)")
        }
    }

    /// What the bound is of chunks of any size, what is held included: a line gains as much as its tag's edits together,
    /// and there may be as many lines as have a colon and a line feed.
    @Test(
        arguments: [
            (0, 17), (1, 18), (11, 28), (12, 46), (23, 57), (24, 75), (1200, 2917), (.max, .max), (.max / 2, .max),
        ])
    func bounds(_ count: Int, _ bound: Int) throws {
        // ,NAME=VALUE of eleven bytes and one of six: seventeen for a line of twelve and more, #EXT-X-KEY: and its end.
        let edits = try PlaylistEdits(
            [
                .set("EXT-X-KEY", "LONG", to: "12345"), .replace("EXT-X-KEY", "B", with: "123"),
                .remove("EXT-X-KEY", "D"), .set("EXT-X-GAP", "A", to: "1"), .drop("EXT-X-MAP"),
            ], appending: [Array("#end".utf8), Array("x".utf8)])
        var rewriter = PlaylistRewriter(edits)
        #expect(rewriter.outputBound(forChunkOf: count) == bound)
        // What a text's end needs besides what is held: the longest gain, a line ending, and the lines to append.
        #expect(Self.needed(at: &rewriter) == 17 + 2 + 4 + 2 + 1 + 2)
        var unedited = PlaylistRewriter(try PlaylistEdits([]))
        #expect(Self.needed(at: &unedited) == 2)
        Array("#EXTM3U\n#EXT-X-K".utf8).withUnsafeBytes { text in try? rewriter.write(text) { _ in } }
        #expect(rewriter.heldBytes == 8 && Self.needed(at: &rewriter) == 8 + 28)
        if count < 1 << 32 {
            #expect(rewriter.outputBound(forChunkOf: count) == count + 8 + 17 * ((count + 8) / 12 + 1))
            // Past the kind of playlist that is edited nothing grows.
            var other = PlaylistRewriter(try Self.edits(.media))
            Array("#EXTM3U\n#EXT-X-MEDIA:\n".utf8).withUnsafeBytes { text in try? other.write(text) { _ in } }
            #expect(other.outputBound(forChunkOf: count) == count)
        }
    }

    private static func needed(at rewriter: inout PlaylistRewriter) -> Int? {
        var output = OutputBuffer(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        let error: OutputError<LimitError>? = fault(of: try rewriter.finish(into: &output))
        return if case .tooSmall(let needed, 0) = error { needed } else { nil }
    }
}
