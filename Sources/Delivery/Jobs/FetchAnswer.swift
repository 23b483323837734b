public import M3U8
public import Sideload
public import WebVTT

/// What a job has found out or brought.
public enum FetchAnswer: Equatable, Sendable {
    /// The track's file is there.
    case present
    /// How long the track lasts.
    case duration(FetchedDuration)
    /// A track's file as WebVTT.
    case text(FetchedText)
    /// A track's playlist.
    case playlist(FetchedPlaylist)
    /// The first time stamp of a video.
    case mediaStart(FetchedMediaStart)
    /// A key.
    case key([UInt8])
}

/// How long a track lasts.
public struct FetchedDuration: Equatable, Sendable {
    /// Where a duration comes from.
    public enum Source: UInt8, Sendable {
        /// The track says it.
        case track
        /// The last cues of its file, of which the latest end counts; earlier ones might end later.
        case tail
        /// All cues of its file, of which the latest end counts.
        case file
        /// Its playlist: the sum of all EXTINF.
        case playlist
    }

    /// The duration, above zero.
    public let duration: MediaDuration

    /// Where it comes from.
    public let source: Source

    /// When the final cue of the file ends; nil if none was looked at.
    public let finalCueEnd: Timestamp?
}

/// A track's file as WebVTT.
public struct FetchedText: Equatable, Sendable {
    /// The whole file.
    public let bytes: [UInt8]

    /// Whether it has been made of SubRip.
    public let isConverted: Bool

    /// The map that is in the file; nil if none is.
    public let map: TimestampMap?

    /// Whether they mean something else than those that came: a map of zero is what a file without one has.
    public let isChanged: Bool

    /// Why the video has told no map; nil if it was not asked, or has told one.
    public let mapFailure: FetchError?
}

/// A track's playlist.
public struct FetchedPlaylist: Equatable, Sendable {
    /// The whole playlist, which begins with `#EXTM3U`.
    public let bytes: [UInt8]

    /// Where it came from, after redirects: against this its relative URIs are resolved.
    public let url: [UInt8]
}

/// The first time stamp of a video.
public struct FetchedMediaStart: Equatable, Sendable {
    /// The time stamp, in ticks of 1/90000 s, modulo 2 to the 33rd.
    public let ticks: UInt64

    /// The time of the content at which the segment begins: after 0 if gaps come before it.
    public let start: DecimalSeconds

    /// Whether it will be the same for as long as the video is there: its playlist is complete or has an
    /// EXT-X-PLAYLIST-TYPE, so that its first segment stays the first. False unless ``Fetch/learnsWhatStays`` has
    /// asked.
    public let stays: Bool

    package init(ticks: UInt64, start: DecimalSeconds, stays: Bool = false) {
        (self.ticks, self.start, self.stays) = (ticks, start, stays)
    }

    /// The map by which cues that count from the playlist's beginning are in sync.
    public var map: TimestampMap {
        // A map has milliseconds; what is beyond them goes off the ticks.
        let (milliseconds, rest) = start.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return TimestampMap(
            mpegTS: ticks &- rest * 9 / 100_000, local: Timestamp(milliseconds: Int64(milliseconds)))
    }
}
