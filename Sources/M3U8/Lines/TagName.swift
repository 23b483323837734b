/// The tags with a name in code: those of RFC 8216, of 8216bis and of the field. Every other tag keeps its spelling.
public enum TagName: CaseIterable, Sendable {
    /// `EXTGRP`. Group title, from M3U lists.
    case group
    /// `EXTIMG`. Picture, from M3U lists.
    case image
    /// `EXTINF`. Duration of the segment that follows (RFC 8216 4.3.2.1).
    case extInf
    /// `EXTM3U`. First line of every playlist (RFC 8216 4.3.1.1).
    case extM3U
    /// `EXT-X-CUE`. Splice point, from the field.
    case cue
    /// `EXT-X-GAP`. Segment that is missing (8216bis 4.4.4.7).
    case gap
    /// `EXT-X-KEY`. Decryption of the segments that follow (RFC 8216 4.3.2.4).
    case key
    /// `EXT-X-MAP`. Media initialization section (RFC 8216 4.3.2.5).
    case map
    /// `EXTVLCOPT`. Player option, from M3U lists.
    case playerOption
    /// `EXT-X-PART`. Partial segment (8216bis 4.4.4.9).
    case part
    /// `EXT-X-SKIP`. Start of a playlist delta update (8216bis 4.4.5.2).
    case skip
    /// `EXT-X-ASSET`. Asset of an ad break, from the field.
    case asset
    /// `EXT-X-MEDIA`. A rendition (RFC 8216 4.3.4.1).
    case media
    /// `EXT-X-START`. Preferred start (RFC 8216 4.3.5.2).
    case start
    /// `EXT-X-TILES`. Layout of an image's tiles (the Image Media Playlist convention).
    case tiles
    /// `EXT-X-CUE-IN`. End of an ad break, from the field.
    case cueIn
    /// `EXT-X-DEFINE`. Variable definition (8216bis 4.4.2.3).
    case define
    /// `EXT-X-MARKER`. Timed marker, from the field.
    case marker
    /// `EXT-X-SCTE35`. SCTE-35 message, from the field.
    case scte35
    /// `EXT-X-BITRATE`. Approximate bit rate, in kbit/s (8216bis 4.4.4.8).
    case bitrate
    /// `EXT-X-CUE-OUT`. Start of an ad break, from the field.
    case cueOut
    /// `EXT-X-ENDLIST`. No more segments will come (RFC 8216 4.3.3.4).
    case endList
    /// `EXT-X-VERSION`. Compatibility version (RFC 8216 4.3.1.2).
    case version
    /// `EXT-X-CUE-SPAN`. Middle of an ad break, from the field.
    case cueSpan
    /// `EXT-X-PART-INF`. Partial segment information (8216bis 4.4.3.7).
    case partInf
    /// `EXT-X-PREFETCH`. Segment to come, of the community's low-latency form.
    case prefetch
    /// `EXT-X-BYTERANGE`. Sub-range of a resource (RFC 8216 4.3.2.2).
    case byteRange
    /// `EXT-X-DATERANGE`. Attributes of a range of time (RFC 8216 4.3.2.7).
    case dateRange
    /// `EXT-X-STREAM-INF`. A variant stream (RFC 8216 4.3.4.2).
    case streamInf
    /// `EXT-OATCLS-SCTE35`. SCTE-35 message, from the field.
    case oatclsScte35
    /// `EXT-X-ALLOW-CACHE`. Removed from the protocol in version 7, still seen (RFC 8216 7).
    case allowCache
    /// `EXT-X-IMAGES-ONLY`. Each segment is an image (the Image Media Playlist convention).
    case imagesOnly
    /// `EXT-X-SESSION-KEY`. Key to preload (RFC 8216 4.3.4.5).
    case sessionKey
    /// `EXT-X-CUE-OUT-CONT`. Middle of an ad break, from the field.
    case cueOutContinued
    /// `EXT-X-PRELOAD-HINT`. Resource to come (8216bis 4.4.5.3).
    case preloadHint
    /// `EXT-X-SESSION-DATA`. Arbitrary session data (RFC 8216 4.3.4.4).
    case sessionData
    /// `EXT-X-DISCONTINUITY`. Break between segments (RFC 8216 4.3.2.3).
    case discontinuity
    /// `EXT-X-I-FRAMES-ONLY`. Each segment is one I-frame (RFC 8216 4.3.3.6).
    case iFramesOnly
    /// `EXT-X-PLAYLIST-TYPE`. EVENT or VOD (RFC 8216 4.3.3.5).
    case playlistType
    /// `EXT-X-MEDIA-SEQUENCE`. Number of the first segment (RFC 8216 4.3.3.2).
    case mediaSequence
    /// `EXT-X-SERVER-CONTROL`. Delivery directives (8216bis 4.4.3.8).
    case serverControl
    /// `EXT-X-TARGETDURATION`. Longest segment, in whole seconds (RFC 8216 4.3.3.1).
    case targetDuration
    /// `EXT-X-TWITCH-PREFETCH`. Segment to come, from one live platform.
    case twitchPrefetch
    /// `EXT-X-CONTENT-STEERING`. Steering manifest (8216bis 4.4.6.6).
    case contentSteering
    /// `EXT-X-IMAGE-STREAM-INF`. A thumbnail playlist (the Image Media Playlist convention).
    case imageStreamInf
    /// `EXT-X-RENDITION-REPORT`. State of another rendition (8216bis 4.4.5.4).
    case renditionReport
    /// `EXT-X-PROGRAM-DATE-TIME`. Absolute time of a segment (RFC 8216 4.3.2.6).
    case programDateTime
    /// `EXT-X-I-FRAME-STREAM-INF`. An I-frame playlist (RFC 8216 4.3.4.3).
    case iFrameStreamInf
    /// `EXT-X-SPLICEPOINT-SCTE35`. SCTE-35 message, from the field.
    case spliceOutScte35
    /// `EXT-X-INDEPENDENT-SEGMENTS`. Every segment decodes alone (RFC 8216 4.3.5.1).
    case independentSegments
    /// `EXT-X-DISCONTINUITY-SEQUENCE`. Number of the first discontinuity (RFC 8216 4.3.3.3).
    case discontinuitySequence
    /// `EXT-X-PREFETCH-DISCONTINUITY`. Break before a segment to come, of the same form.
    case prefetchDiscontinuity

    /// What there is to know of a tag: the head of its lines, where it may stand, and what its value is.
    private typealias Row = (head: StaticString, scope: Scope, value: Value)

    @inline(__always)
    private var row: Row {
        switch self {
        case .group: ("#EXTGRP", .any, .text)
        case .image: ("#EXTIMG", .any, .text)
        case .extInf: ("#EXTINF", .media, .text)
        case .extM3U: ("#EXTM3U", .any, .text)
        case .cue: ("#EXT-X-CUE", .any, .list)
        case .gap: ("#EXT-X-GAP", .media, .text)
        case .key: ("#EXT-X-KEY", .media, .listWithURI(.key, in: "URI"))
        case .map: ("#EXT-X-MAP", .media, .listWithURI(.map, in: "URI"))
        case .playerOption: ("#EXTVLCOPT", .any, .text)
        case .part: ("#EXT-X-PART", .media, .listWithURI(.media, in: "URI"))
        case .skip: ("#EXT-X-SKIP", .media, .list)
        case .asset: ("#EXT-X-ASSET", .any, .list)
        case .media: ("#EXT-X-MEDIA", .multivariant, .listWithURI(.rendition, in: "URI"))
        case .start: ("#EXT-X-START", .any, .list)
        case .tiles: ("#EXT-X-TILES", .media, .list)
        case .cueIn: ("#EXT-X-CUE-IN", .any, .text)
        case .define: ("#EXT-X-DEFINE", .any, .list)
        case .marker: ("#EXT-X-MARKER", .any, .list)
        case .scte35: ("#EXT-X-SCTE35", .any, .list)
        case .bitrate: ("#EXT-X-BITRATE", .media, .text)
        case .cueOut: ("#EXT-X-CUE-OUT", .any, .text)
        case .endList: ("#EXT-X-ENDLIST", .any, .text)
        case .version: ("#EXT-X-VERSION", .any, .text)
        case .cueSpan: ("#EXT-X-CUE-SPAN", .any, .text)
        case .partInf: ("#EXT-X-PART-INF", .media, .list)
        case .prefetch: ("#EXT-X-PREFETCH", .any, .uri(.media))
        case .byteRange: ("#EXT-X-BYTERANGE", .media, .text)
        case .dateRange: ("#EXT-X-DATERANGE", .media, .listWithURI(.other, in: "X-ASSET-URI"))
        case .streamInf: ("#EXT-X-STREAM-INF", .multivariant, .list)
        case .oatclsScte35: ("#EXT-OATCLS-SCTE35", .any, .text)
        case .allowCache: ("#EXT-X-ALLOW-CACHE", .any, .text)
        case .imagesOnly: ("#EXT-X-IMAGES-ONLY", .media, .text)
        case .sessionKey: ("#EXT-X-SESSION-KEY", .multivariant, .listWithURI(.key, in: "URI"))
        case .cueOutContinued: ("#EXT-X-CUE-OUT-CONT", .any, .text)
        case .preloadHint: ("#EXT-X-PRELOAD-HINT", .media, .listWithURI(.media, in: "URI"))
        case .sessionData: ("#EXT-X-SESSION-DATA", .multivariant, .listWithURI(.other, in: "URI"))
        case .discontinuity: ("#EXT-X-DISCONTINUITY", .media, .text)
        case .iFramesOnly: ("#EXT-X-I-FRAMES-ONLY", .media, .text)
        case .playlistType: ("#EXT-X-PLAYLIST-TYPE", .media, .text)
        case .mediaSequence: ("#EXT-X-MEDIA-SEQUENCE", .media, .text)
        case .serverControl: ("#EXT-X-SERVER-CONTROL", .media, .list)
        case .targetDuration: ("#EXT-X-TARGETDURATION", .media, .text)
        case .twitchPrefetch: ("#EXT-X-TWITCH-PREFETCH", .any, .uri(.media))
        case .contentSteering: ("#EXT-X-CONTENT-STEERING", .multivariant, .listWithURI(.other, in: "SERVER-URI"))
        case .imageStreamInf: ("#EXT-X-IMAGE-STREAM-INF", .multivariant, .listWithURI(.variant, in: "URI"))
        case .renditionReport: ("#EXT-X-RENDITION-REPORT", .media, .listWithURI(.rendition, in: "URI"))
        case .programDateTime: ("#EXT-X-PROGRAM-DATE-TIME", .media, .text)
        case .iFrameStreamInf: ("#EXT-X-I-FRAME-STREAM-INF", .multivariant, .listWithURI(.variant, in: "URI"))
        case .spliceOutScte35: ("#EXT-X-SPLICEPOINT-SCTE35", .any, .text)
        case .independentSegments: ("#EXT-X-INDEPENDENT-SEGMENTS", .any, .text)
        case .discontinuitySequence: ("#EXT-X-DISCONTINUITY-SEQUENCE", .media, .text)
        case .prefetchDiscontinuity: ("#EXT-X-PREFETCH-DISCONTINUITY", .any, .text)
        }
    }

    /// The head of a line of the tag: `#` and the name as it is spelled.
    public var head: StaticString { row.head }

    /// Where the tag may stand: a playlist with tags of both kinds breaks RFC 8216 4.1.
    ///
    /// Tags of the field that no specification places tell nothing about a playlist's kind. EXT-X-ENDLIST tells nothing
    /// either: it belongs into media playlists (RFC 8216 4.3.3.4), but multivariant ones of the field end with it too.
    public var scope: Scope { row.scope }

    /// What the tag's value is, and what a URI in it refers to.
    @inline(__always)
    var value: Value { row.value }
}
