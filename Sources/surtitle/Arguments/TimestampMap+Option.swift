internal import ByteScan
internal import WebVTT

extension TimestampMap {
    /// Parses the value of `option`: `MPEGTS`, or `MPEGTS:LOCAL` with a cue time as WebVTT writes it.
    ///
    ///     126000                  the media's tick 126000 (1.4 s) is the cues' time 0
    ///     900000:00:00:10.000     its tick 900000 is their 10 s
    init(option: String, _ text: String) throws(Failure) {
        let parts = text.cut(at: ":")
        let digits = parts?.before ?? text
        guard digits.utf8.allSatisfy({ ASCII.digit($0) != nil }), let ticks = UInt64(digits), ticks < 1 << 33 else {
            throw .usage(
                "\(option) is \(text), which begins with no number of 90 kHz ticks below 2 to the 33rd; write "
                    + "auto, none or MPEGTS[:LOCAL], like 126000 or 900000:00:00:10.000")
        }
        guard let time = parts?.after else {
            self.init(mpegTS: ticks)
            return
        }
        guard let local = unsafe Array(time.utf8).withUnsafeBytes({ unsafe Timestamp(whole: ByteView($0)) }) else {
            throw .usage("\(option) is \(text), in which no time like 00:00:10.000 follows the first colon")
        }
        self.init(mpegTS: ticks, local: local)
    }
}
