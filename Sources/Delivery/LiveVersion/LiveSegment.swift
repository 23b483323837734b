internal import ByteScan

// What is held of a segment that the video's playlist has: 40 bytes.
//
// Durations and dates are kept as numbers, and written again with as many digits. One that is written in an unusual way
// is kept as text beside (LiveTexts).

/// A segment of a version: what its lines say, and when it begins.
struct LiveSegment: BitwiseCopyable {
    /// When it begins in cue time, in nanoseconds; nil if that is not known. Once given it never changes.
    var start: Int64?
    /// How many digits follow the point of EXTINF.
    var durationDigits: UInt8 = 0
    /// How many EXT-X-DISCONTINUITY stand before it.
    var discontinuities: UInt8 = 0
    var flags: Flags = []
    /// How much longer its span is than EXTINF says, in microseconds: the clock's drift, taken back.
    var adjustment: Int32 = 0
    /// Its EXT-X-PROGRAM-DATE-TIME, in nanoseconds after the beginning of 1970 in UTC.
    var date: Int64?
    /// A hash of EXT-X-BYTERANGE and the last path component of its URI.
    var identity: UInt32 = 0
    /// EXTINF, in nanoseconds.
    var duration: Int64 = 0

    struct Flags: OptionSet, BitwiseCopyable {
        let rawValue: UInt8
        /// EXTINF is kept as text.
        static var durationText: Flags { Flags(rawValue: 1) }
        /// The date is kept as text.
        static var dateText: Flags { Flags(rawValue: 2) }
        /// The segment is not whole yet: the playlist has parts of it, or tags that stand before it.
        static var open: Flags { Flags(rawValue: 4) }
    }

    var isOpen: Bool { flags.contains(.open) }

    /// How long its span is, in nanoseconds.
    var length: Int64 { duration + Int64(adjustment) * 1000 }

    /// Whether the two, of two versions, cannot be the same segment (rule 19).
    func differs(from other: LiveSegment) -> Bool {
        if isOpen || other.isOpen { return false }
        if duration != other.duration || identity != other.identity { return true }
        guard let date, let otherDate = other.date else { return false }
        return date != otherDate
    }
}

/// A part of a segment (8216bis 4.4.4.9).
struct LivePart: BitwiseCopyable {
    /// The media sequence number of its segment.
    var segment: UInt64
    /// How long it is, in nanoseconds.
    var duration: Int64
    /// How many digits its DURATION has after the point.
    var digits: UInt8
}

/// A segment that no version has any more: when it was.
struct LivePast: BitwiseCopyable {
    /// How long its span is, in nanoseconds.
    var length: Int64
    /// When it begins in cue time, in nanoseconds; nil if that is not known.
    var start: Int64?
}

/// Lines' values that are written in unusual ways, such as `06.0` or `2026-11-23 20:00:00Z`.
struct LiveTexts: ~Copyable {
    struct Entry: BitwiseCopyable {
        var segment: UInt64
        var isDate: Bool
        var start: Int
        var count: Int
    }

    private(set) var entries = ReusableBuffer<Entry>()
    private(set) var bytes = ReusableBuffer<UInt8>()

    mutating func removeAll() {
        entries.removeAll()
        bytes.removeAll()
    }

    mutating func append(_ text: ByteView, isDate: Bool, of segment: UInt64) {
        entries.append(Entry(segment: segment, isDate: isDate, start: bytes.count, count: text.count))
        bytes.append(text)
    }

    /// The text, or nothing if there is none.
    func text(isDate: Bool, of segment: UInt64) -> ByteView {
        // There are none, or those of all segments in order; the last of two alike counts.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].segment <= segment { low = middle + 1 } else { high = middle }
        }
        while low > 0, entries[low - 1].segment == segment {
            low -= 1
            if entries[low].isDate == isDate { return text(entries[low]) }
        }
        return ByteView()
    }

    func text(_ entry: Entry) -> ByteView { bytes.view[entry.start..<(entry.start + entry.count)] }

    /// How many bytes are held.
    var byteCount: Int { entries.count * MemoryLayout<Entry>.stride + bytes.count }
}

extension ByteView {
    /// The last path component of a URI: folders and queries may hold tokens.
    var lastPathComponent: ByteView {
        var (start, end) = (0, 0)
        while end < count, self[end] != ASCII.questionMark, self[end] != ASCII.hash {
            end &+= 1
            if self[end &- 1] == ASCII.slash { start = end }
        }
        return self[start..<end]
    }
}
