internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

// What errors of the library become in C: a status, the place, and the message without its place.

extension Refusal {
    init(json error: ConfigurationError) {
        var status = error.reason.track == nil ? SURTITLE_CONFIGURATION_REFUSED : SURTITLE_TRACK_REFUSED
        if error.reason.json != nil { status = SURTITLE_JSON_REFUSED }
        let index = Self.firstIndex(in: error.path)
        self.init(status, error.reason.message, at: error.location.position, of: index, error.path)
    }

    init(tracks error: SubtitleTrackError) {
        self.init(SURTITLE_TRACK_REFUSED, error.words)
        if let track = error.track {
            self = (error.field.map { of(Message($0.key)) } ?? self).of("tracks", track)
        } else if error.field == .groupID {
            self = of("fallback_group")
        }
    }

    init(key error: TrackKeyError) {
        self.init(SURTITLE_TRACK_REFUSED, error.message)
        if !error.key.isEmpty { self = of("\(error.key)") }
    }

    init(segmenter error: SegmenterError) {
        let status: surtitle_status =
            switch error.reason {
            case .notWebVTT: SURTITLE_NOT_WEBVTT
            case .brokenOff: SURTITLE_ENDED
            case let reason: reason.segment == nil ? SURTITLE_LIMIT_EXCEEDED : SURTITLE_OUT_OF_ORDER
            }
        self.init(status, error.reason.message, at: error.position, of: error.reason.segment)
    }

    init(live error: LiveError) {
        let status: surtitle_status =
            switch error.reason {
            case .playlistTooLong, .tooManySegments, .tooManyParts, .textTooLong, .stateTooLong: SURTITLE_LIMIT_EXCEEDED
            default: SURTITLE_LIVE_REFUSED
            }
        self.init(status, error.reason.message, at: error.position)
    }

    init(growing error: GrowingError) {
        let status: surtitle_status =
            switch error.reason {
            case .notWebVTT: SURTITLE_NOT_WEBVTT
            case .encoding: SURTITLE_INVALID_UTF8
            case .blockTooLong, .tooMuchKept: SURTITLE_LIMIT_EXCEEDED
            default: SURTITLE_CUES_REFUSED
            }
        self.init(status, error.reason.message, at: error.position)
    }

    init(route error: RouteError) {
        if let tracks = error.tracks {
            self.init(tracks: tracks)
        } else if let limit = error.limit {
            self = Refusal(SURTITLE_LIMIT_EXCEEDED, limit.words, at: limit.position)
        } else if let playlist = error.playlist {
            self.init(SURTITLE_SEGMENT_REFUSED, playlist.message)
        } else if error.verdict != nil {
            self.init(SURTITLE_NOT_PLAYLIST, error.words)
        } else if error.isMalformedAddress {
            self.init(SURTITLE_URI_REFUSED, error.words)
        } else {
            self.init(error.track == nil ? SURTITLE_CONFIGURATION_REFUSED : SURTITLE_TRACK_REFUSED, error.words)
            if let track = error.track { self = of("tracks", track) }
        }
    }

    /// The number in the first brackets of a path such as `tracks[2].language`.
    private static func firstIndex(in path: [UInt8]) -> Int? {
        guard let open = path.firstIndex(of: UInt8(ascii: "[")) else { return nil }
        let digits = path[(open + 1)...].prefix(8).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }
}
