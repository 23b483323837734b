import ByteScan
import Support
import Testing

/// Searches against loops, at every length up to three blocks and a bit, against both guard pages.
@Suite struct SearchTests {
    static let lengths = 0...200

    static func firstOffset(of byte: UInt8, in text: [UInt8], from start: Int) -> Int? {
        text.indices.first { $0 >= start && text[$0] == byte }
    }

    static func lastOffset(of byte: UInt8, in text: [UInt8], before end: Int) -> Int? {
        text.indices.last { $0 < end && text[$0] == byte }
    }

    static func firstOffset(of needle: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard text.count - needle.count >= start else { return nil }
        return (start...(text.count - needle.count)).first { text[$0...].starts(with: needle) }
    }

    @Test func oneByteInEveryPlace() {
        for count in Self.lengths {
            var text = [UInt8](repeating: 0x61, count: count)
            for place in 0..<count {
                text[place] = 0x0A
                text.withUnsafeBytes { buffer in
                    let view = ByteView(buffer)
                    let found = [view.firstOffset(of: 0x0A), view.lastOffset(of: 0x0A, before: count)]
                    if found != [place, place] { Issue.record("\(found) for \(place) of \(count)") }
                }
                text[place] = 0x61
            }
        }
    }

    @Test func manyBytesFromEveryPlace() {
        var generator = SeededGenerator(seed: 7)
        for count in Array(Self.lengths).filter({ $0 < 10 || $0 % 9 < 3 }) {
            // Zero is what a partial block is filled up with, so it must not be found there.
            let choices: [UInt8] = [0x00, 0x0A, 0x61, 0x61, 0x61]
            let text = (0..<count).map { _ in choices[Int.random(in: 0..<choices.count, using: &generator)] }
            let guarded = GuardedBytes(text)
            for buffer in [guarded.buffer, guarded.leadingBuffer] {
                let view = ByteView(buffer)
                for byte: UInt8 in [0x00, 0x0A, 0xFF] {
                    for place in 0...count {
                        let first = view.firstOffset(of: byte, from: place)
                        let last = view.lastOffset(of: byte, before: place)
                        if first != Self.firstOffset(of: byte, in: text, from: place) {
                            Issue.record("first \(byte) from \(place) of \(count)")
                        }
                        if last != Self.lastOffset(of: byte, in: text, before: place) {
                            Issue.record("last \(byte) before \(place) of \(count)")
                        }
                    }
                }
            }
        }
    }

    @Test func everySearchedByte() {
        let text = (0..<256).map { UInt8($0) }
        let guarded = GuardedBytes(text)
        let view = ByteView(guarded.buffer)
        for byte in UInt8.min...UInt8.max {
            #expect(view.firstOffset(of: byte) == Int(byte))
            #expect(view.lastOffset(of: byte, before: 256) == Int(byte))
            #expect(view.firstOffset(of: byte, from: Int(byte) + 1) == nil)
            #expect(view.lastOffset(of: byte, before: Int(byte)) == nil)
        }
    }

    @Test(arguments: ["S", "\0", "\0\0", "SUBTITLES", "aab", "-->", "AAAA", "\n#EXT-X-STREAM-INF:"])
    func aNeedleInEveryPlace(needle string: String) throws {
        let bytes = Array(string.utf8)
        let needle = try #require(Needle(bytes))
        #expect(needle.count == bytes.count)
        #expect(Array(needle.bytes) == bytes)
        for count in [bytes.count, bytes.count + 1, 64, 65, 128, 200] where count >= bytes.count {
            for place in 0...(count - bytes.count) {
                var text = [UInt8](repeating: bytes[0], count: place) + bytes
                text += [UInt8](repeating: bytes[bytes.count - 1], count: count - text.count)
                let guarded = GuardedBytes(text)
                for buffer in [guarded.buffer, guarded.leadingBuffer] {
                    let view = ByteView(buffer)
                    for start in Set([0, place, place + 1, count]) {
                        let expected = Self.firstOffset(of: bytes, in: text, from: start)
                        if view.firstOffset(of: needle, from: start) != expected {
                            Issue.record("at \(place) of \(count), from \(start)")
                        }
                    }
                }
            }
        }
    }

    @Test func needlesInRandomText() throws {
        var generator = SeededGenerator(seed: 8)
        func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0x41...0x42, using: &generator) }
        }
        for round in 0..<400 {
            let bytes = random(1 + round % 9)
            let needle = try #require(Needle(bytes))
            let text = random(round % 201)
            let guarded = GuardedBytes(text)
            #expect(
                ByteView(guarded.buffer).firstOffset(of: needle) == Self.firstOffset(of: bytes, in: text, from: 0),
                "\(bytes) in \(text)")
        }
    }

    @Test func anEmptyNeedleIsNone() {
        #expect(Needle([]) == nil)
    }
}
