/// What a request gets.
public enum RoutePlan: Equatable, Sendable {
    /// A redirect (302) to this URL.
    case redirect(to: [UInt8])
    /// Something of the origin: it is fetched, and used as `use` says.
    case fetch(OriginRequest, use: FetchUse)
    /// The subtitle playlist that is made for a track: ``Router/subtitlePlaylist(of:lasting:options:)``.
    case subtitlePlaylist(track: Int)
    /// The WebVTT file of a track, which ``Router/tracks`` describes.
    case subtitleFile(track: Int)
    /// A WebVTT file without cues, since the playlist of a track is missing: ``Router/missingFile(map:)``.
    case emptyFile(track: Int)
    /// Nothing: the request is not ours, and is left to others.
    case decline(DeclineReason)
    /// An error: the request is ours, and there is nothing that it could get.
    case fail(RouteError)
}

extension RoutePlan {
    /// Whether a resource comes of it, of which the request is answered.
    public var givesResource: Bool {
        switch self {
        case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile: true
        case .redirect, .decline, .fail: false
        }
    }
}

/// What is fetched from the origin: all of it, with GET.
public struct OriginRequest: Equatable, Sendable {
    /// The origin's URL.
    public let url: [UInt8]

    /// The player's and the app's header fields, without those that are about the player's own request or connection.
    public let headers: [HeaderLine]

    /// A request for `url` with `headers`.
    public init(url: [UInt8], headers: [HeaderLine]) {
        self.url = url
        self.headers = headers
    }
}

/// What becomes of the bytes that were fetched.
public enum FetchUse: Equatable, Sendable {
    /// They are a multivariant playlist, which gets the tracks, if their content says so: ``Router/master(_:from:leavingOut:)``.
    case master
    /// They are a media playlist, whose URIs are mapped: ``Router/mediaPlaylist(_:from:)``.
    case mediaPlaylist
    /// They are the subtitle playlist of a track, whose WebVTT files get addresses of ours: ``Router/givenPlaylist(_:from:)``.
    case subtitlePlaylist(track: Int)
    /// They are a WebVTT file of a subtitle playlist that somebody else made, handed over as it is, or with another map.
    case cues
    /// They are a key, handed over as it is: ``Router/key(_:)``.
    case key
}

/// Why a request is not ours.
public enum DeclineReason: Equatable, Sendable {
    /// Its URL is none of our addresses.
    case otherURL
    /// Its URL names a key of a key system: `skd:`.
    case keySystem
    /// It asks for a content key.
    case contentKey
    /// It asks for a key, and the policy leaves keys to the app.
    case key
}

extension RoutePlan {
    /// What a proxy answers at once; nil if a resource comes first, of which ``HTTPAnswer`` makes the answer.
    ///
    /// What is not ours is not found here (404), and so is an unknown track.
    public var httpAnswer: HTTPAnswer? {
        switch self {
        case .redirect(let url): .empty(302, HeaderLine("Location", url.escapedForURI))
        case .decline: .empty(404)
        case .fail(let error): .empty(error.isUnknownTrack || error.isMalformedAddress ? 404 : 502)
        case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile: nil
        }
    }
}

#if !hasFeature(Embedded)
extension RoutePlan: CustomStringConvertible {
    /// The plan in words, for logs.
    public var description: String {
        switch self {
        case .redirect(let url): "redirect to \(String(decoding: url, as: UTF8.self))"
        case .fetch(let request, let use): "fetch \(String(decoding: request.url, as: UTF8.self)) \(use)"
        case .subtitlePlaylist(let track): "make the subtitle playlist of track \(track &+ 1)"
        case .subtitleFile(let track): "hand over the WebVTT file of track \(track &+ 1)"
        case .emptyFile(let track): "hand over a WebVTT file without cues for track \(track &+ 1)"
        case .decline(let reason): "decline: \(reason)"
        case .fail(let error): "fail: \(error)"
        }
    }
}

extension FetchUse: CustomStringConvertible {
    /// What becomes of the bytes, in words.
    public var description: String {
        switch self {
        case .master: "and add the tracks"
        case .mediaPlaylist: "and map its URIs"
        case .subtitlePlaylist(let track): "and map the WebVTT files of track \(track &+ 1)"
        case .cues: "and hand over the WebVTT"
        case .key: "and hand over the key"
        }
    }
}

extension DeclineReason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .otherURL: "the URL is none of ours"
        case .keySystem: "skd: belongs to a key system"
        case .contentKey: "content keys are the app's"
        case .key: "keys are left to the app"
        }
    }
}
#endif
