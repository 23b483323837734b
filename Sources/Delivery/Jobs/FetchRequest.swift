internal import ByteScan

/// A part of a resource that is asked for (RFC 9110 14.1.2).
public enum FetchRange: Equatable, Sendable {
    /// The bytes from the first to the last of these positions.
    case bytes(ClosedRange<Int>)
    /// So many last bytes, or all if there are fewer.
    case suffix(Int)

    /// The value of Range: `bytes=0-15` or `bytes=-16384`.
    public var value: [UInt8] {
        var value = Array(ByteView("bytes="))
        switch self {
        case .bytes(let range):
            value += DecimalDigits(UInt64(range.lowerBound.magnitude))
            value.append(ASCII.hyphen)
            value += DecimalDigits(UInt64(range.upperBound.magnitude))
        case .suffix(let count):
            value.append(ASCII.hyphen)
            value += DecimalDigits(UInt64(count.magnitude))
        }
        return value
    }
}

/// A request that is to be made next.
///
/// Whoever makes it follows redirects as its client does, and adds fields of its own: those of the player and the app,
/// but none that are among ``fields``, no other condition, and none that belong to a connection.
public struct FetchRequest: Equatable, Sendable {
    /// What the answer is for.
    public enum Purpose: UInt8, Sendable {
        /// A file of subtitles, or a part of it.
        case subtitles
        /// A subtitle playlist.
        case subtitlePlaylist
        /// The multivariant or media playlist of a video.
        case videoPlaylist
        /// The media initialization section of a video's first segment.
        case initialization
        /// A video's first segment.
        case segment
        /// A key that is handed out.
        case key
        /// The key of a video's first segment, which is read by it and handed to nobody.
        case segmentKey
    }

    /// A header field of the request.
    public struct Field {
        /// The name.
        public let name: StaticString
        /// The value, without CR, LF or NUL.
        public let value: [UInt8]
    }

    /// What the answer is for.
    public let purpose: Purpose

    /// The absolute URL, http or https, without a fragment.
    public let url: [UInt8]

    /// The part that is asked for; nil for the whole.
    public let range: FetchRange?

    /// The entity tag with which the part must come, else the whole (RFC 9110 13.1.5): a strong one, with its quotes.
    public let ifRange: [UInt8]?

    /// The encoding of the body, as iconv calls it, if it is not UTF-8: whoever makes the request decodes the body
    /// before it is written, as `TextDecoder` does. Then no part is asked for, and how long the body must be is not
    /// known.
    public let encoding: [UInt8]?

    /// The most bytes of a body that are of use, whatever comes.
    public let byteLimit: Int

    package init(
        purpose: Purpose, url: [UInt8], range: FetchRange? = nil, ifRange: [UInt8]? = nil, encoding: [UInt8]? = nil,
        byteLimit: Int
    ) {
        self.purpose = purpose
        self.url = url
        self.range = range
        self.ifRange = ifRange
        self.encoding = encoding
        self.byteLimit = byteLimit
    }

    /// The method: always `GET`.
    public var method: StaticString { "GET" }

    /// The fields that the request must have: Accept-Encoding, and Range and If-Range for a part.
    public var fields: [Field] {
        var fields = [Field(name: "Accept-Encoding", value: Array(ByteView("identity")))]
        if let range { fields.append(Field(name: "Range", value: range.value)) }
        if let ifRange { fields.append(Field(name: "If-Range", value: ifRange)) }
        return fields
    }
}

/// The beginning of a response to a ``FetchRequest``, beside its fields.
public struct FetchResponse: Equatable, Sendable {
    /// The status code, after redirects.
    public var status: Int

    /// The URL that answered, if a redirect led there; nil if it is the request's. Relative URIs are resolved against
    /// it.
    public var url: [UInt8]?

    /// Whether whoever fetches undoes content codings by itself, whatever Content-Encoding says, as URLSession does.
    public var isDecoded: Bool

    /// The beginning of a response.
    public init(status: Int, url: [UInt8]? = nil, isDecoded: Bool = false) {
        self.status = status
        self.url = url
        self.isDecoded = isDecoded
    }
}
