import M3U8
import Support
import Testing

/// Slices, lengths, and rewriters that are used again.
@Suite struct RewriterUseTests {
    static let text = Array(
        "#EXTM3U\r\n#EXT-X-VERSION:3\r\n#EXT-X-A:B=2\r\nv\r\n#EXT-X-A:\"\r\n#EXT-X-D\r\n#EXT-X-D\r\nw\r\n#EXT-X-A:A=0,C=3\r\nend"
            .utf8)

    static func edits() throws -> PlaylistEdits {
        try PlaylistEdits([.set("EXT-X-A", "A", to: "1"), .drop("EXT-X-D")], appending: [Array("#end".utf8)])
    }

    @Test func aWholeTextLeavesInTheLongestRuns() throws {
        var rewriter = PlaylistRewriter(try Self.edits())
        var sources: [OutputSlice.Source] = []
        var pieces: [String] = []
        try Self.text.withUnsafeBytes { chunk in
            try rewriter.write(chunk) { slice in
                sources.append(slice.source)
                pieces.append(String(decoding: slice.bytes, as: UTF8.self))
                #expect(slice.count == slice.bytes.count)
                #expect(Array(slice.view) == Array(slice.bytes))
            }
        }
        rewriter.finish { pieces.append(String(decoding: $0.bytes, as: UTF8.self)) }
        #expect(
            pieces == [
                "#EXTM3U\r\n#EXT-X-VERSION:3\r\n#EXT-X-A:B=2", ",A=1", "\r\nv\r\n#EXT-X-A:\"\r\n", "w\r\n#EXT-X-A:A=",
                "1",
                ",C=3\r\nend", "\r\n", "#end", "\r\n",
            ])
        #expect(sources == [.chunk(0..<39), .library, .chunk(39..<56), .chunk(76..<90), .library, .chunk(91..<100)])
    }

    @Test func anUntouchedChunkIsOneSlice() throws {
        let text = Array("#EXTM3U\n#EXTINF:1,\nv\n#EXTINF:1,\nw\n#EXT-X-ENDLIST\n".utf8)
        for cut in 8..<text.count where text[cut - 1] == 0x0A {
            var rewriter = PlaylistRewriter(try PlaylistEdits([.set("EXT-X-KEY", "A", to: "1")], selectsURIs: true))
            for chunk in [text[..<cut], text[cut...]] {
                var sources: [OutputSlice.Source] = []
                try chunk.withUnsafeBytes { try rewriter.write($0) { sources.append($0.source) } }
                #expect(sources == [.chunk(0..<chunk.count)])
            }
        }
    }

    /// Only the unfinished line of a selected tag is carried, and a name that may become one's.
    @Test func nothingElseIsCarried() throws {
        let text = Array("#EXTM3U\n#EXT-X-AB:1\nv\n#EXT-X-A:1\n#EXTINF:1,\n\n#\n".utf8)
        for end in 8...text.count {
            var rewriter = PlaylistRewriter(try PlaylistEdits([], observing: ["EXT-X-A"]))
            var output: [UInt8] = []
            try text[..<end].withUnsafeBytes { try rewriter.write($0) { output += $0.bytes } }
            let line = Array(text[..<end].split(separator: 0x0A, omittingEmptySubsequences: false).last ?? [])
            let mayBeTag = Array("#EXT".utf8).starts(with: line.prefix(4)) && !line.contains(UInt8(ascii: ":"))
            let isHeld = mayBeTag || line.starts(with: Array("#EXT-X-A:".utf8))
            #expect(output.count == end - (isHeld ? line.count : 0), "\(String(decoding: text[..<end], as: UTF8.self))")
        }
    }

    @Test func theLengthIsKnownAhead() throws {
        var rewriter = PlaylistRewriter(try Self.edits())
        var generator = SeededGenerator(seed: 71)
        for _ in 0..<40 {
            let text = Self.text + PlaylistTokens.playlist(using: &generator)
            let length = try text.withUnsafeBytes { try rewriter.outputLength(of: $0) }
            var output = 0
            try text.withUnsafeBytes { try rewriter.write($0) { output += $0.count } }
            rewriter.finish { output += $0.count }
            #expect(length == output)
        }
    }

    @Test func theLengthPastALimitLeavesTheRewriterAsNew() throws {
        var rewriter = PlaylistRewriter(try Self.edits(), limits: LineLimits(longestLine: 11, policy: .fail))
        var failed = false
        do {
            _ = try Self.text.withUnsafeBytes { try rewriter.outputLength(of: $0) }
        } catch {
            failed = true
        }
        #expect(failed)
        let (verdict, position, exceeded) = (rewriter.verdict, rewriter.position, rewriter.exceededLimit)
        #expect(verdict == .undecided)
        #expect(position == 0)
        #expect(exceeded == nil)
    }

    @Test func aRewriterThatIsResetIsAsNew() throws {
        let rewriting = Rewriting(edits: try Self.edits(), limits: LineLimits(longestLine: 40))
        var rewriter = PlaylistRewriter(rewriting.edits, limits: rewriting.limits)
        var generator = SeededGenerator(seed: 72)
        let window = GuardedWindow(capacity: 1 << 16)
        for round in 0..<120 {
            let left = round % 2 == 0 ? Self.text : PlaylistTokens.playlist(using: &generator)
            // Left in the middle of anything, by a text of another kind.
            let cut = Int.random(in: 0...left.count, using: &generator)
            try left[..<cut].withUnsafeBytes { try rewriter.write($0) { _ in } }
            if round % 3 == 0 { rewriter.finish { _ in } }
            rewriter.reset()
            let text = PlaylistTokens.playlist(using: &generator)
            let split = Splits.random(of: text.count, times: 1, seed: UInt64(round))[0]
            let used = rewriting.run(of: &rewriter, on: text, split: split, in: window)
            #expect(used == rewriting.run(on: text, split: split, in: window))
            rewriter.reset()
        }
    }

    @Test func emptyChunksAreNothing() throws {
        var rewriter = PlaylistRewriter(try Self.edits())
        var output: [UInt8] = []
        for byte in Self.text {
            try rewriter.write(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in Issue.record("a slice of nothing") }
            try [byte].withUnsafeBytes { try rewriter.write($0) { output += $0.bytes } }
        }
        rewriter.finish { output += $0.bytes }
        let length = try Self.text.withUnsafeBytes { chunk in
            var other = PlaylistRewriter(try Self.edits())
            return try other.outputLength(of: chunk)
        }
        #expect(output.count == length)
    }

    @Test func editsAreSharedByThreads() async throws {
        let edits = try Self.edits()
        let outputs = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var rewriter = PlaylistRewriter(edits)
                    var output: [UInt8] = []
                    for _ in 0..<50 {
                        output = []
                        rewriter.reset()
                        try Self.text.withUnsafeBytes { try rewriter.write($0) { output += $0.bytes } }
                        rewriter.finish { output += $0.bytes }
                    }
                    return output
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(outputs.count == 1)
    }
}
