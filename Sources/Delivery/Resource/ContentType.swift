internal import ByteScan

/// What some bytes are, as Apple's systems and as HTTP call it.
public struct ContentType: Equatable, Sendable {
    /// The uniform type identifier, `public.m3u-playlist`; nil if a player is better told none.
    public let uniformType: [UInt8]?

    /// The media type, `application/vnd.apple.mpegurl` (RFC 9110 8.3.1).
    public let mediaType: [UInt8]

    /// A type by both names.
    public init(uniformType: [UInt8]?, mediaType: [UInt8]) {
        self.uniformType = uniformType
        self.mediaType = mediaType
    }

    private init(_ uniformType: StaticString?, _ mediaType: StaticString) {
        self.init(uniformType: uniformType.map { Array(ByteView($0)) }, mediaType: Array(ByteView(mediaType)))
    }

    /// A playlist (RFC 8216 4).
    public static var playlist: ContentType { ContentType("public.m3u-playlist", "application/vnd.apple.mpegurl") }

    /// A WebVTT file.
    public static var webVTT: ContentType { ContentType("org.w3.webvtt", "text/vtt") }

    /// A key. AVPlayer wants no type for it.
    public static var key: ContentType { ContentType(nil, "application/octet-stream") }

    /// Anything else.
    public static var data: ContentType { ContentType("public.data", "application/octet-stream") }
}
