internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

// What errors of the library become in C: a status, the place, and the message without its place.

extension Refusal {
    /// An error of a configuration in JSON.
    init(_ error: ConfigurationError) {
        let status: surtitle_status =
            if error.reason.json != nil {
                SURTITLE_JSON_REFUSED
            } else if error.reason.track != nil {
                SURTITLE_TRACK_REFUSED
            } else {
                SURTITLE_CONFIGURATION_REFUSED
            }
        let index = Self.firstIndex(in: error.path)
        self.init(status, error.reason.message, at: error.location.position, of: index, error.path)
    }

    /// An error of a list of tracks.
    init(_ error: SubtitleTrackError) {
        self.init(SURTITLE_TRACK_REFUSED, error.words)
        if let track = error.track {
            self = of("tracks", track, error.field.map { Message($0.key) })
        } else if error.field == .groupID {
            self = of("fallback_group")
        }
    }

    /// An error of the track number `index`.
    init(_ error: TrackKeyError, track index: Int) {
        self.init(SURTITLE_TRACK_REFUSED, error.message)
        self = of("tracks", index, error.key.isEmpty ? nil : "\(error.key)")
    }

    /// An error of a WebVTT file that is cut into segments.
    init(_ error: SegmenterError) {
        let status: surtitle_status =
            switch error.reason {
            case .notWebVTT: SURTITLE_NOT_WEBVTT
            case .brokenOff: SURTITLE_ENDED
            case let reason: reason.segment == nil ? SURTITLE_LIMIT_EXCEEDED : SURTITLE_OUT_OF_ORDER
            }
        self.init(status, error.reason.message, at: error.position, of: error.reason.segment)
    }

    /// The number in the first brackets of a path such as `tracks[2].language`.
    private static func firstIndex(in path: [UInt8]) -> Int? {
        guard let open = path.firstIndex(of: UInt8(ascii: "[")) else { return nil }
        var index = 0
        for byte in path[(open + 1)...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index < 1 << 24 else { break }
            index = index * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return index
    }
}
