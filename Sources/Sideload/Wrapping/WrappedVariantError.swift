public import ByteScan
public import M3U8

/// Why no multivariant playlist can be made around a media playlist.
public struct WrappedVariantError: Error, Equatable, Sendable {
    /// What is wrong. Later versions may know more reasons.
    public struct Reason: Equatable, Sendable {
        private let code: UInt8

        /// What the playlist is, if it is no media playlist.
        public let verdict: PlaylistVerdict?

        private init(_ code: UInt8, _ verdict: PlaylistVerdict? = nil) {
            self.code = code
            self.verdict = verdict
        }

        /// The playlist is none of media.
        public static func notMedia(_ verdict: PlaylistVerdict) -> Reason { Reason(0, verdict) }
        /// The URI is empty, begins with `#`, begins or ends with a space, holds a control character, or `{$`, which players take for a
        /// variable (8216bis 4.3).
        public static var uri: Reason { Reason(1) }
        /// BANDWIDTH is 0.
        public static var bandwidth: Reason { Reason(2) }
        /// CODECS is empty, or holds a quote, a control character or `{$`.
        public static var codecs: Reason { Reason(3) }
        /// RESOLUTION is not like `1280x720`.
        public static var resolution: Reason { Reason(4) }
    }

    /// What is wrong.
    public let reason: Reason

    init(_ reason: Reason) { self.reason = reason }
}

extension WrappedVariantError: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        switch reason {
        case .uri: "the media playlist's URI cannot stand on a line of a playlist; percent-encode it"
        case .bandwidth: "the bandwidth is 0; give bits per second"
        case .codecs: "the codecs are empty, or hold a quote, a control character or a variable; give RFC 6381 names"
        case .resolution: "the resolution is not of the form 1280x720; give one that is"
        default: "no media playlist; give one"
        }
    }
}
