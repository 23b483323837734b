/// Where an attribute stands in a playlist.
struct AttributeRange: Equatable {
    let name: Range<Int>
    /// The value, its quotes among it.
    let value: Range<Int>

    /// A number that differs where a range does.
    @inline(__always)
    static func digest(_ name: Range<Int>, _ value: Range<Int>) -> UInt64 {
        let places = UInt64(truncatingIfNeeded: name.lowerBound) ^ UInt64(truncatingIfNeeded: name.upperBound) << 16
        let others = UInt64(truncatingIfNeeded: value.lowerBound) ^ UInt64(truncatingIfNeeded: value.upperBound) << 16
        return places &+ others << 20
    }
}
