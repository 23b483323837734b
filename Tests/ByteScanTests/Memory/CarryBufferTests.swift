import ByteScan
import Testing

/// Chunks of a text are handed to a carry buffer, which must give back any range of them that has been kept.
struct CarryBufferTests {
    private func with(_ text: String, _ body: (ByteView) -> Void) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { body(unsafe ByteView($0)) }
    }

    private func expect(_ bytes: ByteView, _ text: String) { #expect(bytes.description == text) }

    /// A plain function, because the macro copies what it looks into.
    private func expect<Value: Equatable>(_ value: Value, _ expected: Value) { #expect(value == expected) }

    @Test func rangesInTheChunkAreNotCopied() {
        var carry = CarryBuffer()
        with("abcdef") { chunk in
            let found = carry.bytes(in: 2..<4, of: chunk)
            expect(found, "cd")
            #expect(unsafe found.buffer.baseAddress == chunk.suffix(from: 2).buffer.baseAddress)
            expect(carry.isEmpty, true)
        }
    }

    @Test func keptBytesGoOnInTheNextChunk() {
        var carry = CarryBuffer()
        with("one\ntwo") { carry.keep(4..<7, of: $0) }
        expect(carry.start, -3)
        expect(carry.view, "two")
        with(" and a half\nthree") { chunk in
            expect(carry.bytes(in: -3..<4, of: chunk), "two and")
            // What has been copied of the chunk is neither copied again nor lost.
            expect(carry.bytes(in: -3..<2, of: chunk), "two a")
            expect(carry.bytes(in: -2..<11, of: chunk), "wo and a half")
            expect(carry.start, -3)
            carry.keep(12..<17, of: chunk)
        }
        expect(carry.view, "three")
        expect(carry.start, -5)
    }

    @Test func aRangeMayGrowOverManyChunks() {
        var carry = CarryBuffer()
        for byte in ["a", "", "b", "c"] { with(byte) { carry.keep(carry.start..<$0.count, of: $0) } }
        expect(carry.view, "abc")
        with("d") { chunk in
            expect(carry.bytes(in: -2..<1, of: chunk), "bcd")
        }
    }

    @Test func keepDropsWhatIsBeforeAndAfterTheRange() {
        var carry = CarryBuffer()
        with("abcdef") { carry.keep(1..<6, of: $0) }
        with("gh") { chunk in
            expect(carry.bytes(in: -5..<2, of: chunk), "bcdefgh")
            carry.keep(-3..<0, of: chunk)
        }
        expect(carry.view, "def")
        expect(carry.start, -5)
        with("ijk") { chunk in
            expect(carry.bytes(in: -5 ..< -2, of: chunk), "def")
            carry.keep(3..<3, of: chunk)
        }
        expect(carry.isEmpty, true)
        with("lm") { carry.keep(0..<1, of: $0) }
        expect(carry.view, "l")
    }

    @Test func forgettingStartsAfresh() {
        var carry = CarryBuffer()
        with("abc") { carry.keep(0..<3, of: $0) }
        carry.removeAll()
        expect(carry.start, 0)
        with("xyz") { carry.keep(1..<3, of: $0) }
        expect(carry.view, "yz")
    }

    /// Whatever was given up before, what is kept of a later chunk is there.
    @Test func whatIsKeptAfterSomethingWasGivenUp() {
        var carry = CarryBuffer()
        with("abcd") { carry.keep(0..<2, of: $0) }
        with("vwxyz") { chunk in
            carry.keep(1..<4, of: chunk)
            expect(carry.view, "wxy")
        }
        expect(carry.start, -4)
        with("z") { carry.keep(0..<1, of: $0) }
        expect(carry.view, "z")
    }

    @Test func bytesThatWereGivenUpAreNotInvented() async {
        await #expect(processExitsWith: .failure) {
            var carry = CarryBuffer()
            let bytes: [UInt8] = [1, 2, 3, 4]
            unsafe bytes.withUnsafeBytes { buffer in
                let chunk = unsafe ByteView(buffer)
                carry.keep(0..<2, of: chunk)
                _ = carry.bytes(in: -4..<1, of: chunk)
            }
        }
    }
}
