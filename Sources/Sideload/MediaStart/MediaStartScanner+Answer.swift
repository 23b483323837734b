extension MediaStartScanner {
    /// What is known of a segment's first time stamp.
    public enum Answer: Equatable, Sendable {
        /// The first time stamp, in ticks of 1/90000 s, modulo 2 to the 33rd.
        case found(UInt64)
        /// The bytes so far do not tell.
        case needsMoreBytes
        /// There is no answer, for this reason.
        case unsupported(MediaStartError)
    }

    /// How far a scanner looks, and how many streams it tells apart.
    public struct Limits: Sendable {
        /// How many bytes are looked at; nothing of them is kept. The default is 4 MiB.
        ///
        /// A stream of MPEG-TS is settled once its pictures have caught up with the first, after a few of them. The
        /// largest pictures, at 50 Mbit/s, take about 1 MiB. If the bytes end before that, the lowest time stamp so far
        /// counts.
        public let bytes: Int

        /// How many audio and video streams are told apart. The default is 64.
        ///
        /// A stream takes less than 100 bytes. A segment with more streams has no answer, nor has a movie in which more
        /// tracks (`trex`) tell how long their samples last.
        public let streams: Int

        /// Limits with the documented defaults; what is below zero counts as zero.
        public init(bytes: Int = 4 << 20, streams: Int = 64) {
            self.bytes = max(0, bytes)
            self.streams = max(0, streams)
        }
    }
}

/// What a reader wants next: to skip some bytes, then to get some in one piece.
struct Demand {
    let skip: Int
    let count: Int

    init(skip: Int = 0, _ count: Int) {
        self.skip = skip
        self.count = count
    }
}

/// What a reader says after a piece.
enum MediaStartStep {
    case next(Demand)
    case decided(MediaStartScanner.Answer)
}
