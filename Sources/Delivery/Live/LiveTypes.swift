public import WebVTT

/// What a version of the video's playlist has changed.
public enum LiveChange: Equatable, Sendable {
    /// It is the first.
    case first
    /// Nothing that concerns a rendition.
    case unchanged
    /// These segments are new, or have new parts.
    case advanced(ClosedRange<UInt64>)
    /// It is older than what is known, and counts for nothing.
    case stale
    /// It has nothing in common with what is known, and lower numbers: if the next one goes on from it, the stream has
    /// begun anew. Until then it counts for nothing.
    case suspect
    /// Versions have been missed: these segments were never seen.
    case missed(ClosedRange<UInt64>)
    /// The stream has begun anew.
    case restarted
    /// The stream has ended, and may go on nevertheless.
    case ended
    /// It is a delta update of a version that is not known: a whole one must be fetched.
    case needsFull
}

/// A span of cue time that is a segment or a part of a rendition.
public struct LiveSpan: Equatable, Sendable {
    /// The media sequence number of the segment.
    public let segment: UInt64

    /// The number of the part, from 0; nil for the whole segment.
    public let part: Int?

    /// The span and its map. If nobody knows when the segment is, it is one in which there are no cues.
    public let cues: CueSpan

    /// Whether it is known when the segment is.
    public let isKnown: Bool

    /// How often the stream had begun anew: numbers count anew then.
    package let life: UInt32

    package init(segment: UInt64, part: Int?, cues: CueSpan, isKnown: Bool, life: UInt32) {
        self.segment = segment
        self.part = part
        self.cues = cues
        self.isKnown = isKnown
        self.life = life
    }
}

/// What the name of a segment stands for.
public enum LivePlace: Equatable, Sendable {
    /// This span: the file of cues writes it.
    case span(LiveSpan)
    /// It may be in the next version: the video's playlist is fetched once more.
    case wait(segment: UInt64, part: Int?)
    /// It is known once the time stamp of this segment is, which is among what is wanted.
    case mediaStart(UInt64)
    /// The segment has slid out of the playlist long ago: the answer is 200 with this span, which has no cues.
    case gone(LiveSpan)
    /// The name is none of a channel's, or of a segment far ahead: 404.
    case notOurs
}

/// How the segments of a rendition are named in its playlist.
public struct LiveNames: Equatable, Sendable {
    /// What stands before a segment's name: `en/` makes `en/17.vtt`. It is quotable, and has no line break.
    public let prefix: [UInt8]

    /// How many segments at the end of the video's playlist are left out (rule 24).
    public let lag: Int

    /// Names that begin with `prefix`.
    public init(prefix: [UInt8], lag: Int = 0) {
        self.prefix = prefix
        self.lag = max(lag, 0)
    }
}
