internal import ByteScan
internal import M3U8

// A video that comes as a media playlist alone, a single rendition, has no place for subtitles: EXT-X-MEDIA belongs
// into a multivariant playlist (8216bis 4.4.6.1). So one is made around it, with the media playlist as its only
// variant, and the tracks go into that:
//
//     #EXTM3U
//     #EXT-X-STREAM-INF:BANDWIDTH=2000000
//     video.m3u8
//
// BANDWIDTH must be there (4.4.6.2). With one variant no player chooses by it, so a default does no harm. The others
// are only written if somebody knows them. HDR is told by VIDEO-RANGE, beside which FRAME-RATE must be there (Apple's
// HLS Authoring Specification); a receiver that shows none may refuse such a multivariant playlist, where it played
// the media playlist.

/// The one variant of a multivariant playlist that is made around a media playlist.
///
///     let variant = WrappedVariant(uri: "video.m3u8")
///     let master = try variant.playlist(around: mediaPlaylist)
///     let whole = try tracks.sideloaded(into: master)
public struct WrappedVariant: Equatable, Sendable {
    /// The BANDWIDTH of a media playlist that tells none: 2 Mbit/s.
    public static let defaultBandwidth: UInt64 = 2_000_000

    /// URI of the media playlist, absolute or relative to the playlist that is made.
    public var uri: String

    /// BANDWIDTH, in bits per second; nil for what the media playlist tells, or else ``defaultBandwidth``.
    public var bandwidth: UInt64?

    /// CODECS (RFC 6381); nil leaves the attribute out.
    public var codecs: String?

    /// RESOLUTION, as in `1280x720`; nil leaves the attribute out.
    public var resolution: String?

    /// FRAME-RATE, in frames a second, as in `23.976`; nil leaves the attribute out.
    public var frameRate: String?

    /// VIDEO-RANGE; nil leaves the attribute out, which means SDR (8216bis 4.4.6.2).
    public var videoRange: VideoRange?

    /// The values of VIDEO-RANGE.
    public enum VideoRange: Sendable {
        /// `SDR`
        case sdr
        /// `HLG`
        case hlg
        /// `PQ`
        case pq
    }

    /// A variant with the media playlist at `uri`.
    public init(
        uri: String, bandwidth: UInt64? = nil, codecs: String? = nil, resolution: String? = nil,
        frameRate: String? = nil, videoRange: VideoRange? = nil
    ) {
        self.uri = uri
        self.bandwidth = bandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.frameRate = frameRate
        self.videoRange = videoRange
    }

    /// Whether it says that the video is HDR, which a receiver without HDR may refuse.
    public var isHDR: Bool { videoRange == .hlg || videoRange == .pq }

    /// The multivariant playlist around `media`, in a new array. Lines end in LF.
    ///
    /// - Throws: ``WrappedVariantError`` for a value that would break out of its line or its quotes, and if `media` is
    ///   no media playlist.
    /// - Complexity: O(*n*) for a playlist of *n* bytes.
    public func playlist(around media: [UInt8]) throws(WrappedVariantError) -> [UInt8] {
        let facts = PlaylistFacts(of: media, asking: .bitRate)
        guard facts.verdict == .media else { throw WrappedVariantError(.notMedia(facts.verdict)) }
        return try playlist(measured: facts.peak)
    }

    /// The multivariant playlist around a media playlist whose segments have at most `measured` bits per second, if
    /// that is known.
    ///
    /// - Throws: ``WrappedVariantError`` for a value that would break out of its line or its quotes.
    public func playlist(measured: UInt64?) throws(WrappedVariantError) -> [UInt8] {
        try check()
        var text = Array(ByteView("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH="))
        text += DecimalDigits(bandwidth ?? measured ?? Self.defaultBandwidth)
        func append(_ name: StaticString, _ value: String?, _ end: StaticString = "") {
            if let value { text += ByteView(name) + Array(utf8: value) + ByteView(end) }
        }
        append(",CODECS=\"", codecs, "\"")
        append(",RESOLUTION=", resolution)
        append(",FRAME-RATE=", frameRate)
        switch videoRange {
        case .sdr: text += ByteView(",VIDEO-RANGE=SDR")
        case .hlg: text += ByteView(",VIDEO-RANGE=HLG")
        case .pq: text += ByteView(",VIDEO-RANGE=PQ")
        case nil: break
        }
        text.append(ASCII.lineFeed)
        text += Array(utf8: uri)
        text.append(ASCII.lineFeed)
        return text
    }

    private func check() throws(WrappedVariantError) {
        let uri = Array(utf8: uri)
        let isLine = uri.withView { !$0.hasControlCharacter && !URIReference($0).holdsVariable }
        // Blanks at either end would not be read back; a hash would make the line a comment (RFC 8216 4.1).
        guard let first = uri.first, let last = uri.last, isLine, first != ASCII.hash, first != ASCII.space,
            last != ASCII.space
        else { throw WrappedVariantError(.uri) }
        if bandwidth == 0 { throw WrappedVariantError(.bandwidth) }
        if let codecs {
            let isQuotable = codecs.withView { !$0.isEmpty && $0.isQuotable && !URIReference($0).holdsVariable }
            guard isQuotable else { throw WrappedVariantError(.codecs) }
        }
        if let resolution, !Self.isResolution(Array(utf8: resolution)) { throw WrappedVariantError(.resolution) }
        guard frameRate.map({ Self.isFrameRate(Array(utf8: $0)) }) ?? !isHDR else {
            throw WrappedVariantError(.frameRate)
        }
    }

    /// Whether `text` is a number above 0, with at most three digits after a point (8216bis 4.4.6.2).
    private static func isFrameRate(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: ASCII.period, omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && (1...4).contains(parts[0].count) && parts.last?.isEmpty == false
            && (parts.count == 1 || parts[1].count <= 3)
            && text.allSatisfy { ASCII.isDigit($0) || $0 == ASCII.period }
            && text.contains { ASCII.isDigit($0) && $0 != ASCII.zero }
    }

    /// Whether `text` is two whole numbers above 0 with an `x` in between (RFC 8216 4.2).
    private static func isResolution(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        for part in parts {
            guard (1...9).contains(part.count), part.allSatisfy(ASCII.isDigit),
                part.contains(where: { $0 != ASCII.zero })
            else { return false }
        }
        return true
    }
}
