// What a configuration says, in JSON (RFC 8259), in the words of the command line:
//
//     {
//       "tracks": [
//         {"uri": "subs/en.m3u8", "language": "en", "name": "English", "default": true},
//         {"uri": "sv.vtt", "file": "subtitles/sv.srt", "language": "sv", "duration": "10:34.5"}
//       ],
//       "edits": [{"set": "EXT-X-STREAM-INF:NAME=\"hd\""}, {"drop": "EXT-X-SESSION-DATA"}],
//       "map-uri": "https://example.com/video/", "scheme": {"key": "skd:https"}, "append-query": ["a=1", "b=2"],
//       "keep-variants": "BANDWIDTH<=3000000",
//       "limits": {"longest-line": 65536, "past-limit": "fail"},
//       "map": "900000:00:00:10.000", "segment": true, "target": 6,
//       "master": "https://example.com/master.m3u8", "probe": "information", "keys": "fetch", "webvtt": "bytes"
//     }
//
// Every key may be left out but a track's `uri`; any other key is refused. What is read here is checked as it is where
// it is used, by the same code and in the same words, so that what is accepted can be used.
//
// To add a key: a case of its ConfigurationWord, its branch in ConfigurationReader, a property here, a row in the
// README's table.

public import ByteScan
public import M3U8
public import Sideload
public import WebVTT

/// Tracks, edits and limits as a JSON text gives them.
public struct Configuration: Sendable {
    /// The most tracks that a text may have: 1000. Each is compared with all others.
    package static let mostTracks = 1000

    /// The keys that are there, in their order.
    public internal(set) var keys: [ConfigurationKey] = []

    /// `tracks`: what is sideloaded. There may be none. For a router relative URIs are relative to ``master``.
    public var tracks: [TrackConfiguration] = []

    /// `replace-default`: whether a track that is the default replaces the playlist's own. No unless said otherwise.
    public var replacesDefault = false

    /// `edits`: what is done to lines, in order.
    public var edits: [ConfiguredEdit] = []

    /// `map-uri`, `scheme`, `host` and `append-query`: what is done to URIs.
    public var uris = URIChanges()

    /// `keep-variants`: the condition on variants that stay; nil if all do.
    public var keptVariants: VariantExpression?

    /// `limits`: those of lines and of sideloading.
    public var limits = SideloadLimits()

    /// `limits`: those of URIs.
    public var uriLimits = URIMapper.Limits()

    /// `map`: which X-TIMESTAMP-MAP files of cues get. `auto` unless said otherwise; a router has it in its
    /// ``policies``.
    public var map = TimestampMapChoice.auto

    /// `segment`: whether files of cues are cut into segments. No unless said otherwise.
    public var isSegmented = false

    /// `target`: how long a segment is; nil if that is not said.
    public var target: DecimalSeconds?

    /// `master`: the multivariant playlist's URL at the origin, http or https, with a host; nil if that is not said.
    public var master: [UInt8]?

    /// `probe`, `variants`, `segments`, `keys`, `webvtt`, `missing-track`, `headers-to`, and `map` if it is said: how
    /// requests are answered.
    public var policies = RoutePolicies()

    /// `schemes` or `base`: what a player sees in place of the origin's URLs.
    public var addresses = RouteAddresses()

    /// `origins`: what addresses below a base may name, beside the origins of the multivariant playlist and of the
    /// tracks: where keys, variants and segments are, if not there. Addresses by schemes may name any.
    public var origins = RouteOrigins.listed([])

    /// `headers`: the app's own header fields for requests to the origin, as far as
    /// ``RoutePolicies/appHeaders-swift.property`` lets them go. They take the place of the player's of the same name.
    public var headers: [HeaderLine] = []

    /// What a router wraps a media playlist in place of the multivariant one into: its codecs, resolution, frame rate
    /// and video range, where the app knows them. Its URI is of no account. Nil for what the playlist tells. In code
    /// alone.
    public var wrapping: WrappedVariant?

    /// Whether who carries out a router's requests decodes bodies from ``FetchRequest/encoding``. Without that a track
    /// with an `encoding` is refused. In code alone.
    public var decodesText = false

    /// How a router writes the subtitle playlists that it makes. In code alone.
    public var playlistOptions = SubtitlePlaylist.Options()

    /// A configuration that says nothing.
    public init() {}

    /// A configuration of a router, with the documented defaults.
    public init(master: String, tracks: [TrackConfiguration] = []) {
        self.master = Array(utf8: master)
        self.tracks = tracks
    }

    /// Reads the configuration that `text` is. Its memory is not needed afterwards.
    ///
    /// - Throws: ``ConfigurationError`` with the place in the text.
    /// - Complexity: O(*n*) for a text of *n* bytes, and what the checks of its values take.
    public init(_ text: ByteView) throws(ConfigurationError) { try self.init(text, limits: JSONLimits()) }

    /// Reads the configuration that `text` is, up to other limits.
    package init(_ text: ByteView, limits: JSONLimits) throws(ConfigurationError) {
        var reader = ConfigurationReader(text, limits: limits)
        self = try reader.configuration()
    }

    /// Reads the configuration that `text` is.
    public init(_ text: [UInt8]) throws(ConfigurationError) {
        self = try text.withView { text throws(ConfigurationError) in try Configuration(text) }
    }

    /// The tracks for a ``MasterRewriter``.
    ///
    /// - Throws: ``SubtitleTrackError`` if there is no track, and for a track whose URI is still that of a .vtt file:
    ///   its subtitle playlist comes first.
    package func subtitleTracks(fallbackGroup: String = "subs") throws(SubtitleTrackError) -> SubtitleTracks {
        try SubtitleTracks(
            tracks.map { $0.track }, fallbackGroup: fallbackGroup,
            defaultPolicy: replacesDefault ? .prefersTracks : .keepsExisting)
    }

    /// What a `PlaylistPipeline` does with playlists: the edits, the condition and the mapping, and `tracks` if there
    /// are any.
    ///
    /// If `observesEdits`, the pipeline's handler sees every line of a tag that is edited.
    public func recipe(
        with tracks: SubtitleTracks? = nil, observesEdits: Bool = false
    ) throws(PlaylistEditError) -> PlaylistRecipe {
        var lines: [PlaylistEdit] = []
        var appended: [[UInt8]] = []
        for edit in edits {
            switch edit {
            case .lines(let edit): lines.append(edit)
            case .append(let line): appended.append(line)
            }
        }
        return try PlaylistRecipe(
            edits: lines, appending: appended, keeping: keptVariants, mapping: uris.mapping(), tracks: tracks,
            observing: observesEdits ? lines.map { $0.tag } : [])
    }

    /// The limits of such a pipeline.
    package var pipelineLimits: PipelineLimits { PipelineLimits(limits, uris: uriLimits) }
}
