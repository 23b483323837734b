public import ByteScan
public import M3U8

/// Why no multivariant playlist can be made around a media playlist.
public struct WrappedVariantError: Error, Equatable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Reason: Equatable, Sendable {
        /// The playlist is none of media, but this.
        case notMedia(PlaylistVerdict)
        /// The URI is empty, begins with `#`, begins or ends with a space, holds a control character, or `{$`, which
        /// players take for a variable (8216bis 4.3).
        case uri
        /// BANDWIDTH is 0.
        case bandwidth
        /// CODECS is empty, or holds a quote, a control character or `{$`.
        case codecs
        /// RESOLUTION is not like `1280x720`.
        case resolution
        /// FRAME-RATE is not like `23.976`, or not there beside a VIDEO-RANGE of HLG or PQ.
        case frameRate
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
        case .frameRate: "the frame rate is not of the form 23.976, or missing beside HDR; give one that is"
        case .notMedia: "no media playlist; give one"
        }
    }
}
