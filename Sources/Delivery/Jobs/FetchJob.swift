public import WebVTT

/// What is to be found out or brought.
public enum FetchJob: Equatable, Sendable {
    /// Whether the track's file is there and is what it should be: 16 bytes are asked for.
    case presence(FetchTrack)

    /// How long the track lasts: from the tail of a WebVTT file where that is enough, else from the whole of it, of
    /// SubRip, or of the playlist. If the track has a duration that is the answer, and nothing is asked for.
    case duration(FetchTrack)

    /// The track's bytes: of a file WebVTT, whatever it was, with an X-TIMESTAMP-MAP as `map` says; of a playlist what
    /// it is.
    case content(FetchTrack, map: FetchMap)

    /// The first time stamp of the video whose playlist is at `video`, a multivariant or a media one.
    ///
    /// It is that of the first segment that a media playlist has when it is asked for. So it tells the map of cues that
    /// count from there, which of a live playlist they do not.
    case mediaStart(video: [UInt8])

    /// The media playlist of a live stream, at this absolute URL, whole and as it is.
    case livePlaylist([UInt8])

    /// The first time stamp of a segment of a live stream, whose playlist came from this absolute URL.
    case segmentStart(LiveWant, playlist: [UInt8])

    /// The key at this absolute URL, as it is: 64 KiB at most.
    case key([UInt8])
}

/// Which X-TIMESTAMP-MAP a WebVTT file gets.
public enum FetchMap: Equatable, Sendable {
    /// None that it has not.
    case own
    /// This one, instead of its own.
    case always(TimestampMap)
    /// This one, if it has none.
    case ifNone(TimestampMap)
    /// If it has none, what the first segment of the video tells whose playlist has this absolute URL.
    case fromVideo([UInt8])

    /// What is chosen, for a video whose playlist is at `video`.
    public init(_ choice: TimestampMapChoice, of video: [UInt8]) {
        switch choice {
        case .none: self = .own
        case .auto: self = .fromVideo(video)
        case .given(let map): self = .always(map)
        }
    }
}
