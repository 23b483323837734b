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
// Every key may be left out but a track's `uri`; any other key is refused. What is read here is checked as it is where it is used, by
// the same code and in the same words, so that what is accepted can be used.
//
// To add a key: a case of its ConfigurationWord, its branch in ConfigurationReader, a property here, a row in the README's table.

public import ByteScan
public import M3U8
public import Sideload
public import WebVTT

/// Tracks, edits and limits as a JSON text gives them.
public struct Configuration: Sendable {
    /// Which X-TIMESTAMP-MAP files of cues get: `auto`, `none` or `MPEGTS[:LOCAL]`.
    public enum Map: Equatable, Sendable {
        /// What the first segment of the video tells.
        case auto
        /// None that the file has not.
        case none
        /// This one, instead of the file's own.
        case given(TimestampMap)
    }

    /// The most tracks that a text may have: 1000. Each is compared with all others.
    public static let mostTracks = 1000

    /// The keys that are there, in their order.
    public internal(set) var keys: [ConfigurationKey] = []

    /// `tracks`: what is sideloaded.
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

    /// `map`: which X-TIMESTAMP-MAP files of cues get. `auto` unless said otherwise.
    public var map = Map.auto

    /// `segment`: whether files of cues are cut into segments. No unless said otherwise.
    public var isSegmented = false

    /// `target`: how long a segment is; nil if that is not said.
    public var target: DecimalSeconds?

    /// `master`: the multivariant playlist's URL at the origin; nil if that is not said.
    public var master: [UInt8]?

    /// `probe`, `variants`, `segments`, `keys`, `webvtt` and `missing-track`: how requests are answered.
    public var policies = RoutePolicies()

    /// `schemes` or `base`: what a player sees in place of the origin's URLs.
    public var addresses = RouteAddresses()

    /// `headers`: what every request to the origin has.
    public var headers: [HeaderLine] = []

    /// A configuration that says nothing.
    public init() {}

    /// Reads the configuration that `text` is. Its memory is not needed afterwards.
    ///
    /// - Throws: ``ConfigurationError`` with the place in the text.
    /// - Complexity: O(*n*) for a text of *n* bytes, and what the checks of its values take.
    public init(_ text: ByteView, limits: JSONLimits = JSONLimits()) throws(ConfigurationError) {
        var reader = ConfigurationReader(text, limits: limits)
        self = try reader.configuration()
    }

    /// Reads the configuration that `text` is.
    public init(_ text: [UInt8], limits: JSONLimits = JSONLimits()) throws(ConfigurationError) {
        self = try unsafe text.withUnsafeBufferPointer { (elements) throws(ConfigurationError) in
            try unsafe Configuration(ByteView(UnsafeRawBufferPointer(elements)), limits: limits)
        }
    }

    /// The tracks for a ``MasterRewriter``.
    ///
    /// - Throws: ``SubtitleTrackError`` if there is no track, and for a track whose URI is still that of a .vtt file: its subtitle
    ///   playlist comes first.
    public func subtitleTracks() throws(SubtitleTrackError) -> SubtitleTracks {
        try SubtitleTracks(
            tracks.map { $0.track }, defaultPolicy: replacesDefault ? .prefersTracks : .keepsExisting)
    }

    /// The edits for a ``PlaylistRewriter`` whose handler filters variants by ``keptVariants``, follows drops by ``VariantDrops``, and maps
    /// URIs by what ``URIChanges/mapping()`` of ``uris`` gives.
    ///
    /// If `observesEdits`, the handler sees every line of a tag that is edited.
    public func playlistEdits(observesEdits: Bool = false) throws(PlaylistEditError) -> PlaylistEdits {
        var lines: [PlaylistEdit] = []
        var appended: [[UInt8]] = []
        for edit in edits {
            switch edit {
            case .lines(let edit): lines.append(edit)
            case .append(let line): appended.append(line)
            }
        }
        var tags = (uris.isEmpty ? [] : URIMapping.tags) + (keptVariants == nil ? [] : VariantFilter.tags)
        let dropsVariants = lines.contains { edit in
            if case .drop(let tag) = edit { tag == TagSelector(.streamInf) } else { false }
        }
        if dropsVariants { tags += VariantDrops.tags }
        return try PlaylistEdits(
            lines, observing: tags + (observesEdits ? lines.map { $0.tag } : []), selectsURIs: !tags.isEmpty,
            appending: appended)
    }
}
