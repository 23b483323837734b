public import ByteScan

extension TagName {
    /// The kinds of playlist a tag may stand in.
    public enum Scope: Sendable {
        /// Multivariant and media playlists alike, or no specification says, or the field does not care.
        case any
        /// Multivariant playlists only (RFC 8216 4.3.4).
        case multivariant
        /// Media playlists only (RFC 8216 4.3.2, 4.3.3).
        case media
    }

    /// Where the tag may stand: a playlist with tags of both kinds breaks RFC 8216 4.1.
    ///
    /// Tags of the field that no specification places tell nothing about a playlist's kind. EXT-X-ENDLIST tells nothing either:
    /// it belongs into media playlists (RFC 8216 4.3.3.4), but multivariant ones of the field end with it too.
    public var scope: Scope {
        switch self {
        case .media, .streamInf, .sessionKey, .sessionData, .contentSteering, .imageStreamInf, .iFrameStreamInf:
            .multivariant
        case .extInf, .gap, .key, .map, .part, .skip, .tiles, .bitrate, .partInf, .byteRange,
            .dateRange, .imagesOnly, .preloadHint, .discontinuity, .iFramesOnly, .playlistType, .mediaSequence,
            .serverControl, .targetDuration, .renditionReport, .programDateTime, .discontinuitySequence:
            .media
        case .extM3U, .start, .define, .version, .endList, .allowCache, .independentSegments, .group, .image, .cue,
            .playerOption, .asset, .cueIn, .marker, .scte35, .cueOut, .cueSpan, .prefetch, .oatclsScte35,
            .cueOutContinued, .twitchPrefetch, .spliceOutScte35, .prefetchDiscontinuity:
            .any
        }
    }

    /// Whether the tag's value is an attribute list (RFC 8216 4.2).
    public var hasAttributeList: Bool {
        switch self {
        case .cue, .key, .map, .part, .skip, .asset, .media, .start, .tiles, .define, .marker, .scte35,
            .partInf, .dateRange, .streamInf, .sessionKey, .preloadHint, .sessionData, .serverControl,
            .contentSteering, .imageStreamInf, .renditionReport, .iFrameStreamInf:
            true
        default: false
        }
    }

    /// The tag's name as it is spelled, without the `#`.
    public var spelling: ByteView { ByteView(head).suffix(from: 1) }

    /// The tag spelled `name`, without the `#`, or nil if it has no name in code. Names are case-sensitive.
    ///
    /// - Complexity: O(*n*) in the number of cases. A scanner looks tags up in a ``TagTable``.
    public init?(_ name: ByteView) {
        guard let tag = Self.allCases.first(where: { $0.spelling == name }) else { return nil }
        self = tag
    }
}
