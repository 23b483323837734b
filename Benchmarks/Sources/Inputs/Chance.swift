/// Numbers that look random and are the same in every run: SplitMix64.
public struct Chance: RandomNumberGenerator {
    private var state: UInt64

    /// Numbers that `seed` begins.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `range`, spelled out here since the standard library may choose otherwise in another version.
    mutating func number(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True once in `every` times.
    mutating func isOnce(in every: Int) -> Bool { next() % UInt64(every) == 0 }

    /// One of `choices`.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(in: 0..<choices.count)] }
}
