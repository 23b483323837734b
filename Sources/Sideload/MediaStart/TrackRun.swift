internal import ByteScan

/// The samples of a track run, as far as they have been read (ISO 14496-12 8.8.8).
///
///     version, flags, sample count ▏data offset, first flags ▏duration, size, flags, offset ▏duration, size, …
///     headByteCount                ▏byteCountBefore          ▏entryByteCount                ▏
///
/// All but the head is there only if a flag says so. Without an entry all samples are alike, and the first is the
/// lowest.
struct TrackRun: BitwiseCopyable {
    /// The version, the flags and the number of samples.
    static var headByteCount: UInt64 { 8 }

    /// How many samples have not been read.
    private var samplesLeft: UInt64 = 0
    /// What comes before the entries, and has not been skipped.
    private var byteCountBefore = 0
    private var entryByteCount = 0
    private var hasDurations = false
    /// Where in an entry the composition offset is; nil if it has none.
    private var compositionPlace: Int?
    /// Whether composition offsets have a sign.
    private var isSigned = false
    /// How long a sample lasts that does not say.
    private var duration: UInt64 = 0
    /// When the next sample is decoded, in units of the track: at most 2 to the 61st, which no time is.
    private(set) var time: Int64 = 0
    /// The lowest composition time of the samples that have been read; nil if there is none.
    private(set) var lowest: Int64?

    /// A run without samples.
    init() {}

    /// A run of `sampleCount` samples, the first of which is decoded at `time`, that last `duration` if they do not
    /// say.
    init(head: UInt64, sampleCount: UInt64, at time: Int64, lasting duration: UInt64) {
        let fields = head & 0xF00
        byteCountBefore = 4 &* (head & 0x005).nonzeroBitCount
        entryByteCount = 4 &* fields.nonzeroBitCount
        hasDurations = fields & 0x100 != 0
        compositionPlace = fields & 0x800 != 0 ? entryByteCount &- 4 : nil
        isSigned = head >> 24 != 0
        self.duration = duration
        self.time = time
        guard sampleCount > 0, entryByteCount == 0 else {
            samplesLeft = sampleCount
            return
        }
        lowest = time
        advance(by: sampleCount &* duration)
    }

    /// How many bytes come after the head: below 2 to the 37th.
    var byteCount: UInt64 { UInt64(byteCountBefore) &+ samplesLeft &* UInt64(entryByteCount) }

    /// What is needed to read the next samples, of at most `limit` bytes; nil if none are left.
    mutating func demand(upTo limit: Int) -> Demand? {
        guard samplesLeft > 0 else { return nil }
        let skip = byteCountBefore
        byteCountBefore = 0
        return Demand(skip: skip, Int(min(samplesLeft, UInt64(limit / entryByteCount))) &* entryByteCount)
    }

    /// Reads the samples of `entries`, which are whole.
    mutating func read(_ entries: ByteView) {
        for start in stride(from: 0, to: entries.count, by: entryByteCount) {
            var composition = time
            if let place = compositionPlace, let value = entries.number(at: start &+ place, 4) {
                composition &+= isSigned ? Int64(Int32(truncatingIfNeeded: value)) : Int64(value)
            }
            lowest = min(composition, lowest ?? composition)
            advance(by: (hasDurations ? entries.number(at: start, 4) : nil) ?? duration)
            samplesLeft &-= 1
        }
    }

    private mutating func advance(by duration: UInt64) {
        time = min(time &+ Int64(min(duration, .timeLimit)), Int64(UInt64.timeLimit))
    }
}
