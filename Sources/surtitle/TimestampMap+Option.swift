internal import ByteScan
internal import WebVTT

extension TimestampMap {
    /// The map that the value of an option spells: `MPEGTS` or `MPEGTS:LOCAL`, as in `126000` or `126000:00:00:01.000`.
    init(option: String, _ text: String) throws(Failure) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let digits = parts.first, digits.utf8.allSatisfy({ ASCII.digit($0) != nil }), let ticks = UInt64(digits)
        else {
            throw .usage("\(option) is \(text), which does not begin with a number of ticks of 90 kHz, like 126000")
        }
        var local = Timestamp(milliseconds: 0)
        if parts.count > 1 {
            let time = unsafe Array(parts[1].utf8).withUnsafeBytes { unsafe Timestamp(whole: ByteView($0)) }
            guard let time else {
                throw .usage("\(option) is \(text), whose LOCAL is no time like 00:00:01.000")
            }
            local = time
        }
        self.init(mpegTS: ticks, local: local)
    }
}
