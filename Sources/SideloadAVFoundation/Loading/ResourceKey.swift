#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

/// What is made for a request, apart from which of its bytes are wanted: requests with the same key share it.
struct ResourceKey: Hashable {
    private enum Kind: Hashable {
        case master, mediaPlaylist, cues, key
        /// A track's playlist at the origin, its playlist that is made here, and its file.
        case givenPlaylist(track: Int)
        case madePlaylist(track: Int)
        case file(track: Int)
    }

    private let kind: Kind
    /// Where it is fetched from; empty if the router knows.
    private let url: [UInt8]

    /// Nil for a plan of which nothing is made.
    init?(_ plan: RoutePlan) {
        switch plan {
        case .fetch(let origin, let use):
            url = origin.url
            kind =
                switch use {
                case .master: .master
                case .mediaPlaylist: .mediaPlaylist
                case .subtitlePlaylist(let track): .givenPlaylist(track: track)
                case .cues: .cues
                case .key: .key
                }
        case .subtitlePlaylist(let track):
            url = []
            kind = .madePlaylist(track: track)
        case .subtitleFile(let track), .emptyFile(let track):
            url = []
            kind = .file(track: track)
        case .redirect, .decline, .fail: return nil
        }
    }

    /// Whether it may be another one each time that it is asked for: a live playlist, a key.
    var changes: Bool {
        switch kind {
        case .mediaPlaylist, .givenPlaylist, .key: true
        case .master, .cues, .madePlaylist, .file: false
        }
    }

    /// The key of a cache. What has been read and what has not have different ones.
    func bytes(isRead: Bool) -> [UInt8] { Array("\(kind) \(isRead) ".utf8) + url }
}
#endif
