import ByteScan
import Drivers
import M3U8
import Sideload
import Support
import Testing

/// Each form of output gives the same bytes: slices, pieces of any size, and memory of the caller's.
@Suite struct OutputFormTests {
    /// Multivariant playlists in which much goes on, and texts that pass through.
    static let texts = [
        "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:SUBTITLES=\"\"\nw\n",
        "#EXTM3U\r\n#EXT-X-STREAM-INF:A=1\r\nv\r\n#EXT-X-STREAM-INF:SUBTITLES=\"x\"\r\nw",
        """
        #EXTM3U
        #EXT-X-DEFINE:NAME="a",VALUE="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="{$a}{$a}",NAME="x",DEFAULT,DEFAULT=YES,URI="x"
        #EXT-X-STREAM-INF:\n#EXT-X-STREAM-INF:A="
        #EXT-X-STREAM-INF:,\n#EXT-X-STREAM-INF:A,SUBTITLES\n#EXT-X-STREAM-INF:SUBTITLES="y"
        """,
        "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXTINF:4,\na.ts\n#EXT-X-STREAM-INF:A=1\nv",
        "#EXTM3U\n#EXTINF:4,\na.ts\n#EXT-X-STREAM-INF:A=1\nv",
        "#EXTM3U8\n#EXT-X-STREAM-INF:A=1\nv", "", "#EXTM3", "\n",
    ].map { Array($0.utf8) }

    static let limits = [
        SideloadLimits(), SideloadLimits(lines: LineLimits(longestLine: 20, policy: .fail)),
        SideloadLimits(heldRenditions: 200, longestGroupID: 8),
    ]

    static func tracks(policy: SubtitleTracks.DefaultPolicy = .keepsExisting) throws -> SubtitleTracks {
        var first = Track.english
        first.isDefault = true
        return try SubtitleTracks([first, Track.swedish], defaultPolicy: policy)
    }

    @Test(arguments: OutputForm.allCases)
    func everyFormGivesTheSame(form: OutputForm) throws {
        for limits in Self.limits {
            var rewriter = MasterRewriter(try Self.tracks(policy: .prefersTracks), limits: limits)
            for text in Self.texts { check(form, text, Splits.all(of: text.count), &rewriter) }
        }
        var generator = SeededGenerator(seed: 411)
        var rewriter = MasterRewriter(try Self.tracks())
        for _ in 0..<60 {
            let text = MasterTokens.playlist(using: &generator)
            check(form, text, [[0..<text.count]] + Splits.random(of: text.count, times: 4), &rewriter)
        }
    }

    private func check(
        _ form: OutputForm, _ text: [UInt8], _ splits: [[Range<Int>]], _ rewriter: inout MasterRewriter
    ) {
        let window = GuardedWindow(capacity: text.count)
        rewriter.reset()
        let whole = RewriterRun(of: &rewriter, on: text, split: [0..<text.count], in: window)
        for split in splits {
            rewriter.reset()
            let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, form: form)
            guard run.faults.isEmpty, run.answer == whole.answer else {
                let output = String(decoding: run.answer.bytes, as: UTF8.self).debugDescription
                let expected = String(decoding: whole.answer.bytes, as: UTF8.self).debugDescription
                Issue.record("\(form), \(split): \(run.faults)\n\(output)\n\(expected)")
                return
            }
        }
    }

    @Test func whatBreaksOffIsNotFinished() throws {
        for limits in Self.limits {
            var rewriter = MasterRewriter(try Self.tracks(), limits: limits)
            for text in Self.texts { abandon(text, &rewriter) }
        }
        var generator = SeededGenerator(seed: 412)
        var rewriter = MasterRewriter(try Self.tracks())
        for _ in 0..<20 { abandon(MasterTokens.playlist(using: &generator), &rewriter) }
    }

    private func abandon(_ text: [UInt8], _ rewriter: inout MasterRewriter) {
        rewriter.reset()
        let whole = RewriterRun(
            of: &rewriter, on: text, split: [0..<text.count], in: GuardedWindow(capacity: text.count)
        ).answer.bytes
        for end in 0...text.count {
            for split in [[0..<text.count], Splits.even(of: text.count, size: 3)] {
                let faults = AbandonRun.faults(
                    of: &rewriter, on: text, breakingOffAt: end, split: split, whole: whole)
                #expect(faults == [], "\(String(decoding: text, as: UTF8.self).debugDescription)")
            }
        }
    }

    @Test func abandonHasEachForm() throws {
        let text = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1,B".utf8)
        var output = OutputPieces()
        var rewriter = MasterRewriter(try Self.tracks())
        var log = PieceLog(longestPiece: 32 << 10)
        text.withUnsafeBytes { chunk in
            try? rewriter.write(chunk, into: &output)
            log.record(output, of: chunk)
        }
        #expect(rewriter.heldBytes == 23)
        rewriter.abandon(into: &output)
        log.record(output, of: UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(log.bytes == text)
        #expect(log.faults == [])

        rewriter.reset()
        let memory = WritableMemory(count: text.count)
        text.withUnsafeBytes { chunk in try? rewriter.write(chunk) { _ in } }
        var small = OutputBuffer(UnsafeMutableRawBufferPointer(rebasing: memory.buffer[..<22]))
        #expect(throws: OutputError<LimitError>.tooSmall(needed: 23, available: 22)) {
            try rewriter.abandon(into: &small)
        }
        var buffer = OutputBuffer(memory.buffer)
        try rewriter.abandon(into: &buffer)
        #expect(Array(buffer.bytes) == Array(text.suffix(23)))
    }

    @Test func aProxyCanStepAside() throws {
        let rows: [(text: String, isSettled: Bool, reason: String)] = [
            ("", false, "nothing is known"),
            ("#EXTM3U\n", false, "nor here"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n", true, "a media playlist is never edited"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-STREAM-INF:A=1\n", true, "nor if it becomes a mixed one"),
            ("WEBVTT\n\n", true, "no playlist"),
            ("#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-STREAM-INF:A=1\n", false, "a multivariant playlist"),
            ("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:A=1\n#EXTINF:4,\n", true, "mixed, and nothing was edited"),
            ("#EXTM3U\n#EXT-X-STREAM-INF:A=1\n#EXTINF:4,\n", false, "mixed, and the group is to be declared"),
        ]
        for row in rows {
            var rewriter = MasterRewriter(try Self.tracks())
            row.text.utf8.map { $0 }.withUnsafeBytes { chunk in try? rewriter.write(chunk) { _ in } }
            #expect(rewriter.isSettled == row.isSettled, "\(row.reason)")
        }
    }

    @Test func aFinishThatDoesNotFitCanBeRepeated() throws {
        for text in Self.texts {
            let whole = try Self.tracks().sideloaded(into: text).bytes
            for retriesInPieces in [false, true] {
                var rewriter = MasterRewriter(try Self.tracks())
                var bytes: [UInt8] = []
                text.withUnsafeBytes { chunk in try? rewriter.write(chunk) { bytes += $0.bytes } }
                var nothing = OutputBuffer(UnsafeMutableRawBufferPointer(start: nil, count: 0))
                var needed = 0
                for _ in 0..<2 {
                    do throws(OutputError<LimitError>) {
                        try rewriter.finish(into: &nothing)
                    } catch {
                        guard case .tooSmall(let count, _) = error else { continue }
                        needed = count
                    }
                }
                #expect(needed == whole.count - bytes.count)
                if retriesInPieces {
                    var output = OutputPieces()
                    rewriter.finish(into: &output)
                    for piece in output { bytes += piece.bytes(in: UnsafeRawBufferPointer(start: nil, count: 0)) }
                } else {
                    let memory = WritableMemory(count: needed)
                    var output = OutputBuffer(memory.buffer)
                    try rewriter.finish(into: &output)
                    bytes += output.bytes
                }
                #expect(bytes == whole)
            }
        }
    }

    /// What variants may gain, of which one has 19 bytes at least: a name of 256 bytes unless it is known that no group is declared, or
    /// which one was.
    @Test func theBoundOfAChunk() throws {
        var rewriter = MasterRewriter(try Self.tracks())
        func bound(_ chunk: String) -> Int { Array(chunk.utf8).withUnsafeBytes { rewriter.outputBound(for: $0) } }
        func write(_ text: String) throws { try Array(text.utf8).withUnsafeBytes { try rewriter.write($0) { _ in } } }
        let (longest, own, declared) = (13 + 256, 17, 14)
        for _ in 0..<2 {
            #expect(
                [0, 18, 19, 37, 38].map { rewriter.outputBound(forChunkOf: $0) } == [
                    0, 18, 19 + longest, 37 + longest, 38 + 2 * longest,
                ])
            // More than any number holds.
            #expect(rewriter.outputBound(forChunkOf: .max / 2) == .max / 2 + .max / 4)
            #expect(bound("#EXTM3U\n") == 8 && bound(String(repeating: "x", count: 40)) == 40)
            let line = "#EXT-X-STREAM-INF:\n"
            #expect(bound(line) == 19 + own && bound(line + "\n") == 20 + own && bound(line + line) == 38 + 2 * own)
            #expect(bound("SUBTITLES" + line) == 28 + longest && bound("SUBTITLE" + line) == 27 + own)
            try write("#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTI")
            let held = rewriter.heldBytes
            #expect(held == 23 && bound("TLES,\n") == held + 6 + longest && bound("TLE\n") == held + 4 + own)
            #expect(rewriter.outputBound(forChunkOf: 15) == 38 + 2 * longest)
            try write("TLES,GROUP-ID=\"g\",NAME=\"x\",URI=\"x\"\n")
            #expect(
                bound("SUBTITLES" + line) == 28 + declared && rewriter.outputBound(forChunkOf: 38) == 38 + 2 * declared)
            // In a mixed playlist nothing more is edited.
            try write("#EXTINF:4,\n")
            #expect(bound(line) == 19 && rewriter.outputBound(forChunkOf: 19) == 19)
            rewriter.reset()
        }
    }

    /// The bound is never too low, which BufferLog shows, and for everyday playlists not much too high.
    @Test func theBoundIsClose() throws {
        var text = Array("#EXTM3U\n".utf8)
        for number in 0..<20 {
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(number)00000,RESOLUTION=640x360,CODECS=\"avc1.64001e\"\nv\(number).m3u8\n"
                .utf8
        }
        let rewriter = MasterRewriter(try Self.tracks())
        let bound = text.withUnsafeBytes { rewriter.outputBound(for: $0) }
        #expect(bound == text.count + 41 * 17)
        #expect(rewriter.outputBound(forChunkOf: text.count) == text.count + text.count / 19 * 269)
    }
}
