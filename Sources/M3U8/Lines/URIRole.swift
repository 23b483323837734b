/// What a URI in a playlist refers to.
public enum URIRole: UInt8, CaseIterable, Sendable {
    /// The playlist of a variant: the URI line after EXT-X-STREAM-INF, and EXT-X-I-FRAME-STREAM-INF and
    /// EXT-X-IMAGE-STREAM-INF (RFC 8216 4.3.4.2, 4.3.4.3).
    case variant
    /// A segment or a part of one: every other URI line, EXT-X-PART, EXT-X-PRELOAD-HINT (8216bis 4.4.4.9, 4.4.5.3), and
    /// the values of EXT-X-PREFETCH and EXT-X-TWITCH-PREFETCH.
    case media
    /// The playlist of a rendition: EXT-X-MEDIA and EXT-X-RENDITION-REPORT (RFC 8216 4.3.4.1, 8216bis 4.4.5.4).
    case rendition
    /// A key: EXT-X-KEY and EXT-X-SESSION-KEY (RFC 8216 4.3.2.4, 4.3.4.5).
    case key
    /// A media initialization section: EXT-X-MAP, and EXT-X-PRELOAD-HINT of TYPE=MAP (RFC 8216 4.3.2.5).
    case map
    /// Anything else: EXT-X-SESSION-DATA, SERVER-URI of EXT-X-CONTENT-STEERING, X-ASSET-URI and X-ASSET-LIST of
    /// EXT-X-DATERANGE.
    case other
}
