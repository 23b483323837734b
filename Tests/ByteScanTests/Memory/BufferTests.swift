import CByteScan
import Support
import Testing

@testable import ByteScan

@Suite struct BufferTests {
    static func check(_ buffer: borrowing ReusableBuffer<UInt8>, _ model: [UInt8]) {
        let (bytes, count, isEmpty) = (Array(buffer.view), buffer.count, buffer.isEmpty)
        #expect(bytes == model)
        #expect(count == model.count)
        #expect(isEmpty == model.isEmpty)
    }

    @Test func growsAndKeepsWhatItHas() {
        var buffer = ReusableBuffer<UInt8>()
        Self.check(buffer, [])
        var model: [UInt8] = []
        var generator = SeededGenerator(seed: 9)
        for round in 0..<500 {
            switch round % 7 {
            case 0, 1:
                buffer.append(UInt8(truncatingIfNeeded: round))
                model.append(UInt8(truncatingIfNeeded: round))
            case 2, 3:
                let bytes = (0..<Int.random(in: 0...70, using: &generator)).map { UInt8($0) }
                bytes.withUnsafeBytes { buffer.append(ByteView($0)) }
                model += bytes
            case 4:
                buffer.append(contentsOf: "é\0".utf8)
                model += Array("é\0".utf8)
            case 5:
                let count = model.count * 3 / 4
                buffer.truncate(to: count)
                model.removeLast(model.count - count)
            default:
                if !model.isEmpty {
                    buffer[model.count - 1] = 0xEE
                    model[model.count - 1] = 0xEE
                }
            }
            Self.check(buffer, model)
        }
        buffer.removeAll()
        Self.check(buffer, [])
    }

    /// There is room for 16 at first, for twice as many each time, and at once for all that come.
    @Test(arguments: [(1, 16), (16, 16), (17, 32), (33, 64), (64, 64), (65, 128)])
    func roomGrowsTwofold(_ count: Int, _ room: Int) {
        var one = ReusableBuffer<UInt8>()
        var all = ReusableBuffer<UInt8>()
        for number in 0..<count { one.append(UInt8(number)) }
        #expect(one.room == room)
        let bytes = (0..<count).map { UInt8($0) }
        bytes.withView { all.append($0) }
        #expect(all.room == max(count, 16))
        // Only what has no room moves: bytes that fit exactly stay where they are.
        let place = all.place
        all.truncate(to: count - 1)
        [9].withView { all.append($0) }
        #expect(all.place == place && all.room == max(count, 16))
        Self.check(all, bytes.dropLast() + [9])
    }

    @Test func bytesOfAWordTakeThePlaceOfOthers() {
        var buffer = ReusableBuffer<UInt8>()
        buffer.append(ByteView("abcdefghij"))
        buffer.overwrite(2, with: UInt64(0x3837_3635_3433_3231))
        Self.check(buffer, Array("ab12345678".utf8))
        buffer.overwrite(0, with: UInt16(0x5958))
        buffer.overwrite(9, with: UInt8(0x5A))
        Self.check(buffer, Array("XY1234567Z".utf8))
    }

    @Test(arguments: 0...8) func theFirstBytesAreForgotten(_ count: Int) {
        var buffer = ReusableBuffer<UInt8>()
        buffer.append(ByteView("abcdefgh"))
        buffer.removeFirst(count)
        Self.check(buffer, Array("abcdefgh".utf8.dropFirst(count)))
        buffer.append(ByteView("i"))
        Self.check(buffer, Array("abcdefghi".utf8.dropFirst(count)))
    }

    @Test func nothingIsForgottenOfNothing() {
        var buffer = ReusableBuffer<UInt8>()
        buffer.removeFirst(0)
        buffer.truncate(to: 0)
        buffer.move(0..<0, to: 0)
        buffer.append(ByteView())
        Self.check(buffer, [])
        #expect(buffer.room == 0)
    }

    /// What is added of sequences of any kind.
    @Test func sequencesAreAdded() {
        var buffer = ReusableBuffer<UInt8>()
        buffer.append(contentsOf: [1, 2])
        buffer.append(contentsOf: stride(from: UInt8(3), through: 5, by: 1))
        buffer.append(contentsOf: [UInt8]())
        Self.check(buffer, [1, 2, 3, 4, 5])
    }

    /// A line that fills the memory is measured with room for zeros after it, and stays as it is.
    @Test(arguments: [15, 16, 63, 64, 65, 200]) func aLineIsMeasuredWhereItLies(_ count: Int) {
        for feed in [nil, 0, count / 2, count - 1] {
            var line = [UInt8](repeating: 0x61, count: count)
            if let feed { line[feed] = 0x0A }
            var buffer = ReusableBuffer<UInt8>()
            line.withView { buffer.append($0) }
            let measured = buffer.measureLine(lookingFor: .none)
            #expect((measured.ends == 0 ? nil : measured.offset + measured.ends.trailingZeroBitCount) == feed)
            #expect(!measured.hasOddQuotes && buffer.room >= count + Int(bytescan_tail_padding))
            Self.check(buffer, line)
            // Once there is room, it is used again.
            let (place, room) = (buffer.place, buffer.room)
            _ = buffer.measureLine(lookingFor: .none)
            #expect(buffer.place == place && buffer.room == room)
        }
    }

    private struct Refused: Error, Equatable {}

    /// What an optional keeps, whether the change is whole or fails in the middle.
    @Test func anOptionalIsChangedInPlace() throws {
        var value: Int? = 1
        value.use { $0 += 1 }
        #expect(value == 2)
        #expect(throws: Refused()) {
            try value.use { value throws(Refused) in
                value += 1
                throw Refused()
            }
        }
        #expect(value == 3)
        value = nil
        value.use { $0 += 1 }
        #expect(value == nil)
    }

    @Test func otherElements() {
        var buffer = ReusableBuffer<Int>()
        for number in 0..<100 { buffer.append(number) }
        let count = buffer.count
        #expect(count == 100)
        for index in 0..<count {
            let element = buffer[index]
            #expect(element == index)
        }
        buffer.truncate(to: 3)
        #expect(Array(buffer.elements) == [0, 1, 2])
        buffer.removeAll()
        #expect(buffer.elements.isEmpty)
    }

    @Test func emptyingKeepsTheRoom() {
        var buffer = ReusableBuffer<UInt8>()
        buffer.append(contentsOf: [UInt8](repeating: 1, count: 1000))
        let address = buffer.view.buffer.baseAddress
        for _ in 0..<10 {
            buffer.removeAll()
            buffer.append(contentsOf: [UInt8](repeating: 2, count: 1000))
            let now = buffer.view.buffer.baseAddress
            #expect(now == address)
        }
    }

    @Test func stableBytesAreACopy() {
        var bytes = Array("abc".utf8)
        let stable = StableBytes(bytes)
        bytes[0] = 0
        #expect(stable.view == "abc")
        #expect(StableBytes([]).view.isEmpty)
        let (view, empty) = (bytes.withView { StableBytes($0) }, StableBytes(ByteView()))
        bytes[1] = 0
        #expect(Array(view.view) == [0, 0x62, 0x63] && empty.view.isEmpty)
    }

    @Test func digits() {
        for byte in UInt8.min...UInt8.max {
            let expected = (0x30...0x39).contains(byte) ? byte - 0x30 : nil
            #expect(ASCII.digit(byte) == expected)
        }
    }

    @Test func anElementBehindTheLastTraps() async {
        await #expect(processExitsWith: .failure) {
            var buffer = ReusableBuffer<UInt8>()
            buffer.append(1)
            buffer.removeAll()
            _ = buffer[0]
        }
    }

    @Test func bytesMoveWithinTheBuffer() {
        for start in 0...8 {
            for end in start...8 {
                for target in 0...(8 - (end - start)) {
                    var buffer = ReusableBuffer<UInt8>()
                    buffer.append(ByteView("abcdefgh"))
                    buffer.move(start..<end, to: target)
                    var expected = Array("abcdefgh".utf8)
                    expected.replaceSubrange(target..<(target + end - start), with: Array("abcdefgh".utf8)[start..<end])
                    #expect(Array(buffer.view) == expected)
                }
            }
        }
    }

    /// Offsets outside of what is kept.
    enum Misuse: Int, CaseIterable {
        case element, before, truncated, truncatedBelow, first, firstBelow, overwritten, overwrittenBelow
        case moved, movedPast, movedBelow, movedFromPast
    }

    @Test(arguments: Misuse.allCases.map(\.rawValue)) func misuseTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            var buffer = ReusableBuffer<UInt8>()
            buffer.append(ByteView("abcd"))
            switch Misuse(rawValue: number) {
            case .element: buffer[4] = 0
            case .before: buffer[-1] = 0
            case .truncated: buffer.truncate(to: 5)
            case .truncatedBelow: buffer.truncate(to: -1)
            case .first: buffer.removeFirst(5)
            case .firstBelow: buffer.removeFirst(-1)
            case .overwritten: buffer.overwrite(3, with: UInt16(0))
            case .overwrittenBelow: buffer.overwrite(-1, with: UInt16(0))
            case .moved: buffer.move(0..<2, to: 3)
            case .movedPast: buffer.move(3..<5, to: 0)
            case .movedBelow: buffer.move(0..<2, to: -1)
            case .movedFromPast: buffer.move(-1..<2, to: 0)
            case nil: break
            }
        }
    }
}

extension ReusableBuffer {
    /// How many elements there is room for, and where.
    fileprivate var room: Int { memory.count }
    fileprivate var place: UnsafeMutablePointer<Element>? { memory.baseAddress }
}
