public import ByteScan
public import M3U8
public import Sideload

/// Why there is no router, or no answer: what is wrong, and with which track or name.
public struct RouteError: Error, Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case noMaster
        case master
        case base
        case ambiguousMaster
        case tracks(SubtitleTrackError)
        case trackURI
        case unfitTrack
        case encoding
        case unknownTrack
        case address
        case origin
        case answer
        case wrapping(WrappedVariantError)
        case notPlaylist(PlaylistVerdict)
        case limit(LimitError)
        case playlist(SubtitlePlaylistError)
        case noSuchTrack
        case late
        case liveVideo
        case notLive
        case key
        case edits(PlaylistEditError)
    }

    let kind: Kind

    /// The index of the track, from 0; nil if it is about none.
    public let track: Int?

    /// The bytes at fault: the name of an unknown track, or the address. Empty if there are none.
    public let name: [UInt8]

    init(_ kind: Kind, track: Int? = nil, name: [UInt8] = []) {
        self.kind = kind
        self.track = track
        self.name = name
    }

    /// Whether an address of ours names a track that there is not.
    public var isUnknownTrack: Bool { kind == .unknownTrack }

    /// Whether the track's origin took too long.
    public var isLate: Bool { kind == .late }

    /// Whether the video is a live media playlist, which a subtitle file of its own length has no place beside.
    public var isLiveVideo: Bool { kind == .liveVideo }

    /// Whether the video is not live, beside which cues were to come while it goes on.
    public var isNotLive: Bool { kind == .notLive }

    /// Whether an address is of our scheme, and nothing that was ever given to a player.
    public var isMalformedAddress: Bool { kind == .address }

    /// Whether an address names an origin that is not among those that it may name.
    public var isForbiddenOrigin: Bool { kind == .origin }

    /// Why the tracks are refused, if that is the reason.
    public var tracks: SubtitleTrackError? { if case .tracks(let error) = kind { error } else { nil } }

    /// Which limit of a playlist was exceeded, if that is the reason.
    public var limit: LimitError? { if case .limit(let error) = kind { error } else { nil } }

    /// Why there is no subtitle playlist, if that is the reason.
    public var playlist: SubtitlePlaylistError? { if case .playlist(let error) = kind { error } else { nil } }

    /// What the origin sent in place of a playlist, if that is the reason.
    public var verdict: PlaylistVerdict? { if case .notPlaylist(let verdict) = kind { verdict } else { nil } }
}

extension RouteError: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        let place: Message = track.map { "track \($0 &+ 1): " } ?? ""
        return "\(place)\(words)"
    }

    /// The message without the track.
    package var words: Message {
        switch kind {
        case .noMaster: "the configuration has no \"master\"; add the URL of the multivariant playlist"
        case .master: "the multivariant playlist's URL is no http or https URL with a host; give a whole one"
        case .base: "the base for WebVTT files is no http or https URL that ends in a slash"
        case .ambiguousMaster:
            "the multivariant playlist's URL lies where the router's own addresses do; take another base"
        case .tracks(let error): error.words
        case .trackURI: "\(name) is no http or https URL of the origin, and no local file stands for it"
        case .unfitTrack:
            "it cannot be handed out as it is: a local file, another format than WebVTT, a shift, an encoding or a time stamp map needs another policy for WebVTT"
        case .encoding:
            "nobody here decodes files from other encodings; convert the file to UTF-8, and leave encoding out"
        case .unknownTrack: "there is no track \(quoted: name)"
        case .address: "\(name) is no address that the router has made"
        case .origin: "\(name) is at an origin that addresses may not name; add it to the configuration's \"origins\""
        case .answer: "what was fetched is not what the plan is for"
        case .wrapping(let error): error.message
        case .notPlaylist: "the origin's answer is no playlist"
        case .limit(let error): error.message
        case .playlist(let error): error.message
        case .noSuchTrack: "there is no such track"
        case .late: "the origin of the subtitles took too long"
        case .liveVideo: "a live media playlist has no place for a subtitle file; give a live subtitle playlist"
        case .notLive:
            "the video is not live, so that cues which come while it goes on have no place; give a whole file"
        case .key: "the key \(name) has no URI that can stand between quotes, or an IV that has not 16 bytes"
        case .edits(let error): error.message
        }
    }
}
