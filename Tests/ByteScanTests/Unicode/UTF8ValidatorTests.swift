import Support
import Testing

@testable import ByteScan

@Suite struct UTF8ValidatorTests {
    /// Characters of every length, at both ends of what a length can hold, and next to the surrogates.
    private static let characters = [
        "a", "\0", "\u{7F}", "\u{80}", "é", "\u{7FF}", "\u{800}", "字", "\u{D7FF}", "\u{E000}", "\u{FFFF}",
        "\u{10000}", "🎬", "\u{10FFFF}",
    ]

    /// Bytes that are no character, or none of those that may come next.
    private static let faults: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0xE0, 0x9F, 0xBF], [0xE0, 0x80, 0x80],
        [0xE5, 0xAD], [0xE5, 0x41, 0x97], [0xE5, 0xAD, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x8E], [0xFE],
        [0xFF], [0xE5, 0xC3, 0xA9],
    ]

    /// How many bytes at the beginning are characters, says the standard library.
    private static func validCount(of bytes: [UInt8]) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var count = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
        return count
    }

    @Test(arguments: characters)
    func findsEveryFaultInEveryPlace(_ character: String) {
        for fault in Self.faults {
            for before in [0, 1, 2, 3, 7, 21, 30] {
                for after in [0, 1, 2, 5, 30] {
                    let text = [String](repeating: character, count: before).joined()
                    let rest = [String](repeating: character, count: after).joined()
                    let bytes = Array(text.utf8) + fault + Array(rest.utf8)
                    check(bytes)
                }
            }
        }
    }

    @Test(arguments: 0..<40)
    func agreesOnRandomText(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                bytes += Self.characters[Int.random(in: 0..<Self.characters.count, using: &generator)].utf8
                if Int.random(in: 0..<200, using: &generator) == 0 {
                    bytes += Self.faults[Int.random(in: 0..<Self.faults.count, using: &generator)]
                }
            }
            check(bytes)
        }
    }

    /// Every first and second byte, at both ends of what may follow, alone and with enough after it for words of eight.
    @Test func everyBeginning() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for (third, padding) in [(0x80, 0), (0xBF, 8), (0xC0, 8)] as [(UInt8, Int)] {
                    let bytes = [first, second, third, third] + [UInt8](repeating: 0x61, count: padding)
                    let count = bytes.withView(\.validUTF8Count)
                    if count != Self.validCount(of: bytes) { Issue.record("\(bytes): \(count)") }
                }
            }
        }
    }

    /// ASCII over several blocks, with something else in each place.
    @Test(arguments: [64, 65, 127, 128, 129, 200, 256]) func runsOfASCII(_ count: Int) {
        let ascii = [UInt8](repeating: 0x7F, count: count)
        #expect(ascii.withView(\.validUTF8Count) == count)
        for place in 0..<count {
            for (part, isCharacter) in [([0x80], false), ([0xC3, 0xA9], true), ([0xFF], false)] as [([UInt8], Bool)] {
                let bytes = GuardedBytes(ascii[..<place] + part + ascii[place...])
                let found = ByteView(bytes.buffer).validUTF8Count
                if found != (isCharacter ? count + 2 : place) { Issue.record("\(part) at \(place): \(found)") }
            }
        }
    }

    /// Chunk by chunk, what is known after each: where the last whole character ends, how many bytes are missing.
    @Test(
        arguments: [
            ([[0x61]], [1], 0, false), ([[]], [0], 0, false), ([[0xC3]], [0], 1, false), ([[0xE5]], [0], 2, false),
            ([[0x61, 0xF0]], [1], 3, false), ([[0xC3], [0xA9]], [0, 1], 0, false),
            ([[0xE5], [0xAD], [0x97, 0x61]], [0, -1, 2], 0, false),
            ([[0xF0, 0x9F], [0x8E], [], [0xAC], [0x61]], [0, -2, -3, 1, 1], 0, false),
            ([[0xE5, 0xAD], [0x41]], [0, -2], 1, true), ([[0xC3], [0xC3]], [0, -1], 1, true),
            ([[0x61, 0x80]], [1], 0, true), ([[0xF0, 0x9F, 0x8E], [0xAC, 0xFF]], [0, 1], 0, true),
            ([[0xED], [0xA0]], [0, -1], 2, true), ([[0xE0], [0xA0], [0x9F]], [0, -1, 1], 0, false),
        ] as [([[UInt8]], [Int], Int, Bool)])
    func progress(_ chunks: [[UInt8]], _ ends: [Int], _ missing: Int, _ isMalformed: Bool) {
        var validator = UTF8Validator()
        let progress = chunks.map { $0.withView { validator.scan($0) } }
        #expect(progress.map(\.end) == ends && validator.missingCount == missing)
        #expect(progress.map(\.isMalformed) == chunks.indices.map { isMalformed && $0 == chunks.count - 1 })
    }

    /// The first character, or what one U+FFFD replaces.
    @Test(
        arguments: [
            ([0x61, 0x62], 1, true), ([0xC3, 0xA9, 0x61], 2, true), ([0xE5, 0xAD, 0x97], 3, true),
            ([0xF0, 0x9F, 0x8E, 0xAC, 0x80], 4, true), ([0xC3], 1, false), ([0xC3, 0x41], 1, false),
            ([0xE5, 0xAD], 2, false), ([0xE5, 0xAD, 0x41], 2, false), ([0xF0, 0x9F, 0x8E, 0xC3], 3, false),
            ([0x80, 0x80], 1, false), ([0xE0, 0x80, 0x80], 1, false), ([], 1, false),
        ] as [([UInt8], Int, Bool)])
    func firstCharacters(_ bytes: [UInt8], _ count: Int, _ isWhole: Bool) {
        let character = bytes.withView(\.firstCharacter)
        #expect(character.count == count && character.isWhole == isWhole)
    }

    /// In one piece and in pieces of every small size.
    private func check(_ bytes: [UInt8]) {
        let expected = Self.validCount(of: bytes)
        let guarded = GuardedBytes(bytes)
        defer { withExtendedLifetime(guarded) {} }
        #expect(ByteView(guarded.buffer).validUTF8Count == expected)
        for size in [1, 3, 8, 64] {
            var validator = UTF8Validator()
            var end = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                let chunk = UnsafeRawBufferPointer(rebasing: guarded.buffer[start..<min(start + size, bytes.count)])
                let progress = validator.scan(ByteView(chunk))
                end = start + progress.end
                if progress.isMalformed { break }
            }
            #expect(end == expected, "in pieces of \(size): \(bytes)")
        }
    }
}
