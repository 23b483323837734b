import ByteScan
import CByteScan
import Support
import Testing

/// The search for cues. Every form of its kernel is checked against a naive one in Tests/Kernels.
@Suite struct CueFinderTests {
    private static let times = "00:00:01,000 --> 00:00:02,000"

    @Test(arguments: [0, 1, 64]) func cuesHaveParts(_ before: Int) {
        let cues = "1\n\(Self.times)\nHello\n\n22\r\n\(Self.times)\r\nYou & me\r\n\r\n"
        let text = String(repeating: "x", count: before) + cues + "3\n" + String(repeating: "x", count: 150)
        let guarded = GuardedBytes(Array(text.utf8))
        var finder = CueFinder()
        let count = finder.find(in: ByteView(guarded.buffer), from: before)
        let found = (0..<count).map { finder[$0] }
        #expect(
            found.map { [$0.start, $0.times, $0.text, $0.blank].map { $0 - before } } == [
                [0, 2, 32, 38], [39, 43, 74, 84],
            ])
        #expect(found.map { [$0.hasReturns, $0.isSpecial] } == [[false, false], [true, true]])
    }

    /// A counter has eight digits at most.
    @Test(arguments: [(1, true), (7, true), (8, true), (9, false), (16, false)])
    func countersOfManyDigits(_ count: Int, _ isFound: Bool) {
        for terminator in ["\n", "\r\n"] {
            let lines = [String(repeating: "1", count: count), Self.times, "Hello", "", ""]
            let text = lines.joined(separator: terminator) + String(repeating: "x", count: 150)
            let guarded = GuardedBytes(Array(text.utf8))
            var finder = CueFinder()
            #expect(finder.find(in: ByteView(guarded.buffer), from: 0) == (isFound ? 1 : 0))
            #expect(!isFound || finder[0].times == count + terminator.utf8.count)
        }
    }

    /// A cue whose lines do not end alike is for others to read.
    @Test(arguments: ["1\r\n\(times) \nHello\r\n\r\n", "1\n\(times)\r\nHello\r\n\r\n", "1\r\n\(times)\nHello\n\n"])
    func linesEndAlike(_ cue: String) {
        let guarded = GuardedBytes(Array((cue + String(repeating: "x", count: 150)).utf8))
        var finder = CueFinder()
        #expect(finder.find(in: ByteView(guarded.buffer), from: 0) == 0)
    }

    /// As many are found at once as there is room for, if whole blocks follow.
    @Test func manyAreFoundInTurns() {
        let cue = "1\n\(Self.times)\nHello\n\n"
        let guarded = GuardedBytes(Array(String(repeating: cue, count: 40).utf8))
        let view = ByteView(guarded.buffer)
        var finder = CueFinder()
        #expect(finder.find(in: view, from: 0) == 32 && finder[31].start == 31 * cue.utf8.count)
        // Of the last 8 those are found whose text begins where a whole block, and 32 bytes after it, can be read.
        #expect(finder.find(in: view, from: 32 * cue.utf8.count) == 5 && finder[4].start == 36 * cue.utf8.count)
        #expect(finder.find(in: view, from: view.count) == 0 && finder.find(in: ByteView(), from: 0) == 0)
    }

    @Test(arguments: 0...2) func misuseTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            var finder = CueFinder()
            switch number {
            case 0: _ = finder.find(in: ByteView(), from: -1)
            case 1: _ = finder[Int(bytescan_cues_capacity)]
            default: _ = finder[-1]
            }
        }
    }
}
