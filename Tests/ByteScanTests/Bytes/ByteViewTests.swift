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
        #expect(view.last == UInt8(ascii: "c"))
        #expect(Array(view.buffer) == Array("abc".utf8))
        #expect(ByteView().isEmpty)
        #expect(ByteView().last == nil)
        #expect(ByteView(UnsafeRawBufferPointer(start: nil, count: 0)) == ByteView())
    }

    @Test func wordsAreLittleEndian() {
        let guarded = GuardedBytes(Array("x12345678".utf8))
        #expect(ByteView(guarded.buffer).word(at: 1) == 0x3837_3635_3433_3231)
    }

    // Traps are the promise that a wrong offset never reads other memory.

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
