import ByteScan
import CByteScan
import Support
import Testing

/// The walk from one line of interest to the next. Every form of its kernel is checked against a naive one in Tests/Kernels.
@Suite struct LineWalkTests {
    /// What a walk meets: where lines start, and where the plain ones end; -1 for one with a passed head, 0 for the others.
    struct Met: Equatable {
        var starts: [Int] = []
        var ends: [Int] = []
    }

    static let filler = String(repeating: "x", count: 200)

    static func interest(
        hashes: UInt64 = .max, tellsPassed: Bool = true, passes: Bool = true, room: Int = LineWalk.capacity
    ) -> LineInterest {
        LineInterest(
            sign: BytePair(first: 0x0A, second: 0x23, distance: 1), tellsPassed: tellsPassed, passes: passes,
            hashes: hashes, room: room)
    }

    /// What is met in `text`, where `interest` gives way to `passing` in each call that meets a passed head.
    static func meet(
        _ text: String, _ interest: LineInterest = interest(), passing: LineInterest = interest()
    ) -> Met {
        var walk = LineWalk()
        walk.setPlainLines(
            LineHead(Array("#PLAIN:".utf8)), lacking: BytePair(first: 0x55, second: 0x42, distance: 1), longest: 100)
        walk.setPassedLines((LineHead(Array("#PASSED".utf8)), .none), leaving: passing)
        walk.setInterest(interest)
        let guarded = GuardedBytes(Array(text.utf8))
        let view = ByteView(guarded.buffer)
        var met = Met()
        var offset = 0
        repeat {
            let count = walk.meet(view, from: offset)
            for index in 0..<count {
                met.starts.append(walk[index].start)
                met.ends.append(walk[index].end)
            }
            offset = walk.next
        } while LineWalk.hasBlock(view, at: offset)
        return met
    }

    @Test func linesBehindTheSignAreMetAndPlainOnesEnd() {
        let text = "first\n#PLAIN:a=\"b\",c\nuri\n#PASSED\n#OTHER\r\n#PLAIN:d\r\n\n" + Self.filler
        #expect(Self.meet(text) == Met(starts: [6, 33, 41], ends: [20, 0, 49]))
        #expect(Self.meet(text, Self.interest(passes: false)) == Met(starts: [6, 25, 33, 41], ends: [20, -1, 0, 49]))
        #expect(Self.meet(text, Self.interest(hashes: 0)) == Met(starts: [6, 41], ends: [20, 49]))
        #expect(
            Self.meet(text, Self.interest(tellsPassed: false)) == Met(starts: [6, 25, 33, 41], ends: [20, 0, 0, 49]))
    }

    /// The first line with a passed head ends one interest and begins another.
    @Test func onePassedLineIsMet() {
        let text = "\n#EXT-X-A\n#PASSED1\n#EXT-X-B\n#PASSED2\n#PLAIN:de\n" + Self.filler
        let both = Self.interest(passes: false)
        #expect(Self.meet(text, both) == Met(starts: [1, 10, 19, 37], ends: [0, -1, 0, 46]))
        #expect(
            Self.meet(text, both, passing: Self.interest(hashes: 0)) == Met(starts: [1, 10, 37], ends: [0, -1, 46]))
        #expect(
            Self.meet(text, Self.interest(hashes: 0, passes: false)) == Met(starts: [10, 19, 37], ends: [-1, 0, 46]))
        #expect(
            Self.meet(text, Self.interest(hashes: 0, passes: false, room: 1), passing: Self.interest(hashes: 0))
                == Met(starts: [10, 37], ends: [-1, 46]))
    }

    @Test(arguments: [
        "#PLAIN:", "#PLAIN: ", "#PLAIN:\r", "#PLAIN:a ", "#PLAIN:\"", "#PLAIN:xUBx",
        "#PLAIN:" + String(repeating: "y", count: 94),
    ])
    func aLineThatNeedsALookIsNotPlain(_ line: String) {
        #expect(Self.meet("\n\(line)\n" + Self.filler) == Met(starts: [1], ends: [0]))
    }

    @Test func whereALineStandsOnTheGridMakesNoDifference() {
        for indent in 0..<130 {
            let before = String(repeating: "z", count: indent)
            for length in [2, 20, 56, 57, 58, 60, 93] {
                let line = "#PLAIN:" + String(repeating: "q", count: length)
                let met = Self.meet("\(before)\n\(line)\n#OTHER\n" + Self.filler)
                let start = indent + 1
                #expect(met == Met(starts: [start, start + line.count + 1], ends: [start + line.count, 0]))
            }
        }
    }

    @Test(arguments: 1...LineWalk.capacity) func howManyAreMetAtOnceMakesNoDifference(_ room: Int) {
        let text = String(repeating: "\n#PLAIN:a\n#OTHER\nuri", count: 50) + Self.filler
        #expect(Self.meet(text, Self.interest(room: room)) == Self.meet(text))
    }
}
