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
                var (offset, lineCount) = (0, 0)
                while offset < count {
                    batch.fill(from: view, at: offset, &carry)
                    lineCount += batch.lineCount
                    for index in 0..<batch.blockCount {
                        let masks = batch[index]
                        let alone = view.lineMasks(at: offset, &single)
                        #expect(masks.ends == alone.ends && masks.terminators == alone.terminators)
                        #expect(masks.blanks == alone.blanks && masks.arrows == alone.arrows)
                        found.ends += Self.places(masks.ends, from: offset)
                        found.terminators += Self.places(masks.terminators, from: offset)
                        found.blanks += Self.places(masks.blanks, from: offset)
                        found.arrows += Self.places(masks.arrows, from: offset)
                        offset += ByteView.blockSize
                    }
                }
                #expect(found == expected)
                #expect(lineCount == expected.terminators.count)
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
