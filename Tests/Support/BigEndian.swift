extension [UInt8] {
    /// The lowest `count` bytes of `value`, the highest first.
    public static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { place in UInt8(truncatingIfNeeded: value >> (8 * place)) }
    }
}
