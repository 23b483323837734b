public import ByteScan
public import WebVTT

/// What of a timestamp map's spelling is wrong.
public enum TimestampMapFault: Error, Equatable, Sendable {
    /// It begins with no number below 2 to the 33rd.
    case ticks
    /// No cue time follows the first colon.
    case local
}

extension TimestampMap {
    /// The map that `text` is: `MPEGTS`, or `MPEGTS:LOCAL` with a cue time as WebVTT writes it.
    ///
    ///     126000                  the media's tick 126000 (1.4 s) is the cues' time 0
    ///     900000:00:00:10.000     its tick 900000 is their 10 s
    public init(spelling text: ByteView) throws(TimestampMapFault) {
        let colon = text.firstOffset(of: ASCII.colon)
        let digits = text.prefix(upTo: colon ?? text.count)
        var ticks: UInt64 = 0
        for byte in digits {
            guard let digit = ASCII.digit(byte), ticks < 1 << 33 else { throw .ticks }
            ticks = ticks * 10 + UInt64(digit)
        }
        guard !digits.isEmpty, ticks < 1 << 33 else { throw .ticks }
        guard let colon else {
            self.init(mpegTS: ticks)
            return
        }
        guard let local = Timestamp(whole: text.suffix(from: colon + 1)) else { throw .local }
        self.init(mpegTS: ticks, local: local)
    }
}
