import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct FinalCueSearchTests {
    static let blockSizes = [1, 3, 7, 64, 4096, .max]

    /// The answer for `file` handed backward in blocks of `size` bytes, counted from its end.
    static func answer(
        _ file: UnsafeRawBufferPointer, blockSize size: Int, byteBudget: Int = .max
    ) -> FinalCueSearch.Answer {
        var search = FinalCueSearch(byteBudget: byteBudget)
        var end = file.count
        repeat {
            let start = max(0, end - min(size, end))
            search.prepend(UnsafeRawBufferPointer(rebasing: file[start..<end]), startsFile: start == 0)
            end = start
        } while search.answer == .needsEarlierBytes && end > 0
        return search.answer
    }

    /// What the search must say of `file`, whose signature it does not look at.
    static func expected(_ end: Int64?) -> FinalCueSearch.Answer {
        end.map { .found(Timestamp(milliseconds: $0)) } ?? .noCue
    }

    static func check(_ file: [UInt8], _ end: Int64?, sizes: [Int] = blockSizes, _ name: @autoclosure () -> String) {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        for buffer in [guarded.buffer, guarded.leadingBuffer] {
            for size in sizes where answer(buffer, blockSize: size) != expected(end) {
                Issue.record("blocks of \(size): \(answer(buffer, blockSize: size)), not \(expected(end)): \(name())")
            }
        }
    }

    // MARK: Fixtures, one for each rule

    /// A file and the end of its final cue in milliseconds, nil for none; every signature is fine.
    static let fixtures: [(String, Int64?)] = [
        ("WEBVTT", nil),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 00:02.000", 2000),
        ("WEBVTT\n\n00:01.000-->00:02.000\n", 2000),
        ("WEBVTT\r\r00:01.000 --> 00:02.000\rx\r", 2000),
        ("WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nx\r\n", 2000),
        ("\u{FEFF}WEBVTT\n\n00:01.000 --> 00:02.000\n", 2000),
        // The line of the signature is no timing line, and the very next one may be.
        ("WEBVTT 00:01.000 --> 00:02.000\n", nil),
        ("WEBVTT\n00:01.000 --> 00:02.000\n", 2000),
        ("00:01.000 --> 00:02.000", nil),
        // White space is space, tab and form feed.
        ("WEBVTT\n\n \t\u{0C}00:01.000 \t\u{0C}-->\t\u{0C} 00:02.000\n", 2000),
        ("WEBVTT\n\n\u{0B}00:01.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n00:01.000\u{A0}--> 00:02.000\n", nil),
        ("WEBVTT\n\n00:01.000 -->\0 00:02.000\n", nil),
        // Settings may stick to the time; digits may not.
        ("WEBVTT\n\n00:01.000 --> 00:02.000align:start\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 00:02.0000\n", nil),
        ("WEBVTT\n\n00:01.000 --> 00:02.000 --> 00:03.000\n", 2000),
        ("WEBVTT\n\n00:01.000 --> --> 00:03.000\n", nil),
        ("WEBVTT\n\n00:01.000 --->00:03.000\n", nil),
        ("WEBVTT\n\n00:01.000 -->> 00:03.000\n", nil),
        // A line that fails leaves the cue before it the final one.
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\n00:03.000 --> 00:60.000\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\nfoo 00:03.000 --> 00:04.000\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\n-->\n-->-->-->\n--\n>\n", 2000),
        // Blocks, notes, text and identifiers do not matter.
        ("WEBVTT\n\nNOTE x\n00:01.000 --> 00:02.000\n", 2000),
        ("WEBVTT\n\nSTYLE\n/* x\n00:01.000 --> 00:02.000\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n00:03.000 --> 00:04.000\n", 4000),
        // The last in the file, not the latest; kept with its end before its start.
        ("WEBVTT\n\n00:01.000 --> 00:09.000\n\n00:05.000 --> 00:04.000\n", 4000),
        // Hours of any number of digits.
        ("WEBVTT\n\n00:01.000 --> 1234567890:00:00.000\n", 4_444_444_404_000_000),
        ("WEBVTT\n\n000000000000000000000000:00:01.000 --> 00:02.000\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 0000000000000000000000000:00:02.000\n", 2000),
        ("WEBVTT\n\n00:01.000 --> 00000000000002562047788015:12:55.806\n", .max - 1),
        ("WEBVTT\n\n00:01.000 --> 10000000000000000000000000:00:02.000\n", .max),
        ("WEBVTT\n\n00:01.000 --> 900000000000000:00:02.000\n", .max),
        ("WEBVTT\n\n00:01.000 --> 00000000000000000100000000000000000:00:02.000\n", .max),
        // Fields of two digits, 59 at most.
        ("WEBVTT\n\n60:00.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n0:00.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n000:00.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n00:60.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n00:60:00.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n60:00:00.000 --> 00:02.000\n", 2000),
        ("WEBVTT\n\n0:00:00.000 --> 0:00:02.000\n", 2000),
        ("WEBVTT\n\n:00:00.000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n00:00.00 --> 00:02.000\n", nil),
        ("WEBVTT\n\n00:00.0000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n00:00,000 --> 00:02.000\n", nil),
        ("WEBVTT\n\n-00:00.000 --> 00:02.000\n", nil),
    ]

    @Test(arguments: fixtures)
    func fixture(text: String, end: Int64?) {
        let file = Array(text.utf8)
        Self.check(file, end, sizes: Array(1...70) + [.max], text)
        #expect(file.withUnsafeBytes { finalCueEnd(in: $0.bytes) }?.milliseconds == end)
        // The oracle must know the rules that the fixtures spell out.
        #expect(NaiveTimings.cues(in: file)?.last?.end == end)
    }

    @Test(arguments: fixtures)
    func everySplitInTwo(text: String, end: Int64?) {
        let file = Array(text.utf8)
        for cut in 0...file.count {
            let (first, second) = (GuardedBytes(Array(file[..<cut])), GuardedBytes(Array(file[cut...])))
            defer { withExtendedLifetime((first, second)) {} }
            for (first, second) in [(first.buffer, second.buffer), (first.leadingBuffer, second.leadingBuffer)] {
                var search = FinalCueSearch()
                search.prepend(second)
                #expect(search.prepend(first, startsFile: true) == Self.expected(end))
            }
        }
    }

    @Test func linesOfAnyLengthNeedNoMemory() {
        let spaces = String(repeating: " \t\u{0C}", count: 3000)
        let zeros = String(repeating: "0", count: 9000)
        let fine = "WEBVTT\n\n\(spaces)\(zeros):00:01.000\(spaces)-->\(spaces)\(zeros)17:00:01.000 \(zeros)\n"
        let late = "WEBVTT\n\n00:01.000 -->\(spaces)1\(zeros):00:01.000\n"
        let wrong = "WEBVTT\n\n\(spaces)00:01.000\(spaces)-->\(spaces)\(zeros):00.000\n"
        for (text, end) in [(fine, 61_201_000), (late, .max), (wrong, nil)] as [(String, Int64?)] {
            Self.check(Array(text.utf8), end, sizes: [1, 13, 64, 4096, .max], "a long line")
        }
    }

    // MARK: Against the oracle

    @Test func everyByteInEveryPlaceOfATimingLine() {
        let text = "WEBVTT\n\n00:00.000 --> 00:00.001\n\n1:00:00.000 --> 10:00:00.000 x\n"
        let start = 33
        for place in start..<text.utf8.count {
            for byte in UInt8.min...UInt8.max {
                for replaced in [0, 1] {
                    var file = Array(text.utf8)
                    file.replaceSubrange(place..<(place + replaced), with: [byte])
                    let end = NaiveTimings.cues(in: file)?.last?.end
                    file.withUnsafeBytes { buffer in
                        for size in [1, 5, .max] where Self.answer(buffer, blockSize: size) != Self.expected(end) {
                            Issue.record("byte \(byte) at \(place), blocks of \(size)")
                        }
                    }
                }
            }
        }
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<(isLong ? 100_000 : 1000) {
            let file = WebVTTTokens.file(using: &generator)
            let cues = NaiveTimings.cues(in: file)
            #expect(file.withUnsafeBytes { finalCueEnd(in: $0.bytes) }?.milliseconds == cues?.last?.end)
            // Without its signature's line a file has the same cues, if it has that line.
            guard let cues else { continue }
            file.withUnsafeBytes { buffer in
                for size in [1, Int.random(in: 2...40, using: &generator), .max]
                where Self.answer(buffer, blockSize: size) != Self.expected(cues.last?.end) {
                    Issue.record("\(String(decoding: file, as: UTF8.self).debugDescription), blocks of \(size)")
                }
            }
        }
    }

    // MARK: Budgets and windows

    @Test func aBudgetIsExactWhateverTheBlocks() {
        let text = "WEBVTT\n\n00:00.000 --> 00:00.001\n\n00:01.000 --> 00:02.000\nsome text\n"
        let file = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(file) {} }
        // The line feed before the timing line must be seen.
        let needed = "\n00:01.000 --> 00:02.000\nsome text\n".utf8.count
        for budget in 0...(text.utf8.count + 2) {
            for size in Array(1...70) + [.max] {
                let answer = Self.answer(file.buffer, blockSize: size, byteBudget: budget)
                #expect(answer == (budget >= needed ? .found(Timestamp(milliseconds: 2000)) : .undecided))
            }
        }
    }

    /// The block that spends the budget settles it, whether or not a line is still to be read: no caller reads on in vain.
    @Test(arguments: [
        "some text\n", "1.000 --> 00:02.000\n", "00:01.000 --> 00:02.000", " --> 00:02.000", "--> 00:02.000\n",
    ])
    func aSpentBudgetIsUndecidedAtOnce(tail: String) {
        let file = GuardedBytes(Array(tail.utf8))
        defer { withExtendedLifetime(file) {} }
        let count = file.buffer.count
        var search = FinalCueSearch(byteBudget: count)
        #expect(search.prepend(file.buffer) == .undecided)
        var latest = LatestEndSearch(byteBudget: count)
        #expect(latest.prepend(file.buffer) == .undecided && latest.latestEnd == nil)
        // With a byte more it asks for the bytes before, and the end of a line decides.
        search = FinalCueSearch(byteBudget: count + 1)
        #expect(search.prepend(file.buffer) == .needsEarlierBytes)
        let isCue = tail.hasPrefix("00:01")
        let feed = GuardedBytes([0x0A])
        defer { withExtendedLifetime(feed) {} }
        #expect(search.prepend(feed.buffer) == (isCue ? .found(Timestamp(milliseconds: 2000)) : .undecided))
    }

    @Test func aBudgetAsLargeAsTheFileIsEnoughToFindNone() {
        let file = GuardedBytes(Array("WEBVTT\n\nNOTE no cue\n".utf8))
        defer { withExtendedLifetime(file) {} }
        for size in Array(1...20) + [.max] {
            #expect(Self.answer(file.buffer, blockSize: size, byteBudget: file.buffer.count) == .noCue)
            #expect(Self.answer(file.buffer, blockSize: size, byteBudget: file.buffer.count - 1) == .undecided)
        }
    }

    @Test func aWindowInsideTheLineNeedsEarlierBytes() {
        let file = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n".utf8)
        for start in 0...file.count {
            let window = GuardedBytes(Array(file[start...]))
            defer { withExtendedLifetime(window) {} }
            var search = FinalCueSearch()
            let isWhole = start <= 7
            let expected = isWhole ? Self.expected(2000) : .needsEarlierBytes
            #expect(search.prepend(window.buffer) == expected)
        }
    }

    @Test func anAnswerIsFinal() {
        let file = GuardedBytes(Array("\n00:01.000 --> 00:02.000".utf8))
        defer { withExtendedLifetime(file) {} }
        let other = GuardedBytes(Array("\n00:01.000 --> 00:09.000\n".utf8))
        defer { withExtendedLifetime(other) {} }
        var search = FinalCueSearch()
        search.prepend(file.buffer)
        #expect(search.prepend(other.buffer, startsFile: true) == .found(Timestamp(milliseconds: 2000)))
        var empty = FinalCueSearch()
        #expect(empty.prepend(UnsafeRawBufferPointer(start: nil, count: 0)) == .needsEarlierBytes)
        #expect(empty.prepend(UnsafeRawBufferPointer(start: nil, count: 0), startsFile: true) == .noCue)
        #expect(empty.prepend(other.buffer) == .noCue)
    }

    // MARK: The latest end

    /// What a search of the latest end too knows after each block of `size` bytes, counted from the file's end.
    static func latestEnds(
        _ file: UnsafeRawBufferPointer, blockSize size: Int, byteBudget: Int = .max
    ) -> [(count: Int, answer: FinalCueSearch.Answer, latest: Int64?)] {
        var search = LatestEndSearch(byteBudget: byteBudget)
        var ends: [(Int, FinalCueSearch.Answer, Int64?)] = []
        var end = file.count
        repeat {
            let start = max(0, end - min(size, end))
            search.prepend(UnsafeRawBufferPointer(rebasing: file[start..<end]), startsFile: start == 0)
            ends.append((file.count - start, search.answer, search.latestEnd?.milliseconds))
            end = start
        } while end > 0
        return ends
    }

    static func checkLatest(_ file: [UInt8], sizes: [Int] = blockSizes, _ name: @autoclosure () -> String) {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let final = answer(guarded.buffer, blockSize: .max)
        for size in sizes {
            for (count, answer, latest) in latestEnds(guarded.buffer, blockSize: size) {
                let expected = NaiveTimings.latestEnd(inTail: Array(file.suffix(count)))
                let isRight = answer == final || answer == .needsEarlierBytes
                if latest != expected || !isRight {
                    let expected = expected.map(String.init) ?? "none"
                    Issue.record(
                        "\(count) bytes in blocks of \(size): \(answer), \(latest ?? -1), not \(expected): \(name())")
                }
            }
        }
    }

    @Test(arguments: fixtures)
    func theLatestEndOfAFixture(text: String, end: Int64?) {
        Self.checkLatest(Array(text.utf8), sizes: Array(1...70) + [.max], text)
    }

    @Test func theLatestEndOfAnyBlocks() {
        let advert =
            "WEBVTT\n\n00:01.000 --> 00:09.000\na\n\n00:05.000 --> 00:04.000\nb\n\n00:00.500 --> 00:02.000\nc\n"
        Self.checkLatest(Array(advert.utf8), sizes: Array(1...90), advert)
        // One call answers both.
        let file = GuardedBytes(Array(advert.utf8))
        defer { withExtendedLifetime(file) {} }
        var search = LatestEndSearch()
        #expect(search.prepend(file.buffer, startsFile: true) == Self.expected(2000))
        #expect(search.latestEnd == Timestamp(milliseconds: 9000))
        // A cue that never shows does not count.
        let hidden = GuardedBytes(Array("WEBVTT\n\n00:05.000 --> 00:05.000\n\n09:05.000 --> 00:04.000\n".utf8))
        defer { withExtendedLifetime(hidden) {} }
        var other = LatestEndSearch()
        #expect(other.prepend(hidden.buffer, startsFile: true) == Self.expected(4000) && other.latestEnd == nil)
        // Past the budget nothing is looked at, and nothing before the file's first byte.
        #expect(Self.latestEnds(file.buffer, blockSize: 10, byteBudget: 40).last?.latest == 2000)
        search.prepend(GuardedBytes(Array("\n00:05.000 --> 01:00.000\n".utf8)).buffer)
        #expect(search.latestEnd == Timestamp(milliseconds: 9000))
    }

    /// Times as nearly all files have them, which are read at once where the line's end before them is in the block.
    @Test func theLatestEndOfTheFixedForm() {
        let cues =
            "00:00:01.000 --> 00:00:09.000\na\n\n00:00:05.000 --> 00:00:04.000\n\n00:00:05.000 --> 00:00:06.000\n"
        for text in ["WEBVTT\n\n\(cues)", "WEBVTT\n\n\(cues)00:00:05.000 --> 00:60:00.000\n", cues] {
            Self.checkLatest(Array(text.utf8), sizes: Array(1...100) + [.max], text)
        }
        for (skipped, isKnown) in [(7, true), (8, false)] {
            var search = LatestEndSearch()
            let line = "WEBVTT\n\n00:00:01.000 --> 00:00:09.000\n".utf8.dropFirst(skipped)
            #expect((search.prepend(Array(line).span.bytes) == Self.expected(9000)) == isKnown)
            #expect(search.latestEnd == (isKnown ? Timestamp(milliseconds: 9000) : nil))
        }
    }

    @Test func theLatestEndOfRandomFiles() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<(isLong ? 30_000 : 400) {
            let file = WebVTTTokens.file(using: &generator)
            let sizes = [1, Int.random(in: 2...40, using: &generator), .max]
            Self.checkLatest(file, sizes: sizes, String(decoding: file, as: UTF8.self).debugDescription)
        }
    }

    // MARK: Conformance

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func everyConformanceFile() throws {
        for file in try WebVTTExpectation.files() + WebVTTExpectation.corpus() {
            #expect(
                file.bytes.withUnsafeBytes { finalCueEnd(in: $0.bytes) }?.milliseconds == file.finalCueEnd, "\(file)")
            guard file.hasSignature else { continue }
            let sizes = isLong || file.bytes.count < 20_000 ? Self.blockSizes : [64, 4096, .max]
            Self.check(file.bytes, file.finalCueEnd, sizes: sizes, file.name)
        }
    }
}
