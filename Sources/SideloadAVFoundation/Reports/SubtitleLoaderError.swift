#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
public import Foundation

/// Why there is no loader, or why a request failed: what is wrong, and with which URL.
public struct SubtitleLoaderError: Error, Sendable {
    enum Kind: Sendable {
        case route(RouteError)
        case fetch(FetchError)
        case noAnswer(any Error)
        case pastEnd
        case noURL
        case unknownFormat
        case declined(DeclineReason)
        case unexpected
        case released
    }

    let kind: Kind

    /// The URL at fault: the player's, or the origin's.
    public let url: String

    init(_ kind: Kind, _ url: [UInt8]) {
        self.kind = kind
        self.url = String(decoding: url, as: UTF8.self)
    }

    /// Why the router refuses, if that is the reason.
    public var route: RouteError? { if case .route(let error) = kind { error } else { nil } }

    /// Why something could not be fetched, if that is the reason.
    public var fetch: FetchError? { if case .fetch(let error) = kind { error } else { nil } }

    /// The status with which the origin answered, if that is the reason.
    public var status: Int? { fetch?.status }

    /// What the transport said, if there was no answer.
    public var underlyingError: (any Error)? { if case .noAnswer(let error) = kind { error } else { nil } }

    /// Whether the loader went away before the answer came.
    public var isReleased: Bool { if case .released = kind { true } else { false } }

    /// Whether the format of a subtitle file is not known.
    public var isUnknownFormat: Bool { if case .unknownFormat = kind { true } else { false } }

    /// Whether the player asked for bytes past the end.
    public var isPastEnd: Bool { if case .pastEnd = kind { true } else { false } }
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
        case .released: "\(url): the loader is gone; keep the asset"
        }
    }

    /// The description: what AVPlayer's errors show.
    public var errorDescription: String? { description }
}
#endif
