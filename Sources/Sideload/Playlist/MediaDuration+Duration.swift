internal import ByteScan

#if !hasFeature(Embedded)
extension MediaDuration {
    /// Exactly `duration`; nil if that is below 0, has a fraction of a nanosecond, or is longer than 584 years.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public init?(_ duration: Duration) {
        guard let nanoseconds = duration.exactNanoseconds else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
#endif
