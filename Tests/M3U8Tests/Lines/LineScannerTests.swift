import ByteScan
import Drivers
import M3U8
import Support
import Testing

@Suite struct LineScannerTests {
    /// What comes of `text` in `split`.
    static func scan(
        _ text: [UInt8], _ split: [Range<Int>], limits: LineLimits = LineLimits(), leading: Bool = false
    ) -> LineRun {
        var scanner = LineScanner(limits: limits)
        return scan(text, split, with: &scanner, leading: leading)
    }

    static func scan(
        _ text: [UInt8], _ split: [Range<Int>], with scanner: inout LineScanner, leading: Bool = false
    ) -> LineRun {
        let window = GuardedWindow(capacity: text.count)
        let run = LineRun(of: &scanner, on: text, split: split, in: window, isLeading: leading)
        for fault in run.faults { Issue.record("\(fault), cut as \(split)") }
        return run
    }

    static func check(_ text: [UInt8], longest: Int = 64 << 10, splits: [[Range<Int>]]? = nil) {
        let expected = ScannedLine.expected(of: text, longest: longest)
        for (number, split) in (splits ?? Splits.all(of: text.count)).enumerated() {
            let run = scan(text, split, limits: LineLimits(longestLine: longest), leading: number % 2 == 0)
            if run.lines != expected || run.error != nil {
                Issue.record(
                    """
                    \(String(decoding: text, as: UTF8.self).debugDescription) cut as \(split):
                    \(run.lines)
                    not \(expected)
                    """)
                return
            }
        }
    }

    @Test func kinds() {
        let text = """
            #EXTM3U\n\n \t \n# comment\n#EXT-X-VERSION:3\n#EXT-X-FOO\n#EXTINF:4,a:b\n #EXTINF:4\nv:1\n#ext-x-gap\n#EX\n#EXT
            """
        let kinds: [PlaylistLine.Kind] = [
            .tag(.extM3U), .blank, .blank, .comment, .tag(.version), .otherTag, .tag(.extInf), .uri, .uri, .comment,
            .comment, .otherTag,
        ]
        let lines = Self.scan(Array(text.utf8), [0..<text.utf8.count]).lines
        #expect(lines.map(\.kind) == kinds)
        #expect(
            lines.map { String(decoding: $0.name, as: UTF8.self) }[4...6] == ["EXT-X-VERSION", "EXT-X-FOO", "EXTINF"])
        #expect(lines.map { String(decoding: $0.value, as: UTF8.self) }[4...6] == ["3", "", "4,a:b"])
        Self.check(Array(text.utf8))
    }

    /// The lines of a whole text are those of a scanner, but for a last one without its line feed.
    @Test func linesOfAWholeText() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...300, using: &random)
            let text = (0..<count).map { _ in Array("\n\r#EXTINF:-Xa \n".utf8).randomElement(using: &random)! }
            let expected = ScannedLine.expected(of: text, longest: 64 << 10)
            let bytes = GuardedBytes(text)
            var lines = unsafe WholeLines(ByteView(bytes.buffer))
            var found: [[UInt8]] = []
            while let range = lines.next() {
                let line = lines.line(in: range)
                #expect(line.position == range.lowerBound)
                #expect(line.kind == expected[found.count].kind)
                found.append(Array(line.bytes))
            }
            let hasRest = text.last != UInt8(ascii: "\n") && !text.isEmpty
            #expect(found == expected.dropLast(hasRest ? 1 : 0).map(\.bytes))
        }
    }

    static let endings = [
        "", "\n", "\r", "\r\n", "\n\n", "\r\r\n", "a", "a\n", "a\r", "a\r\n", "a\rb\n", "a\n\r\nb", "a\r\n\rb\r",
        "\r\n\r",
        "\n\r\n\n", "a\r\r\n\r\r", "\0\n\0", "#\n#\r\n#", "#EXTINF:\r\n:\n",
    ]

    @Test(arguments: endings)
    func everyEnding(text: String) { Self.check(Array(text.utf8)) }

    @Test func randomPlaylists() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<60 {
            let text = PlaylistTokens.playlist(using: &generator)
            let splits =
                Splits.random(of: text.count, times: 6) + [
                    [0..<text.count], Splits.even(of: text.count, size: 1), Splits.even(of: text.count, size: 64),
                ]
            Self.check(text, splits: splits)
            Self.check(text, longest: 1 + text.count % 40, splits: splits)
        }
    }

    @Test func everyByteAlone() {
        for byte in UInt8.min...UInt8.max {
            for text in [[byte], [0x61, byte, 0x0A], [0x23, byte], Array("#EXT".utf8) + [byte, 0x0A]] {
                Self.check(text)
            }
        }
    }

    // MARK: Limits

    @Test func aLongLineIsHandedOutTruncated() {
        for longest in 1...8 {
            Self.check(Array("#EXTM3U\na\n#EXT-X-A:1\r\n12345\r\n123456789".utf8), longest: longest)
        }
        #expect(ScannedLine.expected(of: Array("12345\n".utf8), longest: 4).map(\.bytes) == [Array("1234".utf8)])
    }

    @Test func aLongLineIsRefused() {
        let text = Array("#EXTM3U\nshort\n0123456789\nafter\n".utf8)
        for split in Splits.all(of: text.count) {
            let run = Self.scan(text, split, limits: LineLimits(longestLine: 9, policy: .fail))
            #expect(run.lines.map(\.position) == [0, 8], "cut as \(split)")
            #expect(run.error?.limit == .longestLine)
            #expect(run.error?.bytes == 9)
            #expect(run.error?.position == 14)
        }
        // One at the end, without a line ending, is no better.
        let last = Array("#EXTM3U\n0123456789".utf8)
        for split in Splits.all(of: last.count) {
            let run = Self.scan(last, split, limits: LineLimits(longestLine: 9, policy: .fail))
            #expect(run.lines.map(\.position) == [0])
            #expect(run.error?.position == 8)
        }
        #expect(Self.scan(last, [0..<last.count], limits: LineLimits(longestLine: 10, policy: .fail)).error == nil)
    }

    @Test func aLineOfTenMegabytes() {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
        let text = Array("#EXTM3U\n".utf8) + long + Array("\nend\n".utf8)
        for size in [1 << 16, 1 << 20, text.count] {
            let split = Splits.even(of: text.count, size: size)
            let truncated = Self.scan(text, split).lines
            #expect(truncated.map(\.bytes.count) == [7, 64 << 10, 3])
            #expect(truncated.map(\.isTruncated) == [false, true, false])
            let whole = Self.scan(text, split, limits: LineLimits(longestLine: 16 << 20)).lines
            #expect(whole.map(\.bytes.count) == [7, 10 << 20, 3])
        }
    }

    // MARK: Use

    @Test func aScannerThatIsResetIsAsNew() {
        var scanner = LineScanner(limits: LineLimits(longestLine: 12))
        let texts = ["#EXTM3U\n#EXT-X-VERSION:3", "abc\r", "", "#EXTM3U\r\nv\r\n"].map { Array($0.utf8) }
        for text in texts {
            for cut in 0...text.count {
                // Whatever was left unfinished before is forgotten.
                text[..<cut].withUnsafeBytes { chunk in try? scanner.scan(chunk) { _ in } }
                scanner.reset()
                let lines = Self.scan(text, [0..<text.count], with: &scanner).lines
                #expect(lines == ScannedLine.expected(of: text, longest: 12))
                scanner.reset()
            }
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, "\(Conformance.skipped)"), arguments: ConformanceText.all)
    func conformance(_ file: ConformanceText) {
        let count = file.bytes.count
        var splits = [[0..<count], Splits.even(of: count, size: 1000)] + Splits.random(of: count, times: 2)
        if count < 4000 { splits.append(Splits.even(of: count, size: 1)) }
        if count > 100_000 { splits.removeLast(2) }
        Self.check(file.bytes, splits: splits)
    }
}
