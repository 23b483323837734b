internal import ByteScan
public import M3U8
internal import Sideload

/// A track's file as it is fetched: where it is, what it is, and how long the content plays, if that is known.
public struct FetchTrack: Equatable, Sendable {
    /// What a file is.
    public enum Format: UInt8, Sendable {
        /// WebVTT, which begins with `WEBVTT`.
        case webVTT
        /// SubRip, which becomes WebVTT. A file that begins with `WEBVTT` is WebVTT all the same.
        case subRip
        /// A subtitle playlist.
        case playlist
    }

    /// The absolute URL, as bytes.
    public var url: [UInt8]

    /// What the file is.
    public var format: Format

    /// How long the content plays; nil if that is to be found out.
    public var duration: DecimalSeconds?

    /// The file at `url`.
    public init(url: [UInt8], format: Format, duration: DecimalSeconds? = nil) {
        self.url = url
        self.format = format
        self.duration = duration
    }

    /// The file of a track that a configuration names, whose URI is resolved against `base` (RFC 3986 5).
    ///
    /// A WebVTT file whose path ends in `.srt` is SubRip.
    public init(_ track: TrackConfiguration, relativeTo base: [UInt8]) {
        let uri = Array(track.track.uri.utf8)
        let format: Format =
            switch track.source {
            case .playlist: .playlist
            case .subRip: .subRip
            case .webVTT: TrackURI(uri).isSubRip ? .subRip : .webVTT
            }
        self.init(url: FetchURL.resolve(uri, against: base), format: format, duration: track.duration)
    }
}

/// URLs as a fetch needs them.
enum FetchURL {
    /// The target of `reference`, relative to `base` (RFC 3986 5.2).
    static func resolve(_ reference: [UInt8], against base: [UInt8]) -> [UInt8] {
        unsafe reference.withUnsafeBytes { reference in
            unsafe base.withUnsafeBytes { base in
                resolve(unsafe ByteView(reference), against: unsafe ByteView(base))
            }
        }
    }

    static func resolve(_ reference: ByteView, against base: ByteView) -> [UInt8] {
        var output = ReusableBuffer<UInt8>()
        URIReference(reference).writeResolved(against: URIReference(base), into: &output)
        return Array(output.view)
    }

    /// Whether a request can be made for `url`: it is absolute, of http or https, and holds no byte that would break a request line.
    static func isFetchable(_ url: [UInt8]) -> Bool {
        for byte in url where byte <= ASCII.space || byte == 0x7F { return false }
        return unsafe url.withUnsafeBytes { bytes in
            let reference = unsafe URIReference(ByteView(bytes))
            guard let host = reference.host, !host.isEmpty else { return false }
            return reference.scheme != nil && reference.isRelativeOrHTTP
        }
    }

    /// A request has no fragment (RFC 9110 7.1).
    static func withoutFragment(_ url: [UInt8]) -> [UInt8] {
        url.firstIndex(of: ASCII.hash).map { Array(url[..<$0]) } ?? url
    }
}
