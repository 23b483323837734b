internal import ByteScan
internal import M3U8

/// Where a track's cue time 0 is beside a live stream: the value of the key `at`.
///
///     2026-11-23T20:00:00Z      a date, as EXT-X-PROGRAM-DATE-TIME has it; without a zone it is UTC
///     msn:1200                  the beginning of the segment with this media sequence number
///     media                     the time stamp 0 of the video's own clock
public enum TrackAnchor: Equatable, Sendable {
    /// So many nanoseconds after the beginning of 1970 in UTC.
    case date(Int64)
    /// The beginning of the segment with this media sequence number.
    case segment(UInt64)
    /// The time stamp 0 of the video's own clock.
    case media

    /// The anchor that `text` spells; nil if it spells none.
    package init?(_ text: ByteView) {
        if text == "media" {
            self = .media
        } else if text.hasBytes("msn:", at: 0) {
            guard let number = UInt64(decimal: text.suffix(from: 4)), number < 1 << 62 else { return nil }
            self = .segment(number)
        } else {
            guard let date = DateTimeParts(text)?.nanosecondsSinceEpoch else { return nil }
            self = .date(date)
        }
    }

    /// How it is spelled: a date in UTC with as many digits as it needs.
    package var spelling: [UInt8] {
        switch self {
        case .media: return Array(ByteView("media"))
        case .segment(let number): return Array(ByteView("msn:")) + DecimalDigits(number)
        case .date(let date):
            var (digits, unit): (Int, Int64) = (9, 1)
            while digits > 0, date % (unit * 10) == 0 { (digits, unit) = (digits - 1, unit * 10) }
            var text = ReusableBuffer<UInt8>()
            var writer = DateTimeWriter(fractionDigits: digits, zone: ByteView("Z"))
            writer.write(date, to: &text)
            return Array(text.view)
        }
    }
}
