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

    /// The head of a line of the tag: `#` and the name as it is spelled.
    public var head: StaticString {
        switch self {
        case .group: "#EXTGRP"
        case .image: "#EXTIMG"
        case .extInf: "#EXTINF"
        case .extM3U: "#EXTM3U"
        case .cue: "#EXT-X-CUE"
        case .gap: "#EXT-X-GAP"
        case .key: "#EXT-X-KEY"
        case .map: "#EXT-X-MAP"
        case .playerOption: "#EXTVLCOPT"
        case .part: "#EXT-X-PART"
        case .skip: "#EXT-X-SKIP"
        case .asset: "#EXT-X-ASSET"
        case .media: "#EXT-X-MEDIA"
        case .start: "#EXT-X-START"
        case .tiles: "#EXT-X-TILES"
        case .cueIn: "#EXT-X-CUE-IN"
        case .define: "#EXT-X-DEFINE"
        case .marker: "#EXT-X-MARKER"
        case .scte35: "#EXT-X-SCTE35"
        case .bitrate: "#EXT-X-BITRATE"
        case .cueOut: "#EXT-X-CUE-OUT"
        case .endList: "#EXT-X-ENDLIST"
        case .version: "#EXT-X-VERSION"
        case .cueSpan: "#EXT-X-CUE-SPAN"
        case .partInf: "#EXT-X-PART-INF"
        case .prefetch: "#EXT-X-PREFETCH"
        case .byteRange: "#EXT-X-BYTERANGE"
        case .dateRange: "#EXT-X-DATERANGE"
        case .streamInf: "#EXT-X-STREAM-INF"
        case .oatclsScte35: "#EXT-OATCLS-SCTE35"
        case .allowCache: "#EXT-X-ALLOW-CACHE"
        case .imagesOnly: "#EXT-X-IMAGES-ONLY"
        case .sessionKey: "#EXT-X-SESSION-KEY"
        case .cueOutContinued: "#EXT-X-CUE-OUT-CONT"
        case .preloadHint: "#EXT-X-PRELOAD-HINT"
        case .sessionData: "#EXT-X-SESSION-DATA"
        case .discontinuity: "#EXT-X-DISCONTINUITY"
        case .iFramesOnly: "#EXT-X-I-FRAMES-ONLY"
        case .playlistType: "#EXT-X-PLAYLIST-TYPE"
        case .mediaSequence: "#EXT-X-MEDIA-SEQUENCE"
        case .serverControl: "#EXT-X-SERVER-CONTROL"
        case .targetDuration: "#EXT-X-TARGETDURATION"
        case .twitchPrefetch: "#EXT-X-TWITCH-PREFETCH"
        case .contentSteering: "#EXT-X-CONTENT-STEERING"
        case .imageStreamInf: "#EXT-X-IMAGE-STREAM-INF"
        case .renditionReport: "#EXT-X-RENDITION-REPORT"
        case .programDateTime: "#EXT-X-PROGRAM-DATE-TIME"
        case .iFrameStreamInf: "#EXT-X-I-FRAME-STREAM-INF"
        case .spliceOutScte35: "#EXT-X-SPLICEPOINT-SCTE35"
        case .independentSegments: "#EXT-X-INDEPENDENT-SEGMENTS"
        case .discontinuitySequence: "#EXT-X-DISCONTINUITY-SEQUENCE"
        case .prefetchDiscontinuity: "#EXT-X-PREFETCH-DISCONTINUITY"
        }
    }
}
