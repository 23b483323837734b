internal import ByteScan
public import M3U8
public import WebVTT

/// A track as a configuration describes it: what the playlist says of it, and what it is made of.
public struct TrackConfiguration: Sendable {
    /// What the playlist says of the track. Its URI is as it was given: that of a file, or of a subtitle playlist.
    public var track: SubtitleTrack

    /// What ``SubtitleTrack/uri`` refers to.
    public var format: SubtitleFormat

    /// How long the content plays; nil if that is not said.
    public var duration: DecimalSeconds?

    /// The path of the local file of that URI, as it is written: relative to the folder of a configuration. Nil if none
    /// is named.
    public var file: String?

    /// The encoding of the local file, as iconv calls it; nil if that is UTF-8, or told by a byte order mark.
    public var encoding: String?

    /// By how many milliseconds the cues of the local file are shown later, or earlier if it is below 0.
    public var shift: Int64 = 0

    /// Whether the track follows the video where that is live or an EVENT: otherwise it is one segment there too.
    public var followsLiveStreams = true

    /// What cue time 0 is beside a live stream; nil if that is not said.
    public var anchor: TrackAnchor?

    /// What `then` says: the local files that follow beside a live stream, ``followingFiles``. Nil if there are none.
    public var then: String?

    /// Where cues come from while the stream goes on: `http`, or the path of a file that grows. Nil if there is a whole
    /// file.
    public var cues: String?

    /// A track of which only its fields and what it is made of are known.
    public init(_ track: SubtitleTrack, format: SubtitleFormat) {
        self.track = track
        self.format = format
    }

    /// A track that is described in code: what it is made of the media type tells, or the end of its URI, in this
    /// order.
    ///
    /// Nil if neither of them tells.
    public init?(_ track: SubtitleTrack, mediaType: [UInt8]? = nil) {
        let told = mediaType.flatMap { $0.withView { SubtitleFormat(mediaType: $0) } }
        guard let format = told ?? SubtitleFormat(endOf: track.uri) else { return nil }
        self.init(track, format: format)
    }

    /// Whether cues are sent by HTTP while the stream goes on.
    public var takesCuesByHTTP: Bool { cues.map { Array(utf8: $0).withView { $0 == "http" } } ?? false }

    /// The path of the file that grows; nil if there is none.
    public var cuesFile: String? { takesCuesByHTTP ? nil : cues }

    /// What the local file is if it does not begin as WebVTT does: what its name says.
    package var fileFormat: SubtitleFormat {
        let named = TrackFileName(path: Array(utf8: file ?? "")).format
        return named.flatMap { $0.isConverted ? $0 : nil } ?? .assumed
    }

    /// Whether the local file is read in another way than as it is.
    package var changesFile: Bool { encoding != nil || shift != 0 }

    /// Whether its URI is that of a file of subtitles, whose playlist has another.
    var namesFile: Bool { format != .playlist }
}

#if !hasFeature(Embedded)
extension TrackConfiguration: Equatable {}
#endif
