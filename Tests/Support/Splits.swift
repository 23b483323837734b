/// Every way to cut bytes into chunks that a test should try.
public enum Splits {
    /// All cuts into two chunks, one byte at a time, and `random` cuts at random sizes from a fixed seed.
    ///
    /// Each element is a list of ranges that cover `0..<count` in order. Empty chunks are among them.
    public static func all(of count: Int, random: Int = 8) -> [[Range<Int>]] {
        var splits = (0...count).map { [0..<$0, $0..<count] }
        splits.append((0..<count).map { $0..<($0 + 1) })
        return splits + self.random(of: count, times: random)
    }

    /// The split into chunks of `size` bytes, the last one perhaps shorter.
    public static func even(of count: Int, size: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }

    /// `times` splits into chunks of random sizes, the same ones in every run.
    public static func random(of count: Int, times: Int, seed: UInt64 = 1) -> [[Range<Int>]] {
        var generator = SeededGenerator(seed: seed &+ UInt64(count))
        return (0..<times).map { round in
            var ranges: [Range<Int>] = []
            var start = 0
            let largest = [3, 17, 64, 130][round % 4]
            while start < count {
                let end = min(count, start + Int.random(in: 0...largest, using: &generator))
                ranges.append(start..<end)
                start = end
            }
            return ranges
        }
    }
}

/// A small repeatable source of randomness (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// A generator whose values depend on `seed` alone.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
