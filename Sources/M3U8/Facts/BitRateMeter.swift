internal import ByteScan

// How many bits per second a media playlist takes, as far as it tells:
//
//     #EXT-X-BITRATE:1500                     kbit/s, of this segment and those after it (8216bis 4.4.4.8) …
//     #EXT-X-BYTERANGE:750000@0               … but of one with a byte range that tells: 750,000 bytes in 6 s
//     #EXTINF:6,
//     video.mp4
//
// BANDWIDTH is the peak (4.4.6.2), which is measured over half a target duration and more: the few frames at a video's
// end that have a segment of their own do not count, unless there is nothing else.

/// Measures the peak bit rate of a media playlist's segments.
package struct BitRateMeter {
    /// The most bits per second of a segment; nil if no segment tells.
    package var peak: UInt64? { long ?? short }

    /// The target duration in nanoseconds.
    package var target: UInt64 = 0

    /// The peak of segments of half the target duration and more, and that of shorter ones.
    private var long: UInt64?
    private var short: UInt64?
    /// The value of EXT-X-BITRATE, in bits per second.
    private var rate: UInt64?

    package init() {}

    /// Notes the value of EXT-X-BITRATE: 15 digits at most, more than anybody has.
    mutating func noteRate(_ value: ByteView) {
        let kilobits = UInt64(decimal: value.trimmed).flatMap { $0 < 1_000_000_000_000_000 ? $0 : nil }
        rate = kilobits.map { $0 * 1000 }
    }

    /// Notes a segment of so many nanoseconds.
    mutating func noteSegment(_ line: ByteRangeLine, lasting nanoseconds: UInt64) {
        guard nanoseconds > 0 else { return }
        if case .some(let range) = line {
            noteSegment(byteCount: UInt64(range.length), lasting: nanoseconds)
        } else if let rate {
            note(rate, nanoseconds)
        }
    }

    /// Notes a segment of so many bytes and nanoseconds.
    package mutating func noteSegment(byteCount: UInt64, lasting nanoseconds: UInt64) {
        if nanoseconds > 0 { note(Self.rate(of: byteCount, in: nanoseconds), nanoseconds) }
    }

    private mutating func note(_ peak: UInt64, _ nanoseconds: UInt64) {
        guard peak > 0 else { return }
        if nanoseconds >= target / 2 { long = max(long ?? 0, peak) } else { short = max(short ?? 0, peak) }
    }

    /// Bits per second, rounded up.
    private static func rate(of byteCount: UInt64, in nanoseconds: UInt64) -> UInt64 {
        let bits = byteCount.multipliedFullWidth(by: 8_000_000_000)
        guard bits.high < nanoseconds else { return .max }
        // Bit by bit: a division of 128 bits would take a function that is not in every C library.
        var (quotient, remainder): (UInt64, UInt64) = (0, bits.high)
        for bit in (0..<64).reversed() {
            let isWide = remainder >> 63 == 1
            remainder = remainder << 1 | bits.low >> UInt64(bit) & 1
            quotient <<= 1
            if isWide || remainder >= nanoseconds {
                remainder &-= nanoseconds
                quotient |= 1
            }
        }
        return quotient == .max || remainder == 0 ? quotient : quotient + 1
    }
}
