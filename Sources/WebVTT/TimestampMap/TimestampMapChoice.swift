public import ByteScan

/// Which X-TIMESTAMP-MAP files of cues get: `auto`, `none` or `MPEGTS[:LOCAL]`.
public enum TimestampMapChoice: Equatable, Sendable {
    /// What the first segment of the video tells; a file's own counts more.
    case auto
    /// None that the file has not.
    case none
    /// This one, instead of the file's own.
    case given(TimestampMap)

    /// The choice that `text` is.
    public init(spelling text: ByteView) throws(TimestampMapFault) {
        switch text {
        case "auto": self = .auto
        case "none": self = .none
        default: self = .given(try TimestampMap(spelling: text))
        }
    }
}

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
        guard let ticks = UInt64(decimal: digits), ticks < 1 << 33 else { throw .ticks }
        guard let colon else {
            self.init(mpegTS: ticks)
            return
        }
        guard let local = Timestamp(whole: text.suffix(from: colon + 1)) else { throw .local }
        self.init(mpegTS: ticks, local: local)
    }
}
