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
                #expect(view.block(at: offset).equal(to: byte).bits == expected)
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
                #expect(view.block(at: offset).equal(to: byte).bits == expected)
            }
        }
    }

    @Test func masksTogether() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let guarded = GuardedBytes(Self.random(2 * ByteView.blockSize, &generator))
            let view = ByteView(guarded.buffer)
            let x = view.block(at: 0).equal(to: 0x80)
            let y = view.block(at: ByteView.blockSize).equal(to: 0x22)
            #expect(x.or(y).bits == x.bits | y.bits)
            #expect(x.and(y).bits == x.bits & y.bits)
            #expect(x.and(x).bits == x.bits)
        }
    }

    @Test func parityOfBits() {
        var generator = SeededGenerator(seed: 5)
        for bits in [0, 1, .max, 1 << 63, 3] + (0..<200).map({ _ in generator.next() }) as [UInt64] {
            #expect(isOddCount(bits) == (bits.nonzeroBitCount % 2 == 1))
        }
    }

    static let distances: [UInt16] = [0, 1, 2, 5, 7]

    @Test func aPairStandsWhereBothBytesDo() {
        var generator = SeededGenerator(seed: 6)
        for distance in Self.distances {
            for count in [0, 1, 5, 63, 64, 65, 71, 128, 140] {
                let text = Self.random(count, &generator)
                let guarded = GuardedBytes(text)
                let pair = BytePair(first: 0x22, second: distance == 0 ? 0x22 : 0x80, distance: distance)
                for offset in 0...count {
                    let expected = Self.bits(of: pair, in: text, at: offset)
                    #expect(pair.matches(in: ByteView(guarded.buffer), at: offset).bits == expected)
                }
            }
        }
    }

    static func bits(of pair: BytePair, in text: [UInt8], at offset: Int) -> UInt64 {
        (0..<ByteView.blockSize).reduce(0) { bits, place in
            let (first, second) = (offset + place, offset + place + Int(pair.distance))
            guard second < text.count, text[first] == pair.first, text[second] == pair.second else { return bits }
            return bits | 1 << UInt64(place)
        }
    }

    /// The newest form that the processor has is called, once it has been asked.
    @Test func theBestFormIsChosen() {
        _ = ByteView("a").firstBlock(with: 0x61, from: 0)
        var last = 0
        while unsafe kernelForm(last + 1) != nil { last += 1 }
        #expect(unsafe kernelForm(0) != nil && bytescan_best_form() == kernelForm(last))
    }

    /// The searches over whole blocks, both as they choose their form and in the one that every machine has.
    @Test func searchesGoOverWholeBlocks() {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<400 {
            let count = round % 300
            // Mostly bytes that nobody looks for, so that some searches go far.
            let text = (0..<count).map { _ in
                Int.random(in: 0..<60, using: &generator) == 0 ? Self.random(1, &generator)[0] : UInt8(0x61)
            }
            let guarded = GuardedBytes(text)
            let start = Int.random(in: 0...count, using: &generator)
            let bytes = Self.firstMatch(in: text, from: start, room: 0) {
                Self.bits(Array(text[$0..<($0 + ByteView.blockSize)])) { $0 == 0x0A }
            }
            for buffer in [guarded.buffer, guarded.leadingBuffer] {
                let byte = ByteView(buffer).firstBlock(with: 0x0A, from: start)
                #expect((byte.start, byte.bits) == bytes)
                guard let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { continue }
                let plainByte = bytescan_base_form.findByte(base, start, count - ByteView.blockSize, 0x0A)
                #expect((plainByte.start, plainByte.bits) == bytes)
            }
        }
    }

    /// The first block from `start` on, in steps of one block, that has any bits, or where the one behind the last would be.
    static func firstMatch(
        in text: [UInt8], from start: Int, room: Int, _ bits: (Int) -> UInt64
    ) -> (Int, UInt64) {
        var offset = start
        while offset + ByteView.blockSize + room <= text.count {
            let found = bits(offset)
            if found != 0 { return (offset, found) }
            offset += ByteView.blockSize
        }
        return (offset, 0)
    }

    @Test func aLineWithWhatStandsInIt() {
        var generator = SeededGenerator(seed: 8)
        for round in 0..<600 {
            let count = round % 300
            let text = (0..<count).map { _ in
                switch Int.random(in: 0..<150, using: &generator) {
                case 0: UInt8(0x0A)
                case 1...8: UInt8(0x22)
                case 9: UInt8(0x42)
                default: UInt8(0x61)
                }
            }
            let start = Int.random(in: 0...min(count, 70), using: &generator)
            let distance = Self.distances[round % Self.distances.count]
            let pair = BytePair(first: 0x42, second: distance == 0 ? 0x42 : 0x61, distance: distance)
            let ends = Self.firstMatch(in: text, from: start, room: 12) {
                Self.bits(Array(text[$0..<($0 + ByteView.blockSize)])) { $0 == 0x0A }
            }
            let hasEnd = ends.1 != 0
            let line = text[start..<max(start, hasEnd ? ends.0 + ends.1.trailingZeroBitCount : ends.0)]
            let blocks = stride(from: start, to: ends.0 + (hasEnd ? 1 : 0), by: ByteView.blockSize)
            let mayContain = blocks.contains { Self.bits(of: pair, in: text, at: $0) != 0 }
            let guarded = GuardedBytes(text)
            for buffer in [guarded.buffer, guarded.leadingBuffer] {
                let answer = ByteView(buffer).measureLine(from: start, lookingFor: pair)
                #expect((answer.offset, answer.ends) == ends)
                #expect(answer.hasOddQuotes == (line.filter { $0 == 0x22 }.count % 2 == 1))
                #expect(answer.mayContain == mayContain)
            }
        }
    }
}
