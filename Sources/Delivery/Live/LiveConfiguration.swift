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

    /// How many of the last segments players are told of later, as long as the stream goes on: cues that come late are in time then.
    /// The video's own playlists have to be held back as far (``VideoPlaylistEdits``), and low latency is no more.
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

/// How much a channel holds and takes. What is below 1 counts as 1.
public struct LiveLimits: Equatable, Sendable {
    /// The longest playlist in bytes. 4 MiB unless said otherwise.
    public let playlist: Int

    /// The most segments of a playlist. 100 000 unless said otherwise: a week of 6 s each.
    public let segments: Int

    /// The most parts of a playlist. 4096 unless said otherwise.
    public let parts: Int

    /// The most bytes that are kept of lines: durations and dates that are written in unusual ways, tags of the head.
    /// 64 KiB unless said otherwise.
    public let text: Int

    /// The most bytes of a saved state. 4 MiB unless said otherwise.
    public let state: Int

    /// Limits with the documented defaults.
    public init(
        playlist: Int = 4 << 20, segments: Int = 100_000, parts: Int = 4096, text: Int = 64 << 10, state: Int = 4 << 20
    ) {
        self.playlist = max(playlist, 1)
        self.segments = max(segments, 1)
        self.parts = max(parts, 1)
        self.text = max(text, 1)
        self.state = max(state, 1)
    }
}
