/// A track of a fragmented MP4 file, and when it begins to be presented (ISO 14496-12 8.3, 8.6.6, 8.8.12).
struct MovieTrack: BitwiseCopyable {
    /// What `hdlr` says.
    enum Handler { case unknown, picturesOrSound, other }

    /// The number of the track; nil until its `tkhd` has come.
    var id: UInt32?
    var handler = Handler.unknown
    /// Units in a second of the track's own times; 0 until its `mdhd` has come.
    var timescale: UInt32 = 0
    var edit = EditStart()
    /// When the first sample of the first fragment is presented.
    private(set) var start: ClockTime?

    /// Notes that the first sample of the segment is composed at `time`, in units of the track.
    ///
    /// Returns false if the movie has no time scale, which an empty edit needs.
    mutating func begin(at time: Int64, movieTimescale: UInt32) -> Bool {
        let delay = ScaledTime(units: edit.delay, timescale: edit.delay == 0 ? 1 : movieTimescale)
        start = ScaledTime(units: time &- edit.mediaTime, timescale: timescale) + delay
        return start != nil
    }
}

/// How the presentation of a track begins: its first edit that is not empty, and what is before it.
struct EditStart: BitwiseCopyable {
    /// How long the empty edits before it last, in units of the movie.
    var delay: Int64 = 0
    /// The time of the track that is presented first, in units of the track.
    var mediaTime: Int64 = 0
}

/// What a track has in one fragment, as far as its boxes have come (ISO 14496-12 8.8.6).
struct TrackFragment {
    var trackID: UInt32?
    var decodeTime: Int64?
}
