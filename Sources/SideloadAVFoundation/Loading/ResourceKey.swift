#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

/// What is made for a request, apart from which of its bytes are wanted: requests with the same key share it.
enum ResourceKey: Hashable {
    /// What is fetched from here, for this use.
    case fetched([UInt8], FetchedAs)
    /// The playlist that is made for a track.
    case subtitlePlaylist(track: Int)
    /// The file of a track.
    case subtitleFile(track: Int)

    /// ``FetchUse``, to be told apart.
    enum FetchedAs: Hashable {
        case master, mediaPlaylist, cues, key
        case subtitlePlaylist(track: Int)
    }

    /// Nil for a plan of which nothing is made.
    init?(_ plan: RoutePlan) {
        switch plan {
        case .fetch(let origin, let use):
            let kind: FetchedAs =
                switch use {
                case .master: .master
                case .mediaPlaylist: .mediaPlaylist
                case .subtitlePlaylist(let track): .subtitlePlaylist(track: track)
                case .cues: .cues
                case .key: .key
                }
            self = .fetched(origin.url, kind)
        case .subtitlePlaylist(let track): self = .subtitlePlaylist(track: track)
        case .subtitleFile(let track): self = .subtitleFile(track: track)
        case .redirect, .decline, .fail: return nil
        }
    }

    /// Whether it may be another one each time that it is asked for: a live playlist, a key.
    var changes: Bool {
        switch self {
        case .fetched(_, .mediaPlaylist), .fetched(_, .subtitlePlaylist), .fetched(_, .key): true
        case .fetched(_, .master), .fetched(_, .cues), .subtitlePlaylist, .subtitleFile: false
        }
    }
}
#endif
