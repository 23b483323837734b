import ByteScan
import CByteScan
import Support
import Testing

/// Masks against loops. What is compared is drawn from few values, so that equal bytes stand together often.
@Suite struct ByteBlockTests {
    static let bytes: [UInt8] = [0x00, 0x01, 0x0A, 0x22, 0x2C, 0x7F, 0x80, 0x81, 0xFE, 0xFF]

    static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in bytes[Int.random(in: 0..<bytes.count, using: &generator)] }
    }

    static func bits(_ bytes: [UInt8], where isSet: (UInt8) -> Bool) -> UInt64 {
        bytes.enumerated().reduce(0) { isSet($1.element) ? $0 | 1 << UInt64($1.offset) : $0 }
    }

    @Test func equalAtEveryAlignment() {
        var generator = SeededGenerator(seed: 1)
        let text = Self.random(64 + ByteView.blockSize, &generator)
        let guarded = GuardedBytes(text)
        let view = ByteView(guarded.buffer)
        for offset in 0...64 {
            let window = Array(text[offset..<(offset + ByteView.blockSize)])
            for byte in Self.bytes {
                let expected = Self.bits(window) { $0 == byte }
                #expect(view.fullBlock(at: offset).equal(to: byte).bits == expected)
                #expect(view.block(at: offset).equal(to: byte).isAnySet == (expected != 0))
            }
        }
    }

    @Test func aPartialBlockHasZerosBehindItsEnd() {
        var generator = SeededGenerator(seed: 2)
        for count in 0..<ByteView.blockSize {
            let text = Self.random(count, &generator)
            let guarded = GuardedBytes(text)
            let padded = text + [UInt8](repeating: 0, count: ByteView.blockSize - count)
            for buffer in [guarded.buffer, guarded.leadingBuffer] {
                for byte in Self.bytes {
                    let bits = ByteView(buffer).block(at: 0).equal(to: byte).bits
                    #expect(bits == Self.bits(padded) { $0 == byte }, "\(count) bytes")
                }
            }
        }
    }

    @Test func everyByteIsEqualToItselfAlone() {
        let text = (0..<256).map { UInt8($0) }
        let guarded = GuardedBytes(text)
        let view = ByteView(guarded.buffer)
        for byte in UInt8.min...UInt8.max {
            for offset in stride(from: 0, to: 256, by: ByteView.blockSize) {
                let place = Int(byte) - offset
                let expected: UInt64 = (0..<ByteView.blockSize).contains(place) ? 1 << UInt64(place) : 0
                #expect(view.fullBlock(at: offset).equal(to: byte).bits == expected)
            }
        }
    }

    @Test func masksTogether() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let guarded = GuardedBytes(Self.random(2 * ByteView.blockSize, &generator))
            let view = ByteView(guarded.buffer)
            let x = view.fullBlock(at: 0).equal(to: 0x80)
            let y = view.fullBlock(at: ByteView.blockSize).equal(to: 0x22)
            #expect(x.or(y).bits == x.bits | y.bits)
            #expect(x.and(y).bits == x.bits & y.bits)
            #expect(x.and(x).bits == x.bits)
        }
    }

    @Test func lanesFoldFourQuarters() {
        var generator = SeededGenerator(seed: 4)
        #expect(!ByteLane.empty.isAnySet)
        #expect(ByteLane.empty.bits == 0)
        var union: UInt64 = 0
        var parity: UInt64 = 0
        var anyLane = ByteLane.empty
        var oddLane = ByteLane.empty
        for _ in 0..<200 {
            let guarded = GuardedBytes(Self.random(ByteView.blockSize, &generator))
            let mask = ByteView(guarded.buffer).fullBlock(at: 0).equal(to: 0xFF)
            let quarters = (0..<4).map { mask.bits >> UInt64(16 * $0) & 0xFFFF }
            #expect(mask.foldedAny.bits == quarters.reduce(0, |))
            #expect(mask.foldedOdd.bits == quarters.reduce(0, ^))
            #expect(mask.foldedAny.isAnySet == mask.isAnySet)
            union |= mask.foldedAny.bits
            parity ^= mask.foldedOdd.bits
            anyLane = anyLane.or(mask.foldedAny)
            oddLane = oddLane.xor(mask.foldedOdd)
            #expect(anyLane.bits == union)
            #expect(oddLane.bits == parity)
        }
    }

    @Test func parityOfBits() {
        var generator = SeededGenerator(seed: 5)
        for bits in [0, 1, .max, 1 << 63, 3] + (0..<200).map({ _ in generator.next() }) as [UInt64] {
            #expect(isOddCount(bits) == (bits.nonzeroBitCount % 2 == 1))
        }
    }

    @Test func aPairStandsWhereBothBytesDo() {
        var generator = SeededGenerator(seed: 6)
        for distance in 0...7 {
            for count in [0, 1, 5, 63, 64, 65, 71, 128, 140] {
                let text = Self.random(count, &generator)
                let guarded = GuardedBytes(text)
                let view = ByteView(guarded.buffer)
                let pair = BytePair(0x22, distance == 0 ? 0x22 : 0x80, distance: distance)
                #expect(pair.distance == distance)
                for offset in 0...count {
                    var expected: UInt64 = 0
                    for place in 0..<ByteView.blockSize where offset + place + distance < count {
                        let second = text[offset + place + distance]
                        let matches = text[offset + place] == 0x22 && second == (distance == 0 ? 0x22 : 0x80)
                        if matches { expected |= 1 << UInt64(place) }
                    }
                    #expect(pair.matchesAtEnd(of: view, at: offset).bits == expected)
                    if offset + ByteView.blockSize + distance <= count {
                        #expect(pair.matches(view.fullBlock(at: offset), in: view, at: offset).bits == expected)
                    }
                }
            }
        }
    }
}
