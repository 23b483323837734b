public import ByteScan

/// Why a segment has no first time stamp.
@nonexhaustive
public enum MediaStartError: UInt8, Error, Sendable {
    /// The bytes are no media: text, or a format that is none of HLS.
    case notMedia
    /// The bytes look like noise, as those of a segment do that is encrypted whole, or all its streams are scrambled.
    case encrypted
    /// The segment ends without a time stamp of audio or video.
    case noTimestamp
    /// The limit of bytes was reached before a time stamp.
    case tooLong
    /// Fragments of an MP4 file came without its `moov` box, which has their time scales.
    case noInitSegment
    /// A box or an ID3 frame does not fit into the one around it, or lacks fields.
    case malformed
    /// There are more audio and video streams than the limit.
    case tooManyStreams
    /// The ID3 tag is unsynchronised (ID3v2.4 6.1), which is not undone here.
    case unsynchronisedTag
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
        case .unsynchronisedTag: "the ID3 tag is unsynchronised, which is not read; package the segment again"
        }
    }
}
