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
    /// When that sample of the first fragment is presented that is presented first, as far as its samples have come.
    private(set) var start: ClockTime?
    /// Whether all samples of the first fragment have come.
    private(set) var isSettled = false

    /// Notes that no sample of the fragment so far is composed before `time`, in units of the track.
    mutating func begin(at time: Int64) { start = ClockTime(units: time &- mediaTime, timescale: timescale) }

    /// Notes that a fragment of the track has ended. One without samples is not the first.
    mutating func endFragment() { isSettled = start != nil }
}

/// How long the samples of a track last whose fragment does not say (ISO 14496-12 8.8.3).
struct SampleDefault: BitwiseCopyable {
    let trackID: UInt32
    let duration: UInt64
}

/// What a track has in one fragment, as far as its boxes have come (ISO 14496-12 8.8.6).
struct TrackFragment {
    var trackID: UInt32?
    /// When the next sample is decoded.
    var decodeTime: Int64?
    /// How long a sample lasts that does not say.
    var sampleDuration: UInt64?
    /// The lowest composition time so far.
    var lowest: Int64?
}
