public import M3U8
public import Sideload

/// A track as a configuration describes it: what the playlist says of it, and what it is made of.
public struct TrackConfiguration: Sendable {
    /// What the track's URI refers to.
    public enum Source: ConfigurationWord, Sendable {
        /// `vtt`: a WebVTT file, which needs a subtitle playlist.
        case webVTT
        /// `srt`: a SubRip file, which becomes a WebVTT file, and needs a subtitle playlist.
        case subRip
        /// `m3u8`: a subtitle playlist, to which the multivariant playlist refers.
        case playlist

        /// The word.
        public var name: StaticString {
            switch self {
            case .webVTT: "vtt"
            case .subRip: "srt"
            case .playlist: "m3u8"
            }
        }
    }

    /// What the track is for.
    public enum Kind: ConfigurationWord, Sendable {
        /// `subtitles`: those who do not know the language.
        case subtitles
        /// `captions`: those who do not hear; the track is SDH then.
        case captions

        /// The word.
        public var name: StaticString {
            switch self {
            case .subtitles: "subtitles"
            case .captions: "captions"
            }
        }
    }

    /// The track's fields, checked as ``SubtitleTracks`` checks them.
    public var track: SubtitleTrack

    /// What ``SubtitleTrack/uri`` refers to.
    public var source: Source

    /// What the track is for.
    public var kind = Kind.subtitles

    /// How long the content plays; nil if that is not said.
    public var duration: DecimalSeconds?

    /// The local file of that URI, in UTF-8, as it is written: relative to the folder of the configuration. Nil if none is named.
    public var file: [UInt8]?

    /// A track of which only its fields and its source are known.
    public init(_ track: SubtitleTrack, source: Source) {
        self.track = track
        self.source = source
    }
}
