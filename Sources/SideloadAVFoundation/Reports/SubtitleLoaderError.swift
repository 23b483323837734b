#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
internal import Encodings
public import Foundation

/// Why there is no loader, or why a request failed: what is wrong, and with which URL.
///
/// AVFoundation gets it as an NSError with the same domain, code and user info, which is what `AVPlayerItem.error`
/// leads to: in place of an error that has an underlying one it hands on that.
public struct SubtitleLoaderError: Error, Sendable {
    /// What kind of error it is; the values never change.
    @nonexhaustive
    public enum Code: Int, Sendable {
        /// The router refuses: an address of ours that is none, tracks that cannot be, a playlist that is none.
        case route = 1
        /// What was fetched is of no use.
        case unusable = 2
        /// The origin answered with a status that is no success, in ``SubtitleLoaderError/status``.
        case status = 3
        /// There was no answer, or it broke off; the underlying error says why.
        case noAnswer = 4
        /// The player asked for bytes past the end.
        case pastEnd = 5
        /// The system makes no URL of an address.
        case noURL = 6
        /// The format of a subtitle file is not known.
        case unknownFormat = 7
        /// The loader is gone; keep the asset.
        case released = 8
        /// Something that cannot be: report it.
        case unexpected = 9
        /// The multivariant playlist has no place for a track.
        case notListed = 10
        /// A configuration is not one.
        case configuration = 11
        /// The system does not know the encoding of a track.
        case unknownEncoding = 12
        /// The live video's playlist could not be had, or the stream has no such segment: `status` is 404, 502 or 504.
        case live = 13
        /// What a ``SubtitleWriter`` was given is no cue, or more than is kept.
        case cues = 14
        /// A ``SubtitleWriter`` cannot begin or go on: the track's cues come otherwise, somebody else writes them, or
        /// it has ended.
        case writer = 15
    }

    enum Kind: Sendable {
        case route(RouteError)
        case fetch(FetchError)
        case noAnswer(any Error)
        case pastEnd
        case noURL
        case unknownFormat
        case declined(DeclineReason)
        case unexpected
        case notListed
        case configuration(ConfigurationError)
        case encoding(UnknownEncodingError)
        case released
        case live(Int)
        case cues(GrowingError)
        case notGrowing
        case isWritten
        case hasEnded
        case cuesFile
    }

    let kind: Kind

    /// The URL at fault: the player's, or the origin's.
    public internal(set) var url: String

    init(_ kind: Kind, _ url: [UInt8]) {
        self.kind = kind
        self.url = String(decoding: url, as: UTF8.self)
    }

    /// Why the router has nothing for a request for `url`.
    init(of failure: Router.Request.Failure, _ url: [UInt8]) {
        switch failure {
        case .route(let error): self.init(.route(error), url)
        case .fetch(let error): self.init(.fetch(error), error.url)
        }
    }

    /// What kind of error it is.
    public var code: Code {
        switch kind {
        case .route: .route
        case .fetch(let error): error.status == nil ? .unusable : .status
        case .noAnswer: .noAnswer
        case .pastEnd: .pastEnd
        case .noURL: .noURL
        case .unknownFormat: .unknownFormat
        case .declined, .unexpected: .unexpected
        case .notListed: .notListed
        case .configuration: .configuration
        case .encoding: .unknownEncoding
        case .released: .released
        case .live: .live
        case .cues: .cues
        case .notGrowing, .isWritten, .hasEnded: .writer
        case .cuesFile: .configuration
        }
    }

    /// Why the router refuses, if that is the reason.
    public var route: RouteError? { if case .route(let error) = kind { error } else { nil } }

    /// Why something could not be fetched, if that is the reason.
    public var fetch: FetchError? { if case .fetch(let error) = kind { error } else { nil } }

    /// The status with which the origin answered, or that of an answer beside a live video, if that is the reason.
    public var status: Int? { if case .live(let status) = kind { status } else { fetch?.status } }

    /// Why cues were refused, and where in what was appended, if that is the reason.
    public var cues: GrowingError? { if case .cues(let error) = kind { error } else { nil } }

    /// What the transport said, if there was no answer.
    public var underlyingError: (any Error)? { if case .noAnswer(let error) = kind { error } else { nil } }
}

extension SubtitleLoaderError: LocalizedError, CustomStringConvertible {
    /// What is wrong and what to do, in words.
    public var description: String {
        switch kind {
        case .route(let error): "\(url): \(error)"
        case .fetch(let error): "\(url): \(error.reason)"
        case .noAnswer(let error): "\(url): no answer, or one that broke off: \(error)"
        case .pastEnd: "\(url): bytes past the end"
        case .noURL: "\(url): the system makes no URL of it"
        case .unknownFormat: "\(url): its end does not tell what it is; say its format"
        case .declined(let reason): "\(url): \(reason)"
        case .unexpected: "\(url): the fetch ended with something else than what was asked for"
        case .notListed: "\(url): the multivariant playlist has no variant that could have the track"
        case .configuration(let error): "\(error)"
        case .encoding(let error): "\(url): \(error)"
        case .released: "\(url): the loader is gone; keep the asset"
        case .live(404): "\(url): the live stream has no such segment"
        case .live(let status): "\(url): the live video's playlist could not be had, status \(status)"
        case .cues(let error): "track \(url): \(error)"
        case .notGrowing: "track \(url): its cues are not the app's to write; make it with ExternalSubtitle(growing:)"
        case .isWritten: "track \(url): somebody else writes its cues, or the loader is gone"
        case .hasEnded: "the writer has ended; begin another one"
        case .cuesFile: "\(url): a file of cues that grows is not read here; append its cues to a writer"
        }
    }

    /// The description: what AVPlayer's errors show.
    public var errorDescription: String? { description }
}

extension SubtitleLoaderError: CustomNSError {
    /// `Surtitle.SubtitleLoader`
    public static let errorDomain = "Surtitle.SubtitleLoader"

    /// The key of ``status`` in the user info.
    public static let statusKey = "SurtitleHTTPStatus"

    /// The value of ``code-swift.property``.
    public var errorCode: Int { code.rawValue }

    /// The description, the URL as Foundation's errors have it, the status, and the underlying error.
    public var errorUserInfo: [String: Any] {
        var information: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let failing = URL(keeping: Array(url.utf8)) { information[NSURLErrorFailingURLErrorKey] = failing }
        if let status { information[Self.statusKey] = status }
        if let underlyingError { information[NSUnderlyingErrorKey] = underlyingError }
        return information
    }

    /// The error as AVFoundation gets it. One of a Swift type alone would arrive as its type's name and 1.
    var nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }
}
#endif
