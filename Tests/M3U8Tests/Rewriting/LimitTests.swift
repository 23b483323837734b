import Drivers
import M3U8
import Support
import Testing

/// Past a limit nothing received is lost or repeated, wherever the text is cut.
@Suite struct LimitTests {
    static let operation = NaiveRewriter.Operation.set(name: "A", value: "1")

    static func rewriting(_ limits: LineLimits, urisToo: Bool = false) throws -> Rewriting {
        let edits = try PlaylistEdits(
            [operation.edit(of: "EXT-X-A"), .drop("EXT-X-D")], selectsURIs: urisToo, appending: [Array("#end".utf8)])
        return Rewriting(edits: edits, limits: limits)
    }

    static func naive(_ longest: Int, urisToo: Bool = false) -> NaiveRewriter {
        var naive = NaiveRewriter { line in
            if line.isTag("EXT-X-D") { return .drop }
            return line.isTag("EXT-X-A") ? .attributes([operation]) : urisToo && line.isURI ? .attributes([]) : nil
        }
        naive.longestLine = longest
        naive.appended = ["#end"]
        return naive
    }

    /// A limit below 1 is one of 1, however it is set.
    @Test(arguments: [0, -1, .min])
    func noLimitIsBelowOne(longest: Int) throws {
        var limits = LineLimits()
        limits.longestLine = longest
        #expect(limits.longestLine == 1 && LineLimits(longestLine: longest).longestLine == 1)
        let text = Array("#EXTM3U\n#EXT-X-A:B=1\n".utf8)
        for split in Splits.all(of: text.count) {
            var rewriter = PlaylistRewriter(try PlaylistEdits([.set("EXT-X-A", "A", to: "1")]), limits: limits)
            var scanner = LineScanner(limits: limits)
            var output: [UInt8] = []
            try text.withUnsafeBytes { bytes in
                for range in split {
                    let chunk = UnsafeRawBufferPointer(rebasing: bytes[range])
                    try rewriter.write(chunk) { output += $0.bytes }
                    try scanner.scan(chunk) { _ in }
                }
            }
            rewriter.finish { output += $0.bytes }
            try scanner.finish { _ in }
            #expect(output == text)
        }
    }

    /// Checks both policies at every split.
    static func check(_ text: [UInt8], longest: Int, urisToo: Bool = false, splits: [[Range<Int>]]? = nil) throws {
        let expected = naive(longest, urisToo: urisToo).rewrite(text)
        let passing = try rewriting(LineLimits(longestLine: longest), urisToo: urisToo)
        passing.check(text, expected, splits: splits, "longest \(longest)")
        let failing = try rewriting(LineLimits(longestLine: longest, policy: .fail), urisToo: urisToo)
        failing.check(text, expected, splits: splits, "longest \(longest)")
        let window = GuardedWindow(capacity: text.count)
        for split in splits ?? Splits.all(of: text.count) {
            let answer = failing.run(on: text, split: split, in: window).answer
            #expect(answer.exceededLimit.map(\.position) == expected.longLine)
            // A line whose name is whole only where the text ends cannot be thrown any more.
            let isLast = expected.longLine.map { !text[$0...].contains(0x0A) && !text[$0...].contains(0x3A) } ?? false
            #expect(answer.error == (isLast ? nil : answer.exceededLimit), "longest \(longest), cut as \(split)")
            if let error = answer.error {
                #expect(error.limit == .longestLine)
                #expect(error.bytes == longest)
            }
        }
    }

    @Test(arguments: 1...24)
    func everyLimit(longest: Int) throws {
        let text =
            "#EXTM3U\r\n#EXT-X-A:B=2\r\nv\r\n#EXT-X-D\n#EXT-X-B:a longer line than any other\n#EXT-X-A:B=2,C=34\nend"
        try Self.check(Array(text.utf8), longest: longest)
        try Self.check(Array(text.utf8), longest: longest, urisToo: true)
    }

    @Test(arguments: ["#EXTM3U\n#EXT-X-A", "#EXTM3U\n#EXT-X-A:B=2", "#EXTM3U\n#EXT-X-D", "#EXTM3U\n#EXT-X-D\r"])
    func aLastLineWithoutAnEnding(text: String) throws {
        for longest in 1...14 { try Self.check(Array(text.utf8), longest: longest) }
    }

    @Test func randomPlaylists() throws {
        var generator = SeededGenerator(seed: 61)
        for _ in 0..<60 {
            var text = PlaylistTokens.playlist(using: &generator)
            text += Array("\n#EXT-X-A:B=12345678\n".utf8)
            let splits = Splits.random(of: text.count, times: 4) + [[0..<text.count]]
            let longest = Int.random(in: 1...120, using: &generator)
            try Self.check(text, longest: longest, splits: splits)
        }
    }

    @Test func whatComesAfterAThrowPassesThrough() throws {
        let text = Array("#EXTM3U\n#EXT-X-A:1\n#EXT-X-A:12345\n#EXT-X-A:1\n".utf8)
        var rewriter = PlaylistRewriter(
            try PlaylistEdits([Self.operation.edit(of: "EXT-X-A")]), limits: LineLimits(longestLine: 12, policy: .fail))
        var output: [UInt8] = []
        var errors: [LimitError] = []
        let window = GuardedWindow(capacity: 1)
        for byte in text {
            do throws(LimitError) {
                try window.with([byte]) { (chunk) throws(LimitError) in
                    try rewriter.write(chunk) { output += $0.bytes }
                }
            } catch {
                errors.append(error)
                // Everything received is out: the error comes after the flush.
                let position = rewriter.position
                #expect(output.count == position + ",A=1".utf8.count)
            }
        }
        rewriter.finish { output += $0.bytes }
        #expect(String(decoding: output, as: UTF8.self) == "#EXTM3U\n#EXT-X-A:1,A=1\n#EXT-X-A:12345\n#EXT-X-A:1\n")
        #expect(errors.count == 1)
        #expect(errors.first?.position == 19)
        #expect(errors.first?.bytes == 12)
        #expect(errors.first?.description.contains("19") == true)
    }

    @Test func aLimitIsAtLeastOneByte() {
        #expect(LineLimits(longestLine: -5).longestLine == 1)
        #expect(LineLimits().longestLine == 65536)
    }

    /// Ten megabytes in one line: of a tag nobody selected, of one somebody did, and of one with room for it.
    @Test(arguments: [4096, 1 << 16, 11 << 20])
    func linesOfTenMegabytes(chunkSize: Int) throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
        let head = Array("#EXTM3U\n#EXT-X-A:B=1\n#EXT-X-B:".utf8)
        let tail = Array("\n#EXT-X-A:C=1\n".utf8)
        let text = head + long + tail
        let splits = [Splits.even(of: text.count, size: chunkSize)]
        let edited = Array("#EXTM3U\n#EXT-X-A:B=1,A=1\n".utf8)
        var expected = NaiveRewriter.Result()
        expected.bytes = edited + Array("#EXT-X-B:".utf8) + long + Array("\n#EXT-X-A:C=1,A=1\n#end\n".utf8)
        try Self.rewriting(LineLimits()).check(text, expected, splits: splits)

        let selected = Array("#EXTM3U\n#EXT-X-A:B=1\n#EXT-X-A:".utf8) + long + tail
        expected.bytes = edited + Array("#EXT-X-A:".utf8) + long + tail
        expected.longLine = 21
        try Self.rewriting(LineLimits()).check(selected, expected, splits: splits)

        expected.bytes = edited + Array("#EXT-X-A:".utf8) + long + Array(",A=1\n#EXT-X-A:C=1,A=1\n#end\n".utf8)
        expected.longLine = nil
        try Self.rewriting(LineLimits(longestLine: 20 << 20)).check(selected, expected, splits: splits)
    }
}
