internal import ByteScan

/// A word that a configuration may hold, as a key or as a value.
public protocol ConfigurationWord: CaseIterable, Equatable {
    /// How it is spelled.
    var name: StaticString { get }
}

extension ConfigurationWord {
    /// The word that is spelled so, or nil if there is none.
    init?(_ spelling: ByteView) {
        for word in Self.allCases where spelling == word.name {
            self = word
            return
        }
        return nil
    }

    /// The word that may have been meant by `spelling`, or nil if none is near.
    static func nearest(to spelling: ByteView) -> Self? {
        let words = Array(allCases)
        let names = words.map { Array(ByteView($0.name)) }
        return NearestName.index(of: Array(spelling), among: names).map { words[$0] }
    }
}

/// A key of the configuration itself.
public enum ConfigurationKey: ConfigurationWord, Sendable {
    /// `tracks`: ``Configuration/tracks``.
    case tracks
    /// `replace-default`: ``Configuration/replacesDefault``.
    case replaceDefault
    /// `edits`: ``Configuration/edits``.
    case edits
    /// `map-uri`: the base of ``Configuration/uris``.
    case mapURI
    /// `scheme`: the schemes of ``Configuration/uris``.
    case scheme
    /// `host`: the hosts of ``Configuration/uris``.
    case host
    /// `append-query`: the query items of ``Configuration/uris``.
    case appendQuery
    /// `keep-variants`: ``Configuration/keptVariants``.
    case keepVariants
    /// `limits`: ``Configuration/limits`` and ``Configuration/uriLimits``.
    case limits
    /// `map`: ``Configuration/map``.
    case map
    /// `segment`: ``Configuration/isSegmented``.
    case segment
    /// `target`: ``Configuration/target``.
    case target
    /// `master`: ``Configuration/master``.
    case master
    /// `schemes`: ``Configuration/addresses``, by schemes.
    case schemes
    /// `base`: ``Configuration/addresses``, below a base.
    case base
    /// `headers`: ``Configuration/headers``.
    case headers
    /// `headers-to`: ``RoutePolicies/appHeaders``.
    case headersTo
    /// `probe`: ``RoutePolicies/probe``.
    case probe
    /// `variants`: ``RoutePolicies/variants``.
    case variants
    /// `segments`: ``RoutePolicies/segments``.
    case segments
    /// `keys`: ``RoutePolicies/keys``.
    case keys
    /// `webvtt`: ``RoutePolicies/webVTT``.
    case webVTT
    /// `missing-track`: ``RoutePolicies/missingTrack``.
    case missingTrack

    /// The key.
    public var name: StaticString {
        switch self {
        case .tracks: "tracks"
        case .replaceDefault: "replace-default"
        case .edits: "edits"
        case .mapURI: "map-uri"
        case .scheme: "scheme"
        case .host: "host"
        case .appendQuery: "append-query"
        case .keepVariants: "keep-variants"
        case .limits: "limits"
        case .map: "map"
        case .segment: "segment"
        case .target: "target"
        case .master: "master"
        case .schemes: "schemes"
        case .base: "base"
        case .headers: "headers"
        case .headersTo: "headers-to"
        case .probe: "probe"
        case .variants: "variants"
        case .segments: "segments"
        case .keys: "keys"
        case .webVTT: "webvtt"
        case .missingTrack: "missing-track"
        }
    }
}

/// A key of a track.
enum TrackKey: ConfigurationWord {
    case uri, language, label, isDefault, forced, sdh, autoselect, file, duration, group, stableID, associatedLanguage,
        kind, type, mimeType

    var name: StaticString {
        switch self {
        case .uri: "uri"
        case .language: "language"
        case .label: "name"
        case .isDefault: "default"
        case .forced: "forced"
        case .sdh: "sdh"
        case .autoselect: "autoselect"
        case .file: "file"
        case .duration: "duration"
        case .group: "group"
        case .stableID: "stable-id"
        case .associatedLanguage: "assoc-language"
        case .kind: "kind"
        case .type: "type"
        case .mimeType: "mime-type"
        }
    }
}

/// A key of the limits.
enum LimitKey: ConfigurationWord {
    case longestLine, pastLimit, heldRenditions, longestGroupID, appendedTags, heldVariables, longestURI

    var name: StaticString {
        switch self {
        case .longestLine: "longest-line"
        case .pastLimit: "past-limit"
        case .heldRenditions: "held-renditions"
        case .longestGroupID: "longest-group-id"
        case .appendedTags: "appended-tags"
        case .heldVariables: "held-variables"
        case .longestURI: "longest-uri"
        }
    }
}

/// What happens past a limit: a value of `past-limit`.
enum LinePolicy: ConfigurationWord {
    case passThrough, fail

    var name: StaticString {
        switch self {
        case .passThrough: "pass-through"
        case .fail: "fail"
        }
    }
}
