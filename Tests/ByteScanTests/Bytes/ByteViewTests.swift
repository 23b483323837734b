import ByteScan
import Support
import Testing

@Suite struct ByteViewTests {
    @Test func equalityOfEveryLengthWithOneByteChanged() {
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8($0) }
            let (left, right) = (GuardedBytes(bytes), GuardedBytes(bytes))
            #expect(ByteView(left.buffer) == ByteView(right.leadingBuffer))
            for place in 0..<count {
                var other = bytes
                other[place] ^= 0x80
                let changed = GuardedBytes(other)
                #expect(ByteView(left.buffer) != ByteView(changed.buffer), "byte \(place) of \(count)")
                #expect(ByteView(left.buffer).hasBytes(ByteView(changed.buffer).prefix(upTo: place), at: 0))
            }
            #expect(ByteView(left.buffer) != ByteView(GuardedBytes(bytes + [0]).buffer))
        }
    }

    @Test func bytesAtAnOffset() {
        let text = Array("#EXT-X-STREAM-INF:BANDWIDTH=1".utf8)
        let guarded = GuardedBytes(text)
        for buffer in [guarded.buffer, guarded.leadingBuffer] {
            let view = ByteView(buffer)
            for start in -1...(text.count + 1) {
                for count in 0...(text.count + 2) {
                    let isThere = start >= 0 && start + count <= text.count
                    let wanted = isThere ? Array(text[start..<(start + count)]) : [UInt8](repeating: 0x23, count: count)
                    let other = wanted.withUnsafeBytes { view.hasBytes(ByteView($0), at: start) }
                    if other != isThere { Issue.record("\(count) bytes at \(start)") }
                }
            }
            #expect(view.hasBytes("INF:", at: 14))
            #expect(!view.hasBytes("INF:", at: 15))
        }
    }

    @Test func literals() {
        let view = ByteView("SUBTITLES")
        #expect(view == "SUBTITLES")
        #expect(!(view == ByteView("SUBTITLE")))
        switch view {
        case "SUBTITLE", "SUBTITLES2", "subtitles", "": Issue.record("a near miss matched")
        case "SUBTITLES": break
        default: Issue.record("nothing matched")
        }
    }

    @Test func parts() {
        let view = ByteView("abc")
        #expect(Array(view) == Array("abc".utf8))
        #expect(view.underestimatedCount == 3)
        #expect(Array(view[1..<2]) == Array("b".utf8))
        #expect(Array(view.suffix(from: 3)).isEmpty)
        #expect(Array(view.prefix(upTo: 2)) == Array("ab".utf8))
        #expect(view.first == UInt8(ascii: "a") && view.last == UInt8(ascii: "c"))
        #expect((0..<3).map { view.uncheckedByte(at: $0) } == Array("abc".utf8))
        #expect(view.description == "abc" && ByteView().first == nil)
        #expect(Array(view.buffer) == Array("abc".utf8))
        #expect(ByteView().isEmpty)
        #expect(ByteView().last == nil)
        #expect(ByteView(UnsafeRawBufferPointer(start: nil, count: 0)) == ByteView())
    }

    @Test func wordsAreLittleEndian() {
        let guarded = GuardedBytes(Array("x12345678".utf8))
        let view = ByteView(guarded.buffer)
        #expect(view.word(at: 1) == 0x3837_3635_3433_3231 && view.word(at: 0) == 0x3736_3534_3332_3178)
        #expect([0, 1].map { view.uncheckedWord(at: $0) } == [view.word(at: 0), view.word(at: 1)])
        for count in 0...9 {
            let bytes = GuardedBytes((0..<count).map { UInt8(0xF1 + $0) })
            let expected = 0xF8F7_F6F5_F4F3_F2F1 & (count < 8 ? 1 << UInt64(8 * count) - 1 : UInt64.max)
            #expect(ByteView(bytes.buffer).paddedWord == expected, "\(count)")
        }
    }

    // Traps are the promise that a wrong offset never reads other memory.

    @Test(arguments: 0...8) func misuseTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            let view = ByteView("0123456789")
            switch number {
            case 0: _ = view[-1..<2]
            case 1: _ = view.block(at: -1)
            case 2: _ = view.word(at: 3)
            case 3: _ = view.word(at: -1)
            case 4: _ = view.firstOffset(of: 0, from: -1)
            case 5: _ = view.firstBlock(with: 0, from: -1)
            case 6: _ = view.measureLine(from: -1, lookingFor: .none)
            case 7: _ = view.measureTail(from: 11, lookingFor: .none)
            default: _ = view.measureTail(from: -1, lookingFor: .none)
            }
        }
    }

    @Test func aByteBehindTheEndTraps() async {
        await #expect(processExitsWith: .failure) { _ = ByteView("abc")[3] }
    }

    @Test func aByteBeforeTheStartTraps() async {
        await #expect(processExitsWith: .failure) { _ = ByteView("abc")[-1] }
    }

    @Test func aRangePastTheEndTraps() async {
        await #expect(processExitsWith: .failure) { _ = ByteView("abc")[2..<4] }
    }

    @Test func aBlockPastTheEndTraps() async {
        await #expect(processExitsWith: .failure) { _ = ByteView("abc").block(at: 4) }
    }
}
