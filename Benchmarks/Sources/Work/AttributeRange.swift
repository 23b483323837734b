/// Where an attribute stands in a playlist, in bytes from its beginning.
struct AttributeRange: Equatable {
    let name: Range<Int>
    /// The value, its quotes among it.
    let value: Range<Int>

    /// A number that differs if a range does.
    var digest: UInt64 {
        @inline(__always) get {
            let nameBounds = name.lowerBound ^ name.upperBound << 16
            let valueBounds = value.lowerBound ^ value.upperBound << 16
            return UInt64(truncatingIfNeeded: nameBounds &+ valueBounds << 20)
        }
    }
}
