import Support
import Testing

@testable import ByteScan

/// Characters that some reader takes for the end of a line, or that no playlist may have.
@Suite struct ControlCharacterTests {
    /// Byte by byte: C0 and DEL, C1 in two bytes, U+2028 and U+2029 in three.
    static func naive(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { (index: Int) -> Bool in
            let rest = bytes[index...]
            return rest[index] < 0x20 || rest[index] == 0x7F
                || (0x80...0x9F).contains { rest.starts(with: [0xC2, $0]) }
                || (0xA8...0xA9).contains { rest.starts(with: [0xE2, 0x80, $0]) }
        }
    }

    static func answers(_ bytes: [UInt8]) -> Set<Bool> {
        let guarded = GuardedBytes(bytes)
        defer { withExtendedLifetime(guarded) {} }
        return [ByteView(guarded.buffer).hasControlCharacter, ByteView(guarded.leadingBuffer).hasControlCharacter]
    }

    /// Every byte alone, and the neighbours of what is looked for, at every place of a word and cut anywhere.
    @Test func atEveryPlace() {
        let parts: [[UInt8]] =
            (0...255).map { [$0] } + (0x7E...0xA1).map { [0xC2, $0] } + (0xA6...0xAB).map { [0xE2, 0x80, $0] }
            + [[0xE2, 0x81, 0xA8], [0xE2, 0x7E, 0xA9], [0xC3, 0x85], [0xE2, 0x80], [0xE2]]
        for part in parts {
            for before in 0...9 {
                for after in [0, 1, 2, 7, 8, 9] {
                    let filler: (Int) -> [UInt8] = { count in [UInt8](repeating: 0x7E, count: count) }
                    let bytes = filler(before) + part + filler(after)
                    let expected = Self.naive(bytes)
                    #expect(Self.answers(bytes) == [expected], "\(part) after \(before), before \(after)")
                }
            }
        }
        #expect(Self.answers([]) == [false])
    }

    @Test func inRandomBytes() {
        var generator = SeededGenerator(seed: 31)
        let choices: [UInt8] = [0x20, 0x41, 0x7E, 0x7E, 0x7E, 0xC2, 0xE2, 0x80, 0xA0, 0xA8, 0xC3]
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                choices.randomElement(using: &generator) ?? 0
            }
            #expect(Self.answers(bytes) == [Self.naive(bytes)], "\(bytes)")
        }
    }
}
