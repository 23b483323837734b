#if !hasFeature(Embedded)
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension CueShifter {
    /// A shifter by `shift`, later if above 0; nil if that is no whole number of milliseconds, or more than 292 million years.
    ///
    ///     CueShifter(by: .milliseconds(-1400))
    public init?(by shift: Duration, longestLine: Int = 1 << 20) {
        let (seconds, attoseconds) = shift.components
        guard attoseconds % 1_000_000_000_000_000 == 0 else { return nil }
        let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isLonger) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard !isTooLong, !isLonger else { return nil }
        self.init(byMilliseconds: sum, longestLine: longestLine)
    }
}
#endif
