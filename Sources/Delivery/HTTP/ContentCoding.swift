public import ByteScan

/// A content coding (RFC 9110 8.4.1): what has been done to a body, which cannot be edited before it is undone.
public enum ContentCoding: UInt8, Sendable {
    /// `gzip` or `x-gzip`.
    case gzip
    /// `deflate`.
    case deflate
    /// `br` (RFC 7932).
    case brotli
    /// `zstd` (RFC 8878).
    case zstandard
    /// `compress` or `x-compress`.
    case compress
    /// Another one, or several.
    case other

    init(_ name: ByteView) {
        self =
            if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") {
                .gzip
            } else if name.equalsIgnoringCase("deflate") {
                .deflate
            } else if name.equalsIgnoringCase("br") {
                .brotli
            } else if name.equalsIgnoringCase("zstd") {
                .zstandard
            } else if name.equalsIgnoringCase("compress") || name.equalsIgnoringCase("x-compress") {
                .compress
            } else {
                .other
            }
    }
}

extension ContentCoding: Described {
    /// The coding's name.
    public var message: Message {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .brotli: "brotli"
        case .zstandard: "zstandard"
        case .compress: "compress"
        case .other: "other"
        }
    }
}
