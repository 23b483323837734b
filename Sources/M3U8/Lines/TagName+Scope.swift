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

    /// What stands after a tag's colon.
    enum Value {
        /// A number, a word, a list without names, or nothing.
        case text
        /// An attribute list (RFC 8216 4.2).
        case list
        /// An attribute list with a URI in the attribute of this name; EXT-X-DATERANGE may have X-ASSET-LIST besides.
        case listWithURI(URIRole, in: StaticString)
        /// A URI alone.
        case uri(URIRole)
    }

    /// Whether the tag's value is an attribute list (RFC 8216 4.2).
    public var hasAttributeList: Bool {
        switch value {
        case .list, .listWithURI: true
        case .text, .uri: false
        }
    }

    /// What the tag's URI refers to, or nil if the tag has none.
    var role: URIRole? {
        switch value {
        case .listWithURI(let role, _), .uri(let role): role
        case .text, .list: nil
        }
    }

    /// The tag's name as it is spelled, without the `#`.
    public var spelling: ByteView { ByteView(head).suffix(from: 1) }

    /// The tag spelled `name`, without the `#`, or nil if it has no name in code. Names are case-sensitive.
    ///
    /// - Complexity: O(*n*) in the number of cases. A scanner looks tags up in a `TagTable`.
    public init?(_ name: ByteView) {
        guard let tag = Self.allCases.first(where: { $0.spelling == name }) else { return nil }
        self = tag
    }
}

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
