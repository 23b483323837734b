internal import ByteScan
public import M3U8

// How many bits per second a media playlist takes, as far as it tells:
//
//     #EXT-X-BITRATE:1500                     kbit/s, of this segment and those after it (8216bis 4.4.4.8) …
//     #EXT-X-BYTERANGE:750000@0               … but of one with a byte range that tells: 750,000 bytes in 6 s
//     #EXTINF:6,
//     video.mp4
//
// BANDWIDTH is the peak (4.4.6.2), which is measured over half a target duration and more: the few frames at a video's end that have a
// segment of their own do not count, unless there is nothing else.

/// Measures the peak bit rate of a media playlist while its bytes pass by.
///
///     var meter = MediaBandwidth()
///     unsafe meter.write(chunk)                  // any chunk, any number of times
///     meter.finish()
///     let bandwidth = meter.peak
///
/// A line is all that is remembered, and a few numbers. Where a chunk ends never changes the answer.
public struct MediaBandwidth: ~Copyable {
    private var scanner = LineScanner()
    private var notes = Notes()

    /// A meter for one playlist.
    public init() {}

    /// What the playlist is, as far as it has been read.
    public var verdict: PlaylistVerdict { notes.verdict }

    /// The most bits per second of a segment; nil if no segment tells.
    public var peak: UInt64? { notes.long ?? notes.short }

    /// Reads the next chunk, of any size.
    public mutating func write(_ chunk: UnsafeRawBufferPointer) {
        var notes = notes
        // Under the default policy nothing is thrown.
        try? unsafe scanner.scan(chunk) { notes.note($0) }
        self.notes = notes
    }

    /// Reads the next chunk, of any size.
    public mutating func write(_ chunk: RawSpan) { unsafe chunk.withUnsafeBytes { unsafe write($0) } }

    /// Ends the playlist.
    public mutating func finish() {
        var notes = notes
        try? scanner.finish { notes.note($0) }
        if !notes.hasFirstLine { notes.verdict = .notPlaylist }
        self.notes = notes
    }

    private struct Notes {
        var verdict = PlaylistVerdict.undecided
        var hasFirstLine = false
        /// The peak of segments of half the target duration and more, and that of shorter ones.
        var long: UInt64?
        var short: UInt64?
        /// In nanoseconds.
        private var target: UInt64 = 0
        /// The value of EXT-X-BITRATE, in bits per second.
        private var rate: UInt64?
        private var duration: DecimalSeconds?
        private var byteCount: UInt64?

        mutating func note(_ line: PlaylistLine) {
            if !hasFirstLine {
                hasFirstLine = true
                if PlaylistSignature.matches(line.bytes, isWhole: true) != true { verdict = .notPlaylist }
                return
            }
            guard verdict != .notPlaylist else { return }
            if case .tag(let name) = line.kind { verdict = verdict.after(name.scope) }
            switch line.kind {
            case .uri: noteSegment()
            case .tag(.extInf): duration = DecimalSeconds(line.value)
            case .tag(.targetDuration): target = DecimalSeconds(line.value)?.nanoseconds ?? 0
            case .tag(.bitrate): rate = Self.number(line.value).map { $0 * 1000 }
            case .tag(.byteRange): byteCount = Self.number(line.value)
            default: break
            }
        }

        private mutating func noteSegment() {
            defer { (duration, byteCount) = (nil, nil) }
            guard let nanoseconds = duration?.nanoseconds, nanoseconds > 0 else { return }
            guard let peak = byteCount.map({ Self.rate(of: $0, in: nanoseconds) }) ?? rate, peak > 0 else { return }
            if nanoseconds >= target / 2 { long = max(long ?? 0, peak) } else { short = max(short ?? 0, peak) }
        }

        /// Bits per second, rounded up.
        private static func rate(of byteCount: UInt64, in nanoseconds: UInt64) -> UInt64 {
            let bits = byteCount.multipliedFullWidth(by: 8_000_000_000)
            guard bits.high < nanoseconds else { return .max }
            let (quotient, remainder) = nanoseconds.dividingFullWidth(bits)
            return quotient == .max || remainder == 0 ? quotient : quotient + 1
        }

        /// The number that `text` begins with, up to 15 digits and the end or an `@`; nil if there is none.
        private static func number(_ text: ByteView) -> UInt64? {
            var value: UInt64 = 0
            var count = 0
            var offset = 0
            while offset < text.count, text[offset] == ASCII.space || text[offset] == ASCII.tab { offset &+= 1 }
            while offset < text.count, let digit = ASCII.digit(text[offset]) {
                guard count < 15 else { return nil }
                value = value * 10 + UInt64(digit)
                count += 1
                offset &+= 1
            }
            guard count > 0 else { return nil }
            while offset < text.count, text[offset] == ASCII.space || text[offset] == ASCII.tab { offset &+= 1 }
            return offset == text.count || text[offset] == UInt8(ascii: "@") ? value : nil
        }
    }
}
