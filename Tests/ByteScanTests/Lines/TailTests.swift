import ByteScan
import CByteScan
import Support
import Testing

/// The searches of a chunk's last bytes, which go over a copy with zeros after it, against the same searches of a text that goes on.
@Suite struct TailTests {
    /// What lines are made of: whole ones, and what makes them odd.
    static let parts = [
        "#PLAIN:", "#PLAIN:a=\"b\",c", "#PASSED", "#OTHER", "#EXT-X-KEY:URI=\"k/1\"", "seg/1.ts", "http://h/x?q", "\"",
        "UB",
        " ", "\r", "/p", "{$v}", "x",
    ]

    /// Lines of some 190 bytes at most, the last of which may not have ended.
    static func text(_ random: inout SeededGenerator) -> [UInt8] {
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            text += parts.randomElement(using: &random) ?? ""
            if Bool.random(using: &random) { text += "\n" }
        }
        return Array(text.utf8.prefix(Int.random(in: 0...190, using: &random)))
    }

    /// The lines that end in `text`, and then enough for whole blocks: blank lines, which no search reports.
    static func longer(_ text: [UInt8]) -> [UInt8] {
        Array(text.prefix((text.lastIndex(of: 0x0A) ?? -1) + 1)) + [UInt8](repeating: 0x0A, count: 200)
    }

    static func finder(_ random: inout SeededGenerator) -> LineFinder {
        var finder = LineFinder()
        finder.setSimpleLines(
            LinePrefix(Array("#PLAIN:".utf8)), lacking: BytePair(first: 0x55, second: 0x42, distance: 1),
            longest: Int.random(in: 0...40, using: &random))
        finder.setSkippedLines((LinePrefix(Array("#PASSED".utf8)), .none), leaving: LineFinderTests.filter(hashes: 0))
        finder.setFilter(
            LineFinderTests.filter(
                skips: Bool.random(using: &random),
                capacity: [1, LineFinder.capacity].randomElement(using: &random) ?? 1))
        return finder
    }

    @Test(arguments: 0..<2000) func lastLinesAreFoundAsOthersAre(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let text = Self.text(&random)
        let whole = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let start = Int.random(in: 0...text.count, using: &random)
        var fast = Self.finder(&random)
        var slow = LineFinder(copying: fast, longest: .max)
        let guarded = GuardedBytes(text)
        let view = ByteView(guarded.buffer)
        var (offset, unfinished) = (start, -1)
        var found: [[Int]] = []
        repeat {
            let count = fast.findLast(in: view, from: offset, unfinished: &unfinished)
            for index in 0..<count { found.append([fast[index].start, fast[index].end]) }
            offset = fast.next
        } while offset < text.count
        #expect(unfinished == (whole > start ? whole : -1))

        let longer = GuardedBytes(Self.longer(text))
        var expected: [[Int]] = []
        offset = start
        while offset < whole {
            let count = slow.find(in: ByteView(longer.buffer), from: offset)
            for index in 0..<count where slow[index].start < whole {
                expected.append([slow[index].start, slow[index].end])
            }
            offset = slow.next
        }
        #expect(found == expected, "\(text) from \(start)")
    }

    @Test(arguments: 0..<2000) func lastURIsAreFoundAsOthersAre(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let text = Self.text(&random)
        let whole = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let start = Int.random(in: 0...text.count, using: &random)
        let most = [1, URIFinder.capacity].randomElement(using: &random) ?? 1
        let oddities = URIOddities(dots: Bool.random(using: &random), at: Bool.random(using: &random))
        var finder = URIFinder(oddities: oddities)
        let guarded = GuardedBytes(text)
        let view = ByteView(guarded.buffer)
        var (offset, unfinished) = (start, -1)
        var found: [[Int]] = []
        repeat {
            let count = finder.findLast(in: view, from: offset, hashes: .max, most: most, unfinished: &unfinished)
            for index in 0..<count { found.append(Self.words(finder[index])) }
            offset = finder.next
        } while offset < text.count
        #expect(unfinished == (whole > start ? whole : -1))

        let longer = GuardedBytes(Self.longer(text))
        var expected: [[Int]] = []
        offset = start
        while offset < whole {
            let count = finder.find(in: ByteView(longer.buffer), from: offset, hashes: .max, most: most)
            for index in 0..<count where finder[index].start < whole { expected.append(Self.words(finder[index])) }
            offset = finder.next
        }
        #expect(found == expected, "\(text) from \(start)")
        for line in expected where text[line[0]] != 0x23 {
            let end = text[line[0]...].firstIndex(of: 0x0A) ?? whole
            let moved = line[..<3].map { $0 - line[0] } + line[3...]
            #expect(Self.words(finder.judge(view[line[0]..<end])) == moved)
        }
    }

    /// What is said of a URI; of an odd one only where it starts.
    static func words(_ uri: FoundURI) -> [Int] {
        uri.isOdd
            ? [uri.start, uri.start, uri.start, 0, 0]
            : [uri.start, uri.end, uri.path, Int(uri.form.rawValue), uri.hasQuery ? 1 : 0]
    }

    @Test(arguments: 0..<2000) func aLineIsMeasuredAsInALongerText(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pair = BytePair(first: 0x55, second: 0x42, distance: UInt16.random(in: 0...12, using: &random))
        let text = Self.text(&random)
        let start = Int.random(in: 0...text.count, using: &random)
        let end = text[start...].firstIndex(of: 0x0A)
        let guarded = GuardedBytes(text)
        let tail = ByteView(guarded.buffer).measureTail(from: start, lookingFor: pair)
        #expect((tail.ends == 0 ? nil : tail.offset + tail.ends.trailingZeroBitCount) == end)
        #expect(tail.hasOddQuotes == (text[start..<(end ?? text.count)].count { $0 == 0x22 } % 2 == 1))

        var buffer = ReusableBuffer<UInt8>()
        buffer.append(contentsOf: text[start...])
        let line = buffer.measureLine(lookingFor: pair)
        #expect((line.ends == 0 ? nil : start + line.offset + line.ends.trailingZeroBitCount) == end)
        #expect([line.hasOddQuotes, line.mayContain] == [tail.hasOddQuotes, tail.mayContain])
        #expect(buffer.count == text.count - start)
    }
}
