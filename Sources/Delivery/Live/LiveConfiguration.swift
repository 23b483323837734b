internal import ByteScan
public import WebVTT

/// What cue time 0 is, beside a live stream.
public enum LiveAnchor: Equatable, Sendable {
    /// This date, in nanoseconds after the beginning of 1970 in UTC: that of EXT-X-PROGRAM-DATE-TIME.
    case date(Int64)
    /// The beginning of the segment with this media sequence number.
    case segment(UInt64)
    /// The time stamp 0 of the video's own clock: the cues were timed by whoever read the stream.
    case media
    /// The beginning of the first version that comes, for cues that are shown from when they come.
    case firstVersion
    /// Segment 0, if the first version is of an EVENT playlist that begins there; else nobody knows.
    case automatic
}

/// How a rendition stands beside a live stream.
public struct LiveConfiguration: Equatable, Sendable {
    /// What becomes of low latency (8216bis 4.4.3.8, 6.2.5).
    public enum LowLatency: UInt8, Sendable {
        /// The rendition has the video's parts, with its delivery directives.
        case mirror
        /// The rendition is plain; so must be the video's playlists.
        case strip
    }

    /// What cue time 0 is.
    public var anchor: LiveAnchor

    /// Which X-TIMESTAMP-MAP segments get: what the video's segments tell, none, or one that is known to hold for all
    /// of the stream.
    public var map: TimestampMapChoice

    /// What becomes of low latency.
    public var lowLatency: LowLatency

    /// How many of the last segments players are told of later, as long as the stream goes on: cues that come late are
    /// in time then. The video's own playlists have to be held back as far (``VideoPlaylistEdits``), and low latency is
    /// no more.
    public var heldBack: Int

    /// How much a channel holds and takes.
    public var limits: LiveLimits

    /// A configuration.
    public init(
        anchor: LiveAnchor = .automatic, map: TimestampMapChoice = .auto, lowLatency: LowLatency = .mirror,
        heldBack: Int = 0, limits: LiveLimits = LiveLimits()
    ) {
        self.anchor = anchor
        self.map = map
        self.lowLatency = lowLatency
        self.heldBack = max(heldBack, 0)
        self.limits = limits
    }

    /// Whether the rendition has the video's parts.
    var mirrorsParts: Bool { lowLatency == .mirror && heldBack == 0 }
}

extension LiveConfiguration {
    /// A number that is another if a channel may answer otherwise.
    var fingerprint: UInt64 {
        var fingerprint = Fingerprint(of: "live", version: 1)
        switch anchor {
        case .date(let date):
            fingerprint.add(0)
            fingerprint.add(UInt64(bitPattern: date))
        case .segment(let number):
            fingerprint.add(1)
            fingerprint.add(number)
        case .media: fingerprint.add(2)
        case .firstVersion: fingerprint.add(3)
        case .automatic: fingerprint.add(4)
        }
        switch map {
        case .auto: fingerprint.add(0)
        case .none: fingerprint.add(1)
        case .given(let map):
            fingerprint.add(2)
            fingerprint.add(map.headerLine)
        }
        fingerprint.add(lowLatency == .mirror)
        fingerprint.add(UInt64(heldBack))
        return fingerprint.value
    }
}
