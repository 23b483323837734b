import ByteScan
import Support
import Testing

@testable import M3U8

/// A program that leaves lines out does what it would do without, had another rewriter dropped them before.
@Suite struct LeavingOutTests {
    /// What has come of a text.
    private struct Answer: Equatable {
        var output: [UInt8] = []
        var verdict = PlaylistVerdict.undecided
        var verdictPosition: Int?
        var appended = 0
        var uneditable = 0
        var firstUneditable: Int?
        /// Where lines begin that are too long, to be left out and to be edited, and what each chunk throws of them.
        var limits: [Int?] = []
        var thrown: [Int?] = []
        var isSettled = false
    }

    private static let dropped: [TagSelector] = [
        "EXT-X-SESSION-DATA", "EXT-X-I-FRAME-STREAM-INF", "EXTINF", "EXT-X-FOO",
    ]

    private static func rewriter(_ program: EditProgram, _ limits: LineLimits) -> PlaylistRewriter {
        let appended = AppendedAttribute(EditCompilerTests.attribute, nameLength: 9)
        return PlaylistRewriter(program, appending: appended, limits: limits)
    }

    /// Whatever is known of `rewriter` once it has written `chunks` and ended.
    private static func answer(
        _ rewriter: inout PlaylistRewriter, _ chunks: [[UInt8]]
    ) -> (answer: Answer, chunks: [[UInt8]]) {
        var answer = Answer()
        var outputs: [[UInt8]] = []
        for chunk in chunks {
            let bytes = GuardedBytes(chunk)
            var output: [UInt8] = []
            do throws(LimitError) {
                try rewriter.write(bytes.buffer, deciding: EditCompilerTests.decide) { output += $0.view }
                answer.thrown.append(nil)
            } catch {
                answer.thrown.append(error.position)
            }
            outputs.append(output)
        }
        answer.isSettled = rewriter.isSettled
        var output: [UInt8] = []
        rewriter.finish(deciding: EditCompilerTests.decide) { output += $0.view }
        outputs.append(output)
        answer.output = outputs.flatMap { $0 }
        (answer.verdict, answer.verdictPosition) = (rewriter.verdict, rewriter.verdictPosition)
        answer.appended = rewriter.appendedCount
        (answer.uneditable, answer.firstUneditable) = (rewriter.uneditableLines, rewriter.firstUneditableLine)
        answer.limits = [rewriter.leavingOutLimit?.position, rewriter.exceededLimit?.position]
        return (answer, outputs)
    }

    /// Checks what comes of `text`, however it is cut, and returns it.
    @discardableResult
    private static func check(
        _ text: [UInt8], leavingOut tags: [TagSelector] = dropped, _ limits: LineLimits = LineLimits(),
        times: Int = 4
    ) throws -> String {
        let edits = tags.map { PlaylistEdit.drop($0) }
        var leaving = EditCompilerTests.compiler()
        let isPossible = leaving.leaveOut(edits)
        #expect(isPossible)
        var one = rewriter(leaving.program(), limits)
        var first = PlaylistRewriter(try PlaylistEdits(edits), limits: limits)
        var second = rewriter(EditCompilerTests.program(), limits)
        var output: [UInt8] = []
        for split in Splits.all(of: text.count, random: times) {
            let chunks = split.map { Array(text[$0]) }
            one.reset()
            first.reset()
            second.reset()
            let edited = answer(&first, chunks)
            var expected = answer(&second, edited.chunks).answer
            expected.limits[0] = edited.answer.limits[1]
            // What comes at the end is a chunk for the second.
            expected.thrown = zip(edited.answer.thrown, expected.thrown).map { $0 ?? $1 }
            expected.isSettled = expected.isSettled && edited.answer.isSettled
            let given = answer(&one, chunks).answer
            #expect(given == expected, "\(String(decoding: text, as: UTF8.self)), cut as \(split)")
            output = given.output
        }
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        (
            "#EXTM3U\n#EXT-X-SESSION-DATA:A=1\n#EXT-X-STREAM-INF:A=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"s\"\nv\n"
        ),
        (
            "#EXTM3U\r\n#EXT-X-STREAM-INF:A=1\r\nv\r\n#EXT-X-FOO\r\n",
            "#EXTM3U\r\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"s\"\r\nv\r\n"
        ),
        ("#EXTM3U\n#EXT-X-FOO\n#EXT-X-FOOT\n#EXT-X-FOO:", "#EXTM3U\n#EXT-X-FOOT\n"),
        // What is left out tells nothing, and is left out of a playlist of any kind.
        ("#EXTM3U\n#EXT-X-SESSION-DATA:A=1\n#EXTINF:1,\na\n#EXT-X-KEY:A=1\n", "#EXTM3U\na\n#EXT-X-KEY:A=1\n"),
        (
            "#EXTM3U\n#EXT-X-KEY:A=1\n#EXT-X-STREAM-INF:A=1\n#EXTINF:1,\na",
            "#EXTM3U\n#EXT-X-KEY:A=1\n#EXT-X-STREAM-INF:A=1\na"
        ),
        ("#EXTINF:1,\n#EXT-X-FOO\n", "#EXTINF:1,\n#EXT-X-FOO\n"),
        (
            "#EXTM3U\n#EXT-X-FOO\n#EXT-X-STREAM-INF:A=\"\n#EXT-X-I-FRAME-STREAM-INF:A=1\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=\"\n"
        ),
        // Where a line ends all else, lines are left out all the same.
        (
            "#EXTM3U\n#EXT-X-DEFINE:X-DO=stop\n#EXT-X-FOO\n#EXT-X-STREAM-INF:A=1\n#EXTINF:1,\n",
            "#EXTM3U\n#EXT-X-DEFINE:X-DO=stop\n#EXT-X-STREAM-INF:A=1\n"
        ),
    ])
    func leftOut(text: String, expected: String) throws { #expect(try Self.check(Array(text.utf8)) == expected) }

    /// A line that is too long ends what is done with its kind of lines, and nothing else.
    @Test(arguments: [LineLimits.Policy.fail, .passThrough], ["EXT-X-SESSION-DATA", "EXTINF", "EXT-X-FOO"])
    func tooLong(_ policy: LineLimits.Policy, tag: String) throws {
        let long = "#\(tag):\(String(repeating: "a", count: 44))\n"
        let variant = "#EXT-X-STREAM-INF:\(String(repeating: "b", count: 40))\nv\n"
        let short = "#\(tag)\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-KEY:A=1\n"
        for lines in [
            [long, short], [variant, short], [short, long, short, variant, short],
            [short, variant, short, long, short],
            [long, variant, long], [short, long.dropLast() + ""], [variant, "#\(tag)"], [long, long, short],
        ] {
            try Self.check(Array("#EXTM3U\n\(lines.joined())".utf8), LineLimits(longestLine: 50, policy: policy))
        }
        let answer = try Self.check(
            Array("#EXTM3U\n\(long)#\(tag)\n".utf8), LineLimits(longestLine: 50, policy: policy))
        #expect(answer == "#EXTM3U\n\(long)#\(tag)\n")
    }

    /// A line that is not whole when its source breaks off stays, and then tells what the playlist is.
    @Test func brokenOff() throws {
        for (text, verdict) in [
            ("#EXT-X-SESSION-DATA:A=1", PlaylistVerdict.multivariant), ("#EXT-X-SESSION-DA", .undecided),
        ] {
            var compiler = EditCompilerTests.compiler()
            _ = compiler.leaveOut([.drop("EXT-X-SESSION-DATA")])
            var rewriter = Self.rewriter(compiler.program(), LineLimits())
            var output: [UInt8] = []
            let bytes = Array("#EXTM3U\n#EXT-X-SESSION-DATA\n\(text)".utf8)
            try bytes.withUnsafeBytes { try rewriter.write($0) { output += $0.view } }
            #expect(rewriter.verdict == .undecided)
            rewriter.abandon { output += $0.view }
            #expect(String(decoding: output, as: UTF8.self) == "#EXTM3U\n\(text)")
            #expect(rewriter.verdict == verdict && rewriter.verdictPosition == (verdict == .undecided ? nil : 8))
        }
    }

    @Test func randomPlaylists() throws {
        var generator = SeededGenerator(seed: 23)
        for round in 0..<60 {
            let text =
                round % 2 == 0 ? MasterTokens.playlist(using: &generator) : PlaylistTokens.playlist(using: &generator)
            let tags = Self.dropped.filter { _ in Bool.random(using: &generator) } + ["EXT-X-KEY"]
            let longest = [1 << 16, 30, 60][round % 3]
            try Self.check(
                text, leavingOut: tags, LineLimits(longestLine: longest, policy: round % 2 == 0 ? .fail : .passThrough))
        }
    }

    /// What the program looks at cannot be left out, and whatever else is done has its place in another.
    @Test(
        arguments: [
            ([], true), ([.drop("EXT-X-FOO"), .drop("EXT-X-KEY"), .drop("EXT-X-FOO")], true),
            ([.drop("EXT-X-STREAM-INF")], false), ([.drop("EXT-X-MEDIA")], false), ([.drop("EXT-X-DEFINE")], false),
            ([.drop("EXT-X-FOO"), .remove("EXT-X-KEY", name: Array("A".utf8))], false),
        ] as [([PlaylistEdit], Bool)])
    func whatCanBe(edits: [PlaylistEdit], isPossible: Bool) {
        var compiler = EditCompilerTests.compiler()
        let areLeftOut = compiler.leaveOut(edits)
        #expect(areLeftOut == isPossible)
    }
}
