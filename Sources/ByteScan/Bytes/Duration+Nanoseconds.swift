#if !hasFeature(Embedded)
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension Duration {
    /// The duration in nanoseconds; nil if it is below 0, has a fraction of one, or does not fit.
    package var exactNanoseconds: UInt64? {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0, attoseconds % 1_000_000_000 == 0 else { return nil }
        return UInt64(seconds).times(1_000_000_000, plus: UInt64(attoseconds / 1_000_000_000))
    }
}
#endif
