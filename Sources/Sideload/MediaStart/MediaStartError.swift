public import ByteScan

/// Why a segment has no first time stamp.
public struct MediaStartError: Error, Equatable, Sendable {
    private let code: UInt8

    private init(_ code: UInt8) { self.code = code }

    /// The bytes are no media: text, or a format that is none of HLS.
    public static var notMedia: MediaStartError { MediaStartError(0) }
    /// The bytes look like noise, as those of a segment do that is encrypted whole, or all its streams are scrambled.
    public static var encrypted: MediaStartError { MediaStartError(1) }
    /// The segment ends without a time stamp of audio or video.
    public static var noTimestamp: MediaStartError { MediaStartError(2) }
    /// The limit of bytes was reached before a time stamp.
    public static var tooLong: MediaStartError { MediaStartError(3) }
    /// Fragments of an MP4 file came without its `moov` box, which has their time scales.
    public static var noInitSegment: MediaStartError { MediaStartError(4) }
    /// A box or an ID3 frame does not fit into the one around it, or lacks fields.
    public static var malformed: MediaStartError { MediaStartError(5) }
    /// There are more audio and video streams than the limit.
    public static var tooManyStreams: MediaStartError { MediaStartError(6) }
    /// The ID3 tag is unsynchronised (ID3v2.4 6.1), which is not undone here.
    public static var unsynchronisedTag: MediaStartError { MediaStartError(7) }
}

extension MediaStartError: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        switch self {
        case .notMedia: "no media segment; give MPEG-TS, fragmented MP4 or packed audio"
        case .encrypted: "the segment is encrypted; give it decrypted"
        case .noTimestamp: "no time stamp of audio or video; give a whole segment, of packed audio with its ID3 tag"
        case .tooLong: "no time stamp of audio or video within the limit of bytes; raise it"
        case .noInitSegment: "fragmented MP4 without its init segment; give that before it"
        case .malformed: "a box or an ID3 frame is broken; package the segment again"
        case .tooManyStreams: "more audio and video streams than the limit; raise it"
        default: "the ID3 tag is unsynchronised, which is not read; package the segment again"
        }
    }
}
