internal import ByteScan
public import M3U8
public import Sideload
public import WebVTT

/// A track's file as it is fetched: where it is, what it is, and how long the content plays, if that is known.
public struct FetchTrack: Equatable, Sendable {
    /// What stands for the URL of a local file, whose bytes whoever drives a ``Fetch`` gives. No such host can be (RFC
    /// 6761 6.4).
    public static var localURL: [UInt8] { Array(ByteView("http://file.invalid/")) }

    /// The absolute URL, as bytes.
    public var url: [UInt8]

    /// What the file is.
    public var format: SubtitleFormat

    /// How long the content plays; nil if that is to be found out.
    public var duration: DecimalSeconds?

    /// By how many milliseconds the cues of a file are shown later, or earlier if it is below 0.
    public var shift: Int64 = 0

    /// The encoding of a file, which whoever fetches it decodes it from: ``FetchRequest/encoding``. Nil for UTF-8, and
    /// for UTF-16 with a byte order mark.
    public var encoding: [UInt8]?

    /// The file at `url`.
    public init(url: [UInt8], format: SubtitleFormat, duration: DecimalSeconds? = nil) {
        self.url = url
        self.format = format
        self.duration = duration
    }

    /// The file of a track that a configuration names, whose URI is resolved against `base` (RFC 3986 5).
    public init(_ track: TrackConfiguration, relativeTo base: [UInt8]) {
        self.init(track, at: base.resolving(Array(utf8: track.track.uri)), format: track.format)
    }

    /// The file of a track that a configuration names, which is at `url`.
    init(_ track: TrackConfiguration, at url: [UInt8], format: SubtitleFormat) {
        self.init(url: url, format: format, duration: track.duration)
        shift = track.shift
        encoding = track.encoding.map { Array(utf8: $0) }
    }
}
