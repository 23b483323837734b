import CByteScan
import Support
import Testing

@testable import ByteScan

@Suite struct LineBatchTests {
    /// Where lines end, are blank and have arrows, byte by byte.
    static func naive(_ bytes: [UInt8]) -> (ends: [Int], terminators: [Int], blanks: [Int], arrows: [Int]) {
        var found: (ends: [Int], terminators: [Int], blanks: [Int], arrows: [Int]) = ([], [], [], [])
        let byte = { (offset: Int) in offset >= 0 ? bytes[offset] : 0 }
        for offset in bytes.indices {
            let isEnd = [0x0A, 0x0D].contains(bytes[offset])
            let isSecond = bytes[offset] == 0x0A && byte(offset - 1) == 0x0D
            if isEnd { found.ends.append(offset) }
            if isEnd, !isSecond {
                found.terminators.append(offset)
                if [0x0A, 0x0D].contains(byte(offset - 1)) { found.blanks.append(offset) }
            }
            if offset >= 2, Array(bytes[(offset - 2)...offset]) == Array("-->".utf8) { found.arrows.append(offset) }
        }
        return found
    }

    static func places(_ bits: UInt64, from start: Int) -> [Int] {
        (0..<64).filter { bits >> UInt64($0) & 1 == 1 }.map { start + $0 }
    }

    @Test func agreesWithAWalkOverTheBytes() {
        var generator = SeededGenerator(seed: 3)
        for count in Array(0...200) + [1023, 1024, 1025, 3000, 5000] {
            let bytes = (0..<count).map { _ in Array("\n\r\n\r->->x".utf8).randomElement(using: &generator) ?? 0 }
            let guarded = GuardedBytes(bytes)
            defer { withExtendedLifetime(guarded) {} }
            let expected = Self.naive(bytes)
            for view in [ByteView(guarded.buffer), ByteView(guarded.leadingBuffer)] {
                var batch = LineBatch()
                var (carry, single) = (BlockCarry(after: 0, 0), BlockCarry(after: 0, 0))
                var found: (ends: [Int], terminators: [Int], blanks: [Int], arrows: [Int]) = ([], [], [], [])
                var (offset, lineCount, marks) = (0, 0, [Int]())
                while offset < count {
                    batch.fill(from: view, at: offset, &carry)
                    lineCount += batch.lineCount
                    let start = offset
                    marks += (0..<batch.markCount).map { start + batch.mark($0) }
                    for place in stride(from: 0, to: batch.byteCount, by: 7) {
                        let range = (start + place)..<min(start + place + 64, start + batch.byteCount)
                        let ends = Self.places(batch.terminators(from: place), from: start + place)
                        #expect(ends == expected.terminators.filter(range.contains))
                        let before = expected.terminators.filter { (start..<(start + place)).contains($0) }
                        #expect(batch.lineCount(before: place) == before.count)
                    }
                    while offset < start + batch.byteCount {
                        let masks = batch.masks(around: offset - start)
                        let alone = view.lineMasks(at: offset, &single)
                        #expect(masks.ends == alone.ends && masks.terminators == alone.terminators)
                        #expect(masks.blanks == alone.blanks && masks.arrows == alone.arrows)
                        found.ends += Self.places(masks.ends, from: offset)
                        found.terminators += Self.places(masks.terminators, from: offset)
                        found.blanks += Self.places(masks.blanks, from: offset)
                        found.arrows += Self.places(masks.arrows, from: offset)
                        offset += ByteView.blockSize
                    }
                    offset = start + batch.byteCount
                }
                #expect(found == expected)
                #expect(marks == (expected.blanks + expected.arrows).sorted())
                #expect(lineCount == expected.terminators.count)
            }
        }
    }

    @Test(
        arguments: [
            ("a⏎b⏎", 1, "no CR"), ("", 1, "no line"), ("a↵b↵", 2, "CRLF everywhere"),
            ("a↵b", 2, "a line that has not ended"),
            ("a↵b⏎", nil, "an LF alone"), ("a←b↵", nil, "a CR alone"), ("a⏎←", nil, "LFCR"),
        ] as [(String, Int?, String)])
    func terminatorsAreOfOneSize(_ text: String, _ expected: Int?, _ why: String) {
        let text = text.replacing("↵", with: "\r\n").replacing("⏎", with: "\n").replacing("←", with: "\r")
        // At every place of a block, and across the end of one.
        for count in 0..<130 {
            var batch = LineBatch()
            var carry = BlockCarry(after: 0, 0)
            let bytes = [UInt8](repeating: 0x78, count: count) + Array(text.utf8)
            bytes.withUnsafeBytes { batch.fill(from: ByteView($0), at: 0, &carry) }
            #expect(batch.terminatorSize == expected, "\(why), after \(count) bytes")
        }
    }

    @Test func aBatchOfNothing() {
        var batch = LineBatch()
        var carry = BlockCarry(after: 0, 0)
        let counts = { (batch: borrowing LineBatch) in [batch.byteCount, batch.lineCount, batch.markCount] }
        #expect(counts(batch) == [0, 0, 0])
        batch.fill(from: ByteView("\n\n"), at: 0, &carry)
        #expect(counts(batch) == [2, 2, 1])
        batch.fill(from: ByteView("\n\n"), at: 2, &carry)
        #expect(counts(batch) == [0, 0, 0] && LineBatch.capacity == 16)
        carry = BlockCarry(after: 0, 0)
        let many = [UInt8](repeating: 0x0A, count: 2000)
        many.withView { batch.fill(from: $0, at: 0, &carry) }
        #expect(counts(batch) == [1024, 1024, 1023])
    }

    @Test(arguments: 0...7) func misuseTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            var batch = LineBatch()
            var carry = BlockCarry(after: 0, 0)
            batch.fill(from: ByteView("\n\n"), at: 0, &carry)
            switch number {
            case 0: batch.fill(from: ByteView("\n\n"), at: 3, &carry)
            case 1: batch.fill(from: ByteView("\n\n"), at: -1, &carry)
            case 2: _ = batch.mark(1)
            case 3: _ = batch.mark(-1)
            case 4: _ = batch.masks(around: 2)
            case 5: _ = batch.masks(around: -1)
            case 6: _ = batch.terminators(from: 2)
            default: _ = batch.terminators(from: -1)
            }
        }
    }

    @Test func theCarryIsThatOfTheLastTwoBytes() {
        for secondLast in Array("\n\r-x".utf8) {
            for last in Array("\n\r-x".utf8) {
                for text in ["\n", "\r", ">", "->", "-->", "x"] {
                    let bytes = [secondLast, last] + Array(text.utf8)
                    let expected = Self.naive(bytes)
                    var carry = BlockCarry(after: secondLast, last)
                    let masks = Array(text.utf8).withUnsafeBytes { ByteView($0).lineMasks(at: 0, &carry) }
                    #expect(Self.places(masks.terminators, from: 2) == expected.terminators.filter { $0 >= 2 })
                    #expect(Self.places(masks.blanks, from: 2) == expected.blanks.filter { $0 >= 2 })
                    #expect(Self.places(masks.arrows, from: 2) == expected.arrows.filter { $0 >= 2 })
                }
            }
        }
    }
}
