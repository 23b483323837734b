public import ByteScan
public import Sideload
public import WebVTT

/// Why a job came to nothing: what is wrong, and with which resource.
public struct FetchError: Error, Equatable, Sendable {
    /// What a policy for missing tracks tells apart.
    public enum Category: UInt8, Sendable {
        /// It is not there: 404 or 410.
        case missing
        /// Another answer of the origin's: 4xx, 5xx, a redirect that nobody followed.
        case refused
        /// No answer, or one that broke off.
        case network
        /// It came, and is of no use.
        case unusable
        /// A limit was reached.
        case limit
    }

    /// What is wrong.
    @nonexhaustive
    public enum Reason: Equatable, Sendable {
        /// There was no answer, or it broke off.
        case network
        /// A part came although the whole was asked for.
        case partNotAskedFor
        /// The body is shorter or longer than its length says.
        case wrongLength
        /// The job would take more requests than the limit.
        case tooManyRequests
        /// The file does not begin with `WEBVTT`, or is empty.
        case notSubtitles
        /// It does not begin with `#EXTM3U`.
        case notPlaylist
        /// It is an MP4 file, where a playlist should be.
        case movie
        /// No cue of the file, or segment of the playlist, ends after 0.
        case noCue
        /// A multivariant playlist without a variant, or a variant that is one itself.
        case noVariant
        /// A media playlist without a segment that is no gap.
        case noSegment
        /// A line before the first segment cannot be read: EXTINF, a byte range, EXT-X-MAP, or a URI that is too long.
        case malformedPlaylist
        /// The URI that is needed holds a variable (8216bis 4.3), which is not put in.
        case variable
        /// The URL is not absolute, not of http or https, or holds a byte that none may hold.
        case notHTTP
        /// The header fields of a response are longer than the limit of ``HeaderFields``.
        case fieldsTooLong
        /// The origin answered with this status.
        case status(Int)
        /// The origin redirected, and nobody has followed.
        case redirect(FetchRedirect)
        /// The body is encoded although `identity` was asked for.
        case encoded(ContentCoding)
        /// There is more than this limit, in bytes.
        case tooLong(limit: Int)
        /// The file is no WebVTT, and cannot be turned into it.
        case transcoding(TranscodingError)
        /// A line of the file is too long for its times to be shifted.
        case shift(CueShiftError)
        /// The segment is encrypted by a method other than AES-128, or by the key of a key system.
        case keySystem
        /// The segment could not be decrypted: the key has not 16 bytes, or is another one, or nobody was able to.
        case decryption
        /// The segment tells no time stamp; it is encrypted, for instance.
        case media(MediaStartError)

        /// What a policy tells apart.
        public var category: Category {
            switch self {
            case .network: .network
            case .status(404), .status(410): .missing
            case .status, .redirect: .refused
            case .tooLong, .tooManyRequests, .fieldsTooLong: .limit
            default: .unusable
            }
        }
    }

    /// What is wrong.
    public let reason: Reason

    /// What was asked for.
    public let purpose: FetchRequest.Purpose

    /// The URL that was asked for.
    public let url: [UInt8]

    /// The status with which the origin answered, if that is the reason.
    public var status: Int? {
        switch reason {
        case .status(let code): code
        case .redirect(let found): found.status
        default: nil
        }
    }
}

/// A redirect that whoever fetches has not followed.
public struct FetchRedirect: Equatable, Sendable {
    /// The status, with which it came: 301, 302, 303, 307 or 308.
    public let status: Int

    /// The URL that answered.
    public let source: [UInt8]

    /// Where it leads: an absolute URL, http or https.
    public let target: [UInt8]
}

extension FetchError.Reason: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        switch self {
        case .network: "no answer, or one that broke off; try again"
        case .partNotAskedFor: "a part came although the whole was asked for; look into the origin"
        case .wrongLength: "the body is shorter or longer than its length says; look into the origin"
        case .tooManyRequests: "more requests than the limit; raise it"
        case .notSubtitles: "neither WebVTT nor what it was said to be; give another file"
        case .notPlaylist: "the first line is not #EXTM3U; give a playlist"
        case .movie: "an MP4 file, which has no place for subtitles from elsewhere; give the playlist of an HLS stream"
        case .noCue: "nothing in it ends after 0; give the track's duration"
        case .noVariant: "no variant that is a media playlist; give one"
        case .noSegment: "no segment but gaps; give a playlist with segments"
        case .malformedPlaylist: "a line before the first segment cannot be read; repair it"
        case .variable: "the URI holds a variable that has no value"
        case .notHTTP: "no absolute http or https URL; give one"
        case .fieldsTooLong: "the header fields are longer than the limit; look into the origin"
        case .redirect(let found): "status \(found.status), a redirect to \(found.target) that was not followed"
        case .status(let code) where 300..<400 ~= code: "status \(code), a redirect that was not followed"
        case .status(let code): "status \(code)"
        case .encoded(let coding): "encoded (\(coding)) although identity was asked for; look into the origin"
        case .tooLong(let limit): "more than the limit of \(limit) bytes; raise it"
        case .transcoding(let error): error.message
        case .shift(let error): error.message
        case .keySystem: "encrypted by a method or a key system that is not read here; give the map"
        case .decryption: "it cannot be decrypted with the key that came; give another key, or the map"
        case .media(let error): error.message
        }
    }
}

extension FetchError: Described {
    /// Which resource it is about, and what is wrong with it.
    public var message: Message { "\(url): \(reason)" }
}
