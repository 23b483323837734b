import Support

/// Reads decisions from the first bytes of an input, one after the other; after the last byte all are zero.
public struct Choices {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { self.bytes = ArraySlice(bytes) }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// A number from 0 to `largest`, at most 65,535; only those above 255 need two bytes.
    mutating func number(upTo largest: Int) -> Int {
        let value = largest > 255 ? Int(byte()) << 8 | Int(byte()) : Int(byte())
        return value % (largest + 1)
    }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// Whether to do something expensive: once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool { Int(byte()) % count == count - 1 }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[Int(byte()) % choices.count] }

    /// The default for the first half of all bytes, else 1 to 128.
    mutating func limit(orDefault standard: Int) -> Int {
        let byte = Int(byte())
        return byte < 128 ? standard : byte - 127
    }

    /// A limit of lines: one that does not matter, a small one, or as many bytes as a line of `text` has, or one less.
    mutating func lineLimit(for text: [UInt8]) -> Int {
        let byte = Int(byte())
        if byte < 128 { return 64 << 10 }
        let lines = NaivePlaylist.lines(of: text)
        if byte < 192 || lines.isEmpty { return byte - 127 }
        return max(lines[(byte - 192) / 2 % lines.count].content.count - byte % 2, 1)
    }

    /// A way to cut `count` bytes: in two, evenly, or at random, empty chunks among them.
    mutating func split(of count: Int) -> [Range<Int>] {
        let kind = byte()
        let size = number(upTo: 65_535)
        switch kind % 4 {
        case 0:
            let cut = size % (count + 1)
            return [0..<cut, cut..<count]
        case 1: return Splits.even(of: count, size: size % 256 + 1)
        case 2: return [0..<0] + Splits.even(of: count, size: 64 + size % 3)
        default: return Self.randomSplit(of: count, seed: UInt64(kind) << 16 | UInt64(size))
        }
    }

    private static func randomSplit(of count: Int, seed: UInt64) -> [Range<Int>] {
        var generator = SeededGenerator(seed: seed)
        let largest = [2, 9, 70, 300][Int(seed % 4)]
        var ranges: [Range<Int>] = []
        var start = 0
        while start < count {
            let end = min(count, start + Int.random(in: 0...largest, using: &generator))
            ranges.append(start..<end)
            start = end
        }
        return ranges
    }
}
