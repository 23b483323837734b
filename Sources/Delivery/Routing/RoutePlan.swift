public import ByteScan

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
    package var givesResource: Bool {
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
    /// They are a multivariant playlist, which gets the tracks, if their content says so:
    /// ``Router/master(_:from:leavingOut:)``.
    case master
    /// They are a media playlist, whose URIs are mapped: ``Router/mediaPlaylist(_:from:)``. What is no playlist is
    /// redirected to its origin.
    case mediaPlaylist
    /// They came by an address like the entry's, but are not the entry: what a reference that begins with a variable
    /// has become in the player. Their content says what they are: a multivariant playlist gets the tracks, a media
    /// playlist has its URIs mapped and is never wrapped, both by ``Router/master(_:from:leavingOut:)``. What is no
    /// playlist is redirected to its origin.
    case playlist
    /// They are the subtitle playlist of a track, whose WebVTT files get addresses of ours:
    /// ``Router/givenPlaylist(_:from:)``.
    case subtitlePlaylist(track: Int)
    /// They are a WebVTT file of a subtitle playlist that somebody else made, handed over as it is, or with another
    /// map.
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
    /// What is not ours is not found here (404).
    public var httpAnswer: HTTPAnswer? {
        switch self {
        case .redirect(let url): .empty(302, HeaderLine("Location", url.escapedForURI))
        case .decline: .notFound
        case .fail(let error): HTTPAnswer(error)
        case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile: nil
        }
    }
}

extension HTTPAnswer {
    /// What is not here: 404.
    public static var notFound: HTTPAnswer { .empty(404) }

    /// What a proxy answers if there is nothing that a request could get: 404 for an unknown track or a malformed
    /// address, 403 for an origin that addresses may not name, and else 502, since it is the origin's fault (RFC 9110
    /// 15.5.4, 15.5.5, 15.6.3).
    public init(_ error: RouteError) {
        self =
            if error.isUnknownTrack || error.isMalformedAddress {
                .notFound
            } else {
                .empty(error.isForbiddenOrigin ? 403 : 502)
            }
    }

    /// What a proxy answers if a job of fetching came to nothing: 404 if there is no such thing, 504 if the origin did
    /// not answer, and else 502 (RFC 9110 15.6.3, 15.6.5).
    public init(_ error: FetchError) {
        self =
            switch error.reason.category {
            case .missing: .notFound
            case .network: .empty(504)
            case .refused, .unusable, .limit: .empty(502)
            }
    }
}

extension RoutePlan: Described {
    /// The plan in words, for logs.
    public var message: Message {
        switch self {
        case .redirect(let url): "redirect to \(url)"
        case .fetch(let request, let use): "fetch \(request.url) \(use)"
        case .subtitlePlaylist(let track): "make the subtitle playlist of track \(track &+ 1)"
        case .subtitleFile(let track): "hand over the WebVTT file of track \(track &+ 1)"
        case .emptyFile(let track): "hand over a WebVTT file without cues for track \(track &+ 1)"
        case .decline(let reason): "decline: \(reason)"
        case .fail(let error): "fail: \(error)"
        }
    }
}

extension FetchUse: Described {
    /// What becomes of the bytes, in words.
    public var message: Message {
        switch self {
        case .master: "and add the tracks"
        case .mediaPlaylist: "and map its URIs"
        case .playlist: "and do what its content asks for"
        case .subtitlePlaylist(let track): "and map the WebVTT files of track \(track &+ 1)"
        case .cues: "and hand over the WebVTT"
        case .key: "and hand over the key"
        }
    }
}

extension DeclineReason: Described {
    /// The reason in words.
    public var message: Message {
        switch self {
        case .otherURL: "the URL is none of ours"
        case .keySystem: "skd: belongs to a key system"
        case .contentKey: "content keys are the app's"
        case .key: "keys are left to the app"
        }
    }
}
