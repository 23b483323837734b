internal import WebVTT

// A time line's clock: which time stamp of the media a cue time stands for.
//
// The offset, time stamp less 90 times cue time, never changes while the clock holds (rule 13): what MPEGTS and LOCAL
// are written differs only by whole turns of the 33-bit clock.

/// The clock of a time line.
struct LiveClock: BitwiseCopyable {
    /// What is known of the offset.
    enum Knowledge: UInt8, BitwiseCopyable {
        /// A segment's time stamp will tell.
        case awaited
        case known
        /// No segment of the time line has told a time stamp.
        case none
    }

    /// The media sequence number of its first segment.
    var first: UInt64
    /// The time stamp at cue time 0, in ticks of 1/90000 s, over all turns of the clock.
    var offset: Int64 = 0
    var knowledge = Knowledge.awaited
    /// Whether cue time does not go on from the segment before.
    var isApart: Bool
    /// Whether it takes the place of the one before because dates and media have parted.
    var isParted = false
    /// How many time stamps in a row could not be had.
    var failures: UInt8 = 0
    /// The segment whose time stamp came last.
    var probed: UInt64
    /// The segment from which on a time stamp is asked for again.
    var due: UInt64
    /// What it may go on, if versions were missed before it and no date tells how long.
    var before: Gap?

    /// A gap of missed versions.
    struct Gap: BitwiseCopyable {
        /// The offset of the clock before.
        var offset: Int64
        /// When the last segment before ended, in cue time in nanoseconds.
        var end: Int64
        /// How long the gap is at most, in nanoseconds.
        var longest: Int64
    }

    init(first: UInt64, isApart: Bool) {
        (self.first, probed, due) = (first, first, first)
        self.isApart = isApart
    }

    static var turn: Int64 { 1 << 33 }

    /// Ticks of a span of nanoseconds.
    static func ticks(_ nanoseconds: Int64) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * 90_000 + (rest * 9 + (rest < 0 ? -50_000 : 50_000)) / 100_000
    }

    /// Nanoseconds of a span of ticks.
    static func nanoseconds(_ ticks: Int64) -> Int64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: 90_000)
        return seconds * 1_000_000_000 + rest * 100_000 / 9
    }

    /// The time stamp `ticks`, of which 33 bits are known, in the turn in which it is nearest to `expected`.
    static func unwrap(_ ticks: UInt64, near expected: Int64) -> Int64 {
        let distance = (Int64(ticks % UInt64(turn)) - expected) & (turn - 1)
        return expected + (distance >= turn / 2 ? distance - turn : distance)
    }

    /// The map of a segment that begins at `start` in cue time, in nanoseconds.
    ///
    /// It tells the cue time at which the turn began that the segment begins in; before the first cue that is 0.
    func map(at start: Int64) -> TimestampMap { Self.map(offset: offset, at: start) }

    static func map(offset: Int64, at start: Int64) -> TimestampMap {
        // A map that was given may be of any time, and only 33 bits of it count.
        let time = offset &+ ticks(start)
        let turnStart = time &- (time & (turn - 1))
        // In whole milliseconds, as cue times are written, rounded up.
        let (quotient, rest) = (turnStart &- offset).quotientAndRemainder(dividingBy: 90)
        let local = max(0, quotient + (rest > 0 ? 1 : 0))
        let map = Self.map(offset: offset, local: local)
        // MPEGTS:0 says nothing to hls.js as long as it has none of the video's own clock: it takes cue time then for
        // that of the segment's place in the playlist. A second later is the same map.
        return map.mpegTS == 0 ? Self.map(offset: offset, local: local + 1000) : map
    }

    private static func map(offset: Int64, local: Int64) -> TimestampMap {
        TimestampMap(mpegTS: UInt64(bitPattern: offset &+ 90 &* local), local: Timestamp(milliseconds: local))
    }
}
