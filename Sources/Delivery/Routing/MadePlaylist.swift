internal import ByteScan
public import M3U8
public import Sideload

/// A media playlist that is made of a list of segments and their keys, for a player that is to get them by addresses of
/// ours.
///
///     #EXT-X-KEY:METHOD=AES-128,URI="surtitle-key-https://example.com/k1",IV=0x…
///     #EXTINF:10.000,
///     https://example.com/1.ts
public struct MadePlaylist: Sendable {
    /// A key, and the segments from which on it counts (RFC 8216 4.3.2.4).
    public struct Key: Equatable, Sendable {
        /// METHOD.
        public enum Method: Sendable {
            /// `AES-128`
            case aes128
            /// `SAMPLE-AES`
            case sampleAES
        }

        /// How segments are encrypted.
        public let method: Method

        /// Where the key is at the origin.
        public let uri: [UInt8]

        /// IV: 16 bytes; nil if it is the number of the segment.
        public let vector: [UInt8]?

        /// A key.
        public init(_ method: Method = .aes128, uri: [UInt8], vector: [UInt8]? = nil) {
            self.method = method
            self.uri = uri
            self.vector = vector
        }

        /// A key.
        public init(_ method: Method = .aes128, uri: String, vector: [UInt8]? = nil) {
            self.init(method, uri: Array(utf8: uri), vector: vector)
        }
    }

    /// A media segment.
    public struct Segment: Equatable, Sendable {
        /// Where it is at the origin.
        public let uri: [UInt8]

        /// How long it plays; above 0.
        public let duration: MediaDuration

        /// Its key; nil if it is not encrypted.
        public let key: Key?

        /// A segment.
        public init(uri: [UInt8], duration: MediaDuration, key: Key? = nil) {
            self.uri = uri
            self.duration = duration
            self.key = key
        }

        /// A segment.
        public init(uri: String, duration: MediaDuration, key: Key? = nil) {
            self.init(uri: Array(utf8: uri), duration: duration, key: key)
        }
    }

    /// The segments, in order.
    public var segments: [Segment]

    /// A playlist of `segments`.
    public init(_ segments: [Segment]) { self.segments = segments }
}

extension Router {
    /// The media playlist that `playlist` describes: complete, with addresses of segments and keys as the policies have
    /// them.
    ///
    /// Relative URIs are relative to the multivariant playlist.
    ///
    /// - Throws: ``RouteError`` if there is no segment, a segment does not play for some time, a URI would break its
    ///   line, or an IV has not 16 bytes.
    public func mediaPlaylist(_ playlist: MadePlaylist) throws(RouteError) -> Resource {
        var key: MadePlaylist.Key?
        var segments: [SubtitlePlaylist.Segment] = []
        for segment in playlist.segments {
            let uri = uri(segment.uri, as: policies.segments == .redirect ? .segment : nil)
            var written = SubtitlePlaylist.Segment(uri: uri, duration: segment.duration)
            if segment.key != key { written.key = try line(of: segment.key) }
            key = segment.key
            segments.append(written)
        }
        let made = try refusing(try SubtitlePlaylist(segments: segments)) { RouteError(.playlist($0)) }
        return Resource(made.bytes, .playlist)
    }

    /// The line that says which key counts from here on.
    private func line(of key: MadePlaylist.Key?) throws(RouteError) -> [UInt8] {
        guard let key else { return Array(ByteView("#EXT-X-KEY:METHOD=NONE\n")) }
        let uri = uri(key.uri, as: policies.keys == .player ? nil : .key)
        guard uri.withView({ !$0.isEmpty && !$0.hasControlCharacter }), !uri.contains(ASCII.quote),
            key.vector?.count ?? 16 == 16
        else { throw RouteError(.key, name: key.uri) }
        let method: StaticString = key.method == .aes128 ? "AES-128" : "SAMPLE-AES"
        var line = Array(ByteView("#EXT-X-KEY:METHOD=")) + Array(ByteView(method))
        line += Array(ByteView(",URI=\"")) + uri + [ASCII.quote]
        if let vector = key.vector {
            line += ByteView(",IV=0x")
            for byte in vector {
                line += [ASCII.hexadecimalDigit(byte >> 4), ASCII.hexadecimalDigit(byte & 15)]
            }
        }
        return line + [ASCII.lineFeed]
    }

    /// `reference` made absolute, and as an address for `role` if there is one.
    private func uri(_ reference: [UInt8], as role: RouteRole?) -> [UInt8] {
        guard !reference.isEmpty else { return [] }
        let url = master.resolving(reference)
        return role.flatMap { addresses.address(of: url, as: $0) } ?? url
    }
}
