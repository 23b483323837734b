import M3U8
import Sideload
import Support
import Testing

/// The ways to call: slices, a whole buffer, an asynchronous sequence; and rewriters used again.
@Suite struct SideloadUseTests {
    static let text = Array(
        "#EXTM3U\r\n#EXT-X-STREAM-INF:A=1\r\nv\r\n#EXT-X-STREAM-INF:SUBTITLES=\"x\"\r\nw".utf8)

    static func tracks() throws -> SubtitleTracks { try SubtitleTracks([Track.english, Track.swedish]) }

    static func expected(_ text: [UInt8]) throws -> [UInt8] {
        try Sideloading([Track.english, Track.swedish]).answer(to: text).bytes
    }

    @Test func aWholeBuffer() throws {
        var generator = SeededGenerator(seed: 91)
        for text in [Self.text, [], [0], Array("#EXTM3U".utf8)] {
            #expect(try Self.tracks().sideloaded(into: text).bytes == Self.expected(text))
        }
        for _ in 0..<40 {
            let text = MasterTokens.playlist(using: &generator)
            let sideloading = try Sideloading([Track.english, Track.swedish])
            let output = try Self.tracks().sideloaded(into: text).bytes
            #expect(output == sideloading.answer(to: text, splits: []).bytes)
            // The array has room for little more than its elements.
            #expect(output.capacity < output.count + 64)
        }
    }

    @Test func theLengthIsKnownAhead() throws {
        var rewriter = MasterRewriter(try Self.tracks())
        var generator = SeededGenerator(seed: 92)
        for _ in 0..<60 {
            let text = MasterTokens.playlist(using: &generator)
            let length = try text.withUnsafeBytes { try rewriter.outputLength(of: $0) }
            #expect(length == (try Self.tracks().sideloaded(into: text).bytes).count)
        }
    }

    @Test func aRewriterThatIsResetIsAsNew() throws {
        let sideloading = try Sideloading([Track.english, Track.swedish])
        var rewriter = MasterRewriter(sideloading.tracks)
        var generator = SeededGenerator(seed: 93)
        let window = GuardedWindow(capacity: 1 << 16)
        for round in 0..<120 {
            let left = MasterTokens.playlist(using: &generator)
            let cut = Int.random(in: 0...left.count, using: &generator)
            try left[..<cut].withUnsafeBytes { try rewriter.write($0) { _ in } }
            if round % 2 == 0 { rewriter.finish { _ in } }
            rewriter.reset()
            let text = MasterTokens.playlist(using: &generator)
            let split = Splits.random(of: text.count, times: 1, seed: UInt64(round))[0]
            let answer = sideloading.answer(of: &rewriter, to: text, split: split, in: window)
            #expect(answer == sideloading.answer(to: text, split: split, in: window))
            rewriter.reset()
        }
    }

    // MARK: Asynchronous

    static func chunks(_ text: [UInt8], _ split: [Range<Int>]) -> AsyncStream<ArraySlice<UInt8>> {
        AsyncStream { stream in
            for range in split { stream.yield(text[range]) }
            stream.finish()
        }
    }

    @Test func anAsynchronousSequence() async throws {
        let expected = try Self.expected(Self.text)
        for split in Splits.all(of: Self.text.count) {
            var output: [UInt8] = []
            for try await chunk in Self.chunks(Self.text, split).sideloading(try Self.tracks()) {
                #expect(!chunk.isEmpty)
                output += chunk
            }
            #expect(output == expected, "cut as \(split)")
        }
    }

    @Test func anEmptySequence() async throws {
        var iterator = Self.chunks([], []).sideloading(try Self.tracks()).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func aSequenceHandsOutWhatCameBeforeItThrows() async throws {
        let limits = SideloadLimits(lines: LineLimits(longestLine: 24, policy: .fail))
        let text = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:A=12345\nw\n".utf8)
        let edited = "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n#EXT-X-STREAM-INF:A=12345\nw\n"
        for split in [[0..<text.count], Splits.even(of: text.count, size: 7), Splits.even(of: text.count, size: 1)] {
            var output: [UInt8] = []
            var received = 0
            let base = Self.chunks(text, split).map { chunk in chunk }
            var iterator = base.sideloading(try Self.tracks(), limits: limits).makeAsyncIterator()
            var failure: LimitError?
            do {
                while let chunk = try await iterator.next() {
                    output += chunk
                    received += 1
                }
            } catch {
                failure = error as? LimitError
            }
            #expect(failure?.position == 32)
            // All that had been read of the base has been handed out.
            let written = split.last { $0.lowerBound < 32 + 25 }?.upperBound ?? 0
            #expect(output == Array(Array(edited.utf8)[..<(written + ",SUBTITLES=\"subs\"".utf8.count)]))
            #expect(try await iterator.next() == nil)
        }
    }

    struct Broken: Error {}

    @Test func whatTheBaseThrowsIsThrown() async throws {
        let base = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield(Self.text)
            stream.finish(throwing: Broken())
        }
        await #expect(throws: Broken.self) {
            for try await _ in base.sideloading(try Self.tracks()) {}
        }
    }

    /// What the base tore is not ended: no tags are appended, and nothing comes after the error.
    @Test func nothingComesAfterWhatTheBaseThrew() async throws {
        let head = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:A=".utf8)
        let base = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield(head)
            stream.finish(throwing: Broken())
        }
        let sequence: any Sendable = base.sideloading(try Self.tracks())
        #expect(sequence is SideloadingSequence<AsyncThrowingStream<[UInt8], any Error>>)
        var iterator = base.sideloading(try Self.tracks()).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(String(decoding: first ?? [], as: UTF8.self).hasSuffix(",SUBTITLES=\"subs\"\nv\n"))
        var isThrown = false
        do { _ = try await iterator.next() } catch is Broken { isThrown = true }
        #expect(isThrown)
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
    }

    @Test func tracksAreSharedByThreads() async throws {
        let tracks = try Self.tracks()
        let expected = try Self.expected(Self.text)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<40).allSatisfy { _ in try tracks.sideloaded(into: Self.text).bytes == expected }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
