import ByteScan
import Support
import Testing

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

    @Test func otherElements() {
        var buffer = ReusableBuffer<Int>()
        for number in 0..<100 { buffer.append(number) }
        let count = buffer.count
        #expect(count == 100)
        for index in 0..<count {
            let element = buffer[index]
            #expect(element == index)
        }
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
}
