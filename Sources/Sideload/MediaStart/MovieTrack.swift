/// A track of a fragmented MP4 file, and when it begins to be presented (ISO 14496-12 8.3, 8.6.6, 8.8.12).
struct MovieTrack: BitwiseCopyable {
    /// What `hdlr` says.
    enum Handler { case unknown, picturesOrSound, other }

    /// The number of the track; nil until its `tkhd` has come.
    var id: UInt32?
    var handler = Handler.unknown
    /// Units in a second of the track's own times; 0 until its `mdhd` has come.
    var timescale: UInt32 = 0
    /// What the track's own time is at the beginning of its presentation: of the first edit that is not empty.
    var mediaTime: Int64 = 0
    /// When the first sample of the first fragment is presented.
    private(set) var start: ClockTime?

    /// Notes that the first sample of the segment is composed at `time`, in units of the track.
    mutating func begin(at time: Int64) { start = ClockTime(units: time &- mediaTime, timescale: timescale) }
}

/// What a track has in one fragment, as far as its boxes have come (ISO 14496-12 8.8.6).
struct TrackFragment {
    var trackID: UInt32?
    var decodeTime: Int64?
}
