public import ByteScan

extension TagName {
    /// The kinds of playlist a tag may stand in.
    public enum Scope: Sendable {
        /// Multivariant and media playlists alike, or no specification says.
        case any
        /// Multivariant playlists only (RFC 8216 4.3.4).
        case multivariant
        /// Media playlists only (RFC 8216 4.3.2, 4.3.3).
        case media
    }

    /// Where the tag may stand: a playlist with tags of both kinds breaks RFC 8216 4.1.
    ///
    /// Tags of the field that no specification places tell nothing about a playlist's kind.
    public var scope: Scope {
        switch self {
        case .media, .streamInf, .sessionKey, .sessionData, .contentSteering, .imageStreamInf, .iFrameStreamInf:
            .multivariant
        case .extInf, .gap, .key, .map, .part, .skip, .tiles, .bitrate, .endList, .partInf, .byteRange,
            .dateRange, .imagesOnly, .preloadHint, .discontinuity, .iFramesOnly, .playlistType, .mediaSequence,
            .serverControl, .targetDuration, .renditionReport, .programDateTime, .discontinuitySequence:
            .media
        case .extM3U, .start, .define, .version, .allowCache, .independentSegments, .group, .image, .cue,
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
    public init?(_ name: ByteView) {
        guard name.count < Self.longest else { return nil }
        let tail = Self.tail(of: name)
        for rawValue in Self.firstOfLength[name.count]..<Self.firstOfLength[name.count + 1]
        where Self.tails[Int(rawValue)] == tail {
            guard let tag = TagName(rawValue: rawValue), name == tag.spelling else { continue }
            self = tag
            return
        }
        return nil
    }

    /// The last eight bytes of each spelling, which tell those of one length apart.
    private static let tails: [UInt64] = allCases.map { tail(of: $0.spelling) }

    /// The last eight bytes of `name`; of a shorter name all of them.
    private static func tail(of name: ByteView) -> UInt64 {
        guard name.count < 8 else { return name.word(at: name.count - 8) }
        return name.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// One more than the bytes of the longest spelling.
    static var longest: Int { 29 }

    /// For each length the number of shorter spellings, which is the raw value of the first case of that length.
    private static var firstOfLength: [30 of UInt8] {
        [
            0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 9, 11, 15, 19, 23, 26, 28, 29, 33, 36, 39, 42, 43, 46, 47, 49, 49,
            50, 50, 52,
        ]
    }
}
