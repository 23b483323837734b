import CByteScan
import Support
import Testing

@testable import ByteScan

/// The search for lines. Every form of its kernel is checked against a naive one in Tests/Kernels.
@Suite struct LineFinderTests {
    /// What is found: where lines start, and where the simple ones end; -1 for one that switches filters, 0 for the others.
    struct Found: Equatable {
        var starts: [Int] = []
        var ends: [Int] = []
    }

    static let filler = String(repeating: "x", count: 200)

    static func filter(
        hashes: UInt64 = .max, tellsSkipped: Bool = true, skips: Bool = true, capacity: Int = LineFinder.capacity
    ) -> LineFilter {
        LineFilter(
            anchor: BytePair(first: 0x0A, second: 0x23, distance: 1), tellsSkipped: tellsSkipped, skips: skips,
            hashes: hashes, capacity: capacity)
    }

    /// What is found in `text`, where `filter` gives way to `successor` in each call that finds a skipped prefix.
    static func find(
        _ text: String, _ filter: LineFilter = filter(), successor: LineFilter = filter()
    ) -> Found {
        var finder = LineFinder()
        finder.setSimpleLines(
            LinePrefix(Array("#PLAIN:".utf8)), lacking: BytePair(first: 0x55, second: 0x42, distance: 1), longest: 100)
        finder.setSkippedLines((LinePrefix(Array("#PASSED".utf8)), .none), leaving: successor)
        finder.setFilter(filter)
        let guarded = GuardedBytes(Array(text.utf8))
        let view = ByteView(guarded.buffer)
        var found = Found()
        var offset = 0
        repeat {
            let count = finder.find(in: view, from: offset)
            for index in 0..<count {
                found.starts.append(finder[index].start)
                found.ends.append(finder[index].end)
            }
            offset = finder.next
        } while LineFinder.hasBlock(view, at: offset)
        return found
    }

    @Test func linesAfterTheAnchorAreFoundAndSimpleOnesEnd() {
        let text = "first\n#PLAIN:a=\"b\",c\nuri\n#PASSED\n#OTHER\r\n#PLAIN:d\r\n\n" + Self.filler
        #expect(Self.find(text) == Found(starts: [6, 33, 41], ends: [20, 0, 49]))
        #expect(Self.find(text, Self.filter(skips: false)) == Found(starts: [6, 25, 33, 41], ends: [20, -1, 0, 49]))
        #expect(Self.find(text, Self.filter(hashes: 0)) == Found(starts: [6, 41], ends: [20, 49]))
        #expect(
            Self.find(text, Self.filter(tellsSkipped: false)) == Found(starts: [6, 25, 33, 41], ends: [20, 0, 0, 49]))
    }

    /// The first line with a skipped prefix ends one filter and begins another.
    @Test func oneSkippedLineIsFound() {
        let text = "\n#EXT-X-A\n#PASSED1\n#EXT-X-B\n#PASSED2\n#PLAIN:de\n" + Self.filler
        let both = Self.filter(skips: false)
        #expect(Self.find(text, both) == Found(starts: [1, 10, 19, 37], ends: [0, -1, 0, 46]))
        #expect(
            Self.find(text, both, successor: Self.filter(hashes: 0)) == Found(starts: [1, 10, 37], ends: [0, -1, 46]))
        #expect(
            Self.find(text, Self.filter(hashes: 0, skips: false)) == Found(starts: [10, 19, 37], ends: [-1, 0, 46]))
        #expect(
            Self.find(text, Self.filter(hashes: 0, skips: false, capacity: 1), successor: Self.filter(hashes: 0))
                == Found(starts: [10, 37], ends: [-1, 46]))
    }

    @Test(arguments: [
        "#PLAIN:", "#PLAIN: ", "#PLAIN:\r", "#PLAIN:a ", "#PLAIN:\"", "#PLAIN:xUBx", "#PLAIN:a,", "#PLAIN:a,\r",
        "#PLAIN:" + String(repeating: "y", count: 94),
    ])
    func aLineThatNeedsALookIsNotSimple(_ line: String) {
        #expect(Self.find("\n\(line)\n" + Self.filler) == Found(starts: [1], ends: [0]))
    }

    /// A simple line has two bytes after its prefix at least, and `longest` bytes at most, here and in a copy.
    @Test(arguments: [0, 8, 9, 10, 20, 21]) func simpleLinesHaveALongest(_ longest: Int) {
        var finder = LineFinder()
        let pair = BytePair(first: 0x55, second: 0x42, distance: 1)
        finder.setSimpleLines(LinePrefix(Array("#PLAIN:".utf8)), lacking: pair, longest: longest)
        finder.setFilter(Self.filter(tellsSkipped: false))
        for inCopy in [nil, 0, 8, 9, 10, 21, Int.max] {
            var copy = LineFinder(copying: finder, longest: inCopy ?? .max)
            for length in [8, 9, 10, 11, 20, 21, 22] {
                let line = "#PLAIN:" + String(repeating: "a", count: length - 7)
                let text = GuardedBytes(Array("\n\(line)\n\(Self.filler)".utf8))
                let (view, isSimple) = (ByteView(text.buffer), length >= 9 && length <= longest)
                let isCopied = isSimple && length <= inCopy ?? .max
                let found = (finder.find(in: view, from: 0), finder[0].start, finder[0].end)
                #expect(found == (1, 1, isSimple ? 1 + length : 0), "\(length) of \(longest)")
                let again = (copy.find(in: view, from: 0), copy[0].start, copy[0].end)
                #expect(again == (1, 1, isCopied ? 1 + length : 0), "\(length) of \(longest), \(inCopy ?? -1)")
            }
        }
    }

    /// Two bytes that no simple line has stand 12 bytes apart at most.
    @Test(arguments: [UInt16(0), 1, 11, 12]) func bytesThatNoSimpleLineHas(_ distance: UInt16) {
        for between in 0...14 {
            var finder = LineFinder()
            finder.setSimpleLines(
                LinePrefix(Array("#PLAIN:".utf8)), lacking: BytePair(first: 0x55, second: 0x42, distance: distance),
                longest: 100)
            finder.setFilter(Self.filter(tellsSkipped: false))
            let line = "#PLAIN:U" + String(repeating: "a", count: between) + "Bc"
            let text = GuardedBytes(Array("\n\(line)\n\(Self.filler)".utf8))
            let found = (finder.find(in: ByteView(text.buffer), from: 0), finder[0].start, finder[0].end)
            let isSimple = between + 1 != Int(distance)
            #expect(found == (1, 1, isSimple ? 1 + line.utf8.count : 0), "\(between) between")
        }
    }

    /// Of a longer prefix as many bytes count as are compared.
    @Test func prefixes() {
        for count in [0, 1, 31, 32, 33, 40] {
            let prefix = LinePrefix([UInt8](repeating: 0x61, count: count))
            #expect(prefix.count == min(count, LinePrefix.capacity))
        }
        #expect(LinePrefix.capacity == 32 && LinePrefix.none.count == 32)
    }

    /// A block is looked at if 32 bytes follow it; the lines of what is left are found by a copy of 192 bytes at most.
    @Test func wholeBlocks() {
        for (count, offset, hasBlock) in [
            (95, 0, false), (96, 0, true), (96, 1, false), (160, 64, true), (0, 0, false),
        ] {
            let text = GuardedBytes([UInt8](repeating: 0x0A, count: count))
            #expect(LineFinder.hasBlock(ByteView(text.buffer), at: offset) == hasBlock)
        }
        for before in [0, 1, 70] {
            let text = GuardedBytes(Array((String(repeating: "\n#A", count: 63) + "\nb\n").utf8.suffix(before + 192)))
            var finder = LineFinder()
            var unfinished = -1
            finder.setFilter(Self.filter(tellsSkipped: false))
            var offset = text.buffer.count - 192
            var lines = 0
            repeat {
                lines += finder.findLast(in: ByteView(text.buffer), from: offset, unfinished: &unfinished)
                offset = finder.next
            } while offset < text.buffer.count
            #expect(lines == 63 && unfinished == text.buffer.count)
        }
    }

    /// Of what is left a line feed alone may begin a line, whether bytes follow it or not.
    @Test(arguments: [("abc", -1), ("\n", 1), ("a\n", 2), ("a\nb", 2), ("", -1), ("\n\n", 2), ("\na\nbc", 3)])
    func theLineThatIsNotWhole(_ text: String, _ unfinished: Int) {
        var (lines, uris) = (-1, -1)
        var finder = LineFinder()
        finder.setFilter(Self.filter(tellsSkipped: false))
        var other = URIFinder(oddities: URIOddities(dots: false, at: false))
        let bytes = GuardedBytes(Array(text.utf8))
        let view = ByteView(bytes.buffer)
        _ = finder.findLast(in: view, from: 0, unfinished: &lines)
        _ = other.findLast(in: view, from: 0, hashes: 0, most: 2, unfinished: &uris)
        #expect([lines, uris] == [unfinished, unfinished])
        let next = [finder.next, other.next]
        #expect(next == [text.utf8.count, text.utf8.count])
    }

    @Test(arguments: 0...8) func misuseTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            let text = [UInt8](repeating: 0x61, count: 300)
            var finder = LineFinder()
            var unfinished = 0
            finder.setFilter(Self.filter())
            text.withView { view in
                switch number {
                case 0: finder.setFilter(Self.filter(capacity: 0))
                case 1: finder.setFilter(Self.filter(capacity: LineFinder.capacity + 1))
                case 2: _ = finder.find(in: view, from: -1)
                case 3: _ = finder.findLast(in: view, from: 107, unfinished: &unfinished)
                case 4: _ = finder.findLast(in: view, from: 301, unfinished: &unfinished)
                case 5: _ = finder[LineFinder.capacity]
                case 6: _ = finder[-1]
                case 7: _ = ByteView("a").endsLine(from: -1, unfinished: &unfinished)
                default: finder.setSimpleLines(.none, lacking: BytePair(first: 0, second: 0, distance: 13), longest: 9)
                }
            }
        }
    }

    @Test func whereALineStandsOnTheGridMakesNoDifference() {
        for indent in 0..<130 {
            let before = String(repeating: "z", count: indent)
            for length in [2, 20, 56, 57, 58, 60, 93] {
                let line = "#PLAIN:" + String(repeating: "q", count: length)
                let found = Self.find("\(before)\n\(line)\n#OTHER\n" + Self.filler)
                let start = indent + 1
                #expect(found == Found(starts: [start, start + line.count + 1], ends: [start + line.count, 0]))
            }
        }
    }

    @Test(arguments: 1...LineFinder.capacity) func howManyAreFoundAtOnceMakesNoDifference(_ capacity: Int) {
        let text = String(repeating: "\n#PLAIN:a\n#OTHER\nuri", count: 50) + Self.filler
        #expect(Self.find(text, Self.filter(capacity: capacity)) == Self.find(text))
    }
}
