internal import ByteScan

/// Bytes in memory that a player asks for: what they are, and how many.
public struct Resource: Equatable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// What they are.
    public let contentType: ContentType

    /// A resource.
    public init(_ bytes: [UInt8], _ contentType: ContentType) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// What a player is told of the resource: its length is that of these bytes, and any range of them can be had.
    public var information: ResourceInformation {
        ResourceInformation(contentType: contentType, length: bytes.count, servesRanges: true)
    }
}

/// What a player is told of a resource before its bytes.
public struct ResourceInformation: Equatable, Sendable {
    /// What it is.
    public let contentType: ContentType

    /// How many bytes it has.
    public let length: Int

    /// Whether ranges of it can be asked for.
    public let servesRanges: Bool

    package init(contentType: ContentType, length: Int, servesRanges: Bool) {
        (self.contentType, self.length, self.servesRanges) = (contentType, length, servesRanges)
    }
}

/// What a player's request gets of a resource.
public struct ResourceAnswer: Equatable, Sendable {
    /// The bytes that it gets.
    public enum Data: Equatable, Sendable {
        /// None, and the request is finished.
        case none
        /// These bytes of the resource.
        case range(Range<Int>)
        /// None: the request is for bytes past the end, or its numbers make no sense.
        case unsatisfiable
    }

    /// What the player is told; nil if it is told nothing.
    public let information: ResourceInformation?

    /// The bytes that the player gets.
    public let data: Data

    /// An answer.
    public init(information: ResourceInformation?, data: Data) {
        self.information = information
        self.data = data
    }
}

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
