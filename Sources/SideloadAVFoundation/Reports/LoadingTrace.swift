#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
public import Encodings
public import Foundation
public import Sideload

/// Something that happened to a request, for logs.
public struct LoadingEvent: Sendable {
    /// What happened. Later versions may know more.
    public enum Kind: Sendable {
        /// It came, and this is what it will get. What is declined goes to the app's own delegate.
        case planned(RoutePlan)
        /// This is asked of an origin for it.
        case fetching
        /// It got this.
        case answered(ResourceAnswer)
        /// It was sent here.
        case redirected(URL)
        /// The video's media playlist was wrapped into a multivariant one, with this variant. If that is HDR, a
        /// receiver without HDR may refuse it, where it would play the media playlist.
        case wrapped(WrappedVariant)
        /// Some of a file of subtitles is no character: another encoding may be the right one,
        /// ``ExternalSubtitle/encoding``.
        case malformed(MalformedText)
        /// A track's files were sent on their way. It is about the track's playlist.
        case delivered(SubtitleDelivery)
        /// A file has no map, because of this: its cues may be too early.
        case noMap(SubtitleLoaderError)
        /// The video is live, and this is to be said of it. It is about the multivariant playlist.
        case live(LiveNotes)
        /// Addresses that the player has been given lead nowhere any more: the item must be loaded again.
        case moved
        /// It failed.
        case failed(SubtitleLoaderError)
        /// The player wanted it no longer.
        case cancelled
    }

    /// What was asked for: the player's URL, or for ``Kind/fetching`` the origin's.
    public let url: String
    /// What happened.
    public let kind: Kind
}

extension LoadingEvent: CustomStringConvertible {
    /// The event in words.
    public var description: String {
        switch kind {
        case .planned(let plan): "\(url): \(plan)"
        case .fetching: "\(url): fetching"
        case .answered(let answer): "\(url): answered, \(answer.inWords)"
        case .redirected(let target): "\(url): redirected to \(target.absoluteString)"
        case .wrapped(let variant):
            "\(url): wrapped around \(variant.uri)"
                + (variant.isHDR ? ", which a receiver without HDR may refuse" : "")
        case .malformed(let text): "\(url): \(text)"
        case .delivered(let delivery): "\(url): \(delivery)"
        case .noMap(let error): "\(url): no map, so its cues may be too early: \(error)"
        case .live(let notes): "\(url): \(notes.messages.map { "\($0)" }.joined(separator: "; "))"
        case .moved: "\(url): load the item again"
        case .failed(let error): "\(url): failed: \(error)"
        case .cancelled: "\(url): cancelled"
        }
    }
}

extension ResourceAnswer {
    fileprivate var inWords: String {
        let told = information.map { "told of \($0.length) bytes, " } ?? ""
        return switch data {
        case .none: told + "no bytes"
        case .range(let range): told + "bytes \(range.lowerBound)..<\(range.upperBound)"
        case .unsatisfiable: told + "past the end"
        }
    }
}

/// Where events go, if anywhere.
struct LoadingTrace: Sendable {
    let receive: (@Sendable (LoadingEvent) -> Void)?

    func note(_ kind: @autoclosure () -> LoadingEvent.Kind, _ url: @autoclosure () -> [UInt8]) {
        receive?(LoadingEvent(url: String(decoding: url(), as: UTF8.self), kind: kind()))
    }
}
#endif
