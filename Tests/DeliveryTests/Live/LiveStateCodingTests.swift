import ByteScan
import Support
import Testing

@testable import Delivery

/// Numbers of a saved state: how they are written, and which are refused.
struct LiveStateCodingTests {
    private static func written(_ body: (inout LiveStateWriter) -> Void) -> [UInt8] {
        var writer = LiveStateWriter(bytes: [])
        body(&writer)
        return writer.bytes
    }

    /// What `body` reads of `bytes`, if it reads all; nil and the position if it throws.
    private static func read<Value>(
        _ bytes: [UInt8], _ body: (inout LiveStateReader) throws(LiveError) -> Value
    ) -> (value: Value?, offset: Int) {
        let guarded = GuardedBytes(bytes)
        var reader = unsafe LiveStateReader(ByteView(guarded.buffer))
        do throws(LiveError) {
            let value = try body(&reader)
            #expect(reader.isAtEnd == (reader.offset == bytes.count))
            return (value, reader.offset)
        } catch {
            #expect(error == LiveError(reason: .notState, position: reader.offset))
            return (nil, error.position)
        }
    }

    @Test(
        arguments: [
            (0, [0]), (1, [1]), (0x7F, [0x7F]), (0x80, [0x80, 1]), (0x3FFF, [0xFF, 0x7F]), (0x4000, [0x80, 0x80, 1]),
            (1 << 63, [UInt8](repeating: 0x80, count: 9) + [1]), (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ] as [(UInt64, [UInt8])])
    func sevenBitsAByte(_ number: UInt64, _ bytes: [UInt8]) {
        #expect(Self.written { $0.append(number) } == bytes)
        let found = Self.read(bytes) { reader throws(LiveError) in try reader.number() }
        #expect(found.value == number && found.offset == bytes.count)
        let torn = Self.read(bytes.dropLast()) { reader throws(LiveError) in try reader.number() }
        #expect(torn.value == nil && torn.offset == bytes.count - 1)
    }

    /// More than 64 bits are no number.
    @Test(arguments: [(9, 2), (9, 0x80), (10, 0)] as [(Int, UInt8)])
    func moreThan64BitsAreNone(_ count: Int, _ last: UInt8) {
        let bytes = [UInt8](repeating: 0x80, count: count) + [last]
        let found = Self.read(bytes) { reader throws(LiveError) in try reader.number() }
        #expect(found.value == nil && found.offset == 9)
    }

    @Test(
        arguments: [
            (0, 0), (-1, 1), (1, 2), (-2, 3), (63, 126), (-64, 127), (.max, .max - 1), (.min, .max),
        ] as [(Int64, UInt64)])
    func signedOnesTakeTurns(_ number: Int64, _ unsigned: UInt64) {
        let bytes = Self.written { $0.append(signed: number) }
        #expect(bytes == Self.written { $0.append(unsigned) })
        #expect(Self.read(bytes) { reader throws(LiveError) in try reader.signed() }.value == number)
        let there = Self.written { $0.append(ifThere: number) }
        #expect(there == [1] + bytes)
        #expect(Self.read(there) { reader throws(LiveError) in try reader.ifThere() }.value == .some(.some(number)))
    }

    @Test func boundsHold() {
        func number(_ value: UInt64, below limit: UInt64) -> UInt64? {
            Self.read(Self.written { $0.append(value) }) { reader throws(LiveError) in try reader.number(below: limit) }
                .value
        }
        #expect(number(4, below: 5) == 4 && number(5, below: 5) == nil)
        func signed(_ value: Int64, _ bound: Int64) -> Int64? {
            Self.read(Self.written { $0.append(signed: value) }) { reader throws(LiveError) in
                try reader.signed(within: bound)
            }.value
        }
        #expect([-6, -5, 5, 6].map { signed($0, 5) } == [nil, -5, 5, nil])
        func length(_ value: Int64, _ bound: Int64) -> Int64? {
            Self.read(Self.written { $0.append(signed: value) }) { reader throws(LiveError) in
                try reader.length(within: bound)
            }.value
        }
        #expect([-1, 0, 5, 6].map { length($0, 5) } == [nil, 0, 5, nil])
        func count(_ value: UInt64, _ limit: Int) -> Int? {
            Self.read(Self.written { $0.append(value) }) { reader throws(LiveError) in try reader.count(atMost: limit) }
                .value
        }
        #expect([0, 5, 6, .max].map { count($0, 5) } == [0, 5, nil, nil] && count(.max, .max) == nil)
        func flag(_ value: UInt8) -> Bool? {
            Self.read([value]) { reader throws(LiveError) in try reader.flag() }.value
        }
        #expect([0, 1, 2].map(flag) == [false, true, nil])
        func there(_ bytes: [UInt8]) -> Int64?? {
            Self.read(bytes) { reader throws(LiveError) in try reader.ifThere(within: 2) }.value
        }
        #expect(
            there([0]) == .some(nil) && there([1, 4]) == 2 && there([1, 6]) == Int64??.none
                && there([2]) == Int64??.none)
    }

    @Test func textsAndHashes() {
        #expect(Self.written { writer in "abc".withView { writer.append($0) } } == [3, 0x61, 0x62, 0x63])
        func text(_ bytes: [UInt8], _ limit: Int) -> (value: [UInt8]?, offset: Int) {
            Self.read(bytes) { reader throws(LiveError) in Array(try reader.text(atMost: limit)) }
        }
        #expect(text([2, 7, 8, 9], 2) == ([7, 8], 3))
        #expect(text([2, 7, 8], 1) == (nil, 1) && text([2, 7], 9) == (nil, 1) && text([0], 0) == ([], 1))
        let identity = Self.read([1, 2, 3, 4]) { reader throws(LiveError) in try reader.identity() }
        #expect(identity == (0x0403_0201, 4))
        let torn = Self.read([1, 2, 3]) { reader throws(LiveError) in try reader.identity() }
        #expect(torn == (nil, 3))
        let byte = Self.read([9]) { reader throws(LiveError) in try reader.byte() }
        #expect(byte == (9, 1) && Self.read([]) { reader throws(LiveError) in try reader.byte() } == (nil, 0))
    }
}
