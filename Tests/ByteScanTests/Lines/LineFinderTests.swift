import ByteScan
import CByteScan
import Support
import Testing

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
