internal import ByteScan

#if !hasFeature(Embedded)
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension SegmentBoundaries {
    /// A segment every `step`, up to `end`; nil if one of them is not above 0, or no whole number of nanoseconds.
    ///
    ///     SegmentBoundaries(every: .seconds(6))
    public init?(every step: Duration, until end: Duration? = nil) {
        guard let step = step.exactNanoseconds else { return nil }
        guard let end else {
            self.init(every: step)
            return
        }
        guard let end = end.exactNanoseconds else { return nil }
        self.init(every: step, until: end)
    }
}
#endif
