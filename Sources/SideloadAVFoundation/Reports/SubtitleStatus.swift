#if canImport(AVFoundation) && !os(watchOS)
public import Delivery

/// What has become of a track: whether the player was offered it, has asked for it, and what it got.
public struct SubtitleStatus: Sendable {
    /// How far it has come. Later versions may know more.
    @nonexhaustive
    public enum State: Sendable {
        /// The player has not asked for the multivariant playlist yet.
        case waiting
        /// It is in the multivariant playlist.
        case listed
        /// It is not, because of this.
        case leftOut(SubtitleLoaderError)
        /// The player has asked for its playlist or a file of it.
        case askedFor
        /// The player has got the file it asked for last, or was sent to it.
        case delivered
        /// The player has got a file without cues, because of this.
        case emptied(SubtitleLoaderError)
        /// A request for it failed, because of this.
        case failed(SubtitleLoaderError)
    }

    /// The number of the track, from 0.
    public let track: Int

    /// What it was to be called.
    public let name: String

    /// What the multivariant playlist calls it: its NAME. None if it is not there.
    public internal(set) var listedNames: [String] = []

    /// How far it has come.
    public internal(set) var state = State.waiting

    /// How its files were sent on their way; nil before the player has got its playlist, and if the policies name a
    /// server.
    public internal(set) var delivery: SubtitleDelivery?

    /// What is to be said of the live video beside which it follows; nil if it is beside none, or nobody knows yet.
    ///
    /// Their `messages` are sentences: that nobody knows what the cues' time 0 is, for instance.
    public internal(set) var live: LiveNotes?

    init(_ track: Int, _ name: String) {
        self.track = track
        self.name = name
    }

    /// Why it cannot be seen, if that is so.
    public var error: SubtitleLoaderError? {
        switch state {
        case .leftOut(let error), .emptied(let error), .failed(let error): error
        case .waiting, .listed, .askedFor, .delivered: nil
        }
    }
}

extension SubtitleStatus: CustomStringConvertible {
    /// The track, its state and its way, in words.
    public var description: String {
        let words =
            switch state {
            case .waiting: "nobody has asked yet"
            case .listed: "in the playlist"
            case .leftOut(let error): "left out: \(error)"
            case .askedFor: "asked for"
            case .delivered: "delivered"
            case .emptied(let error): "empty: \(error)"
            case .failed(let error): "failed: \(error)"
            }
        let notes = live.map { notes in notes.messages.reduce(", live") { "\($0); \($1)" } }
        return "track \(track + 1), \(name): \(words)" + (delivery.map { ", \($0.words)" } ?? "") + (notes ?? "")
    }
}
#endif
