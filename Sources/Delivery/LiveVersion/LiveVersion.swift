internal import ByteScan
internal import M3U8

// What a version of a media playlist says, read line by line.
//
//     #EXTM3U
//     #EXT-X-TARGETDURATION:6                       head: written again as it stands
//     #EXT-X-MEDIA-SEQUENCE:7
//     #EXT-X-PROGRAM-DATE-TIME:2026-11-23T20:00:00Z  of the segment that follows …
//     #EXTINF:6.006,
//     video7.ts                                     … which is segments[0], number 7
//     #EXT-X-PART:DURATION=1,URI="video8.0.ts"      parts[0], of segment 8; so segments[1] is an open one
//
// Lines end in LF or CRLF; a last one without its end is left out, since a body may break off there (rule 18).

/// A version of a live playlist.
struct LiveVersion: ~Copyable {
    var segments = ReusableBuffer<LiveSegment>()
    var parts = ReusableBuffer<LivePart>()
    var texts = LiveTexts()
    /// The lines of the head that are copied, each with an LF.
    var head = ReusableBuffer<UInt8>()
    /// EXT-X-SERVER-CONTROL and EXT-X-PART-INF, each with an LF.
    var lowLatencyHead = ReusableBuffer<UInt8>()
    var facts = Facts()

    /// What is said once.
    struct Facts: BitwiseCopyable {
        /// The media sequence number of the first segment.
        var first: UInt64 = 0
        /// That of the first segment which the body has.
        var firstInBody: UInt64 = 0
        var discontinuitySequence: UInt64?
        /// In seconds.
        var targetDuration: UInt64 = 0
        /// How many segments a delta update leaves out; nil if it is none.
        var skipped: UInt64?
        var isEvent = false
        var isComplete = false
        /// Whether EXT-X-PRELOAD-HINT tells of a part.
        var hasHint = false
        /// How dates are written: how many digits a second's fraction has, and which of the zones.
        var dateDigits: UInt8 = 0
        var notes = LiveNotes()
    }

    /// The zone of dates as it is written: `Z`, `+01:00`. One that is written otherwise is kept as text.
    var zone = ReusableBuffer<UInt8>()

    /// For what is compared.
    var scratch = ReusableBuffer<UInt8>()

    /// The number of the segment behind the last whole one.
    var end: UInt64 { facts.first + UInt64(wholeCount) }

    /// Whether it has the segment, whole or some parts of it.
    func has(_ segment: UInt64) -> Bool { segment >= facts.first && segment - facts.first < UInt64(segments.count) }

    /// How many segments are whole.
    var wholeCount: Int {
        segments.count > 0 && segments[segments.count - 1].isOpen ? segments.count - 1 : segments.count
    }

    /// Forgets so many of the last segments, but not the only one, unless the stream has ended.
    mutating func holdBack(_ count: Int) {
        guard count > 0, !facts.isComplete else { return }
        segments.truncate(to: max(wholeCount - count, min(wholeCount, 1)))
        parts.removeAll()
        facts.hasHint = false
    }

    mutating func removeAll() {
        segments.removeAll()
        parts.removeAll()
        texts.removeAll()
        head.removeAll()
        lowLatencyHead.removeAll()
        zone.removeAll()
        facts = Facts()
    }

    /// How many parts `segment` has.
    func partCount(of segment: UInt64) -> Int {
        var count = 0
        for index in (0..<parts.count).reversed() {
            if parts[index].segment < segment { break }
            if parts[index].segment == segment { count += 1 }
        }
        return count
    }

    /// What writes the dates that are not kept as text. It is valid until the version is read anew.
    var dateWriter: DateTimeWriter { DateTimeWriter(fractionDigits: Int(facts.dateDigits), zone: zone.view) }

    /// Appends the date of `segment` as the playlist has it; nothing if it has none.
    func writeDate(
        of segment: LiveSegment, _ number: UInt64, by writer: inout DateTimeWriter,
        to output: inout some ByteSink & ~Copyable
    ) {
        if segment.flags.contains(.dateText) { return output.append(texts.text(isDate: true, of: number)) }
        if let date = segment.date { writer.write(date, to: &output) }
    }

    /// Appends the duration of `segment` as the playlist has it.
    func writeDuration(of segment: LiveSegment, _ number: UInt64, to output: inout some ByteSink & ~Copyable) {
        if segment.flags.contains(.durationText) {
            let text = texts.text(isDate: false, of: number)
            if !text.isEmpty { return output.append(text) }
        }
        Self.write(segment.duration, digits: Int(segment.durationDigits), to: &output)
    }

    /// Appends a duration in nanoseconds as seconds with so many decimals, nine at most.
    static func write(_ nanoseconds: Int64, digits: Int, to output: inout some ByteSink & ~Copyable) {
        let (seconds, fraction) = UInt64(clamping: nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        output.append(digits: seconds)
        guard digits > 0 else { return }
        var unit: UInt64 = 1
        for _ in min(digits, 9)..<9 { unit *= 10 }
        output.append(ASCII.period)
        output.append(digits: fraction / unit, minimumCount: min(digits, 9))
    }

    /// How many bytes are held.
    var byteCount: Int {
        segments.count * MemoryLayout<LiveSegment>.stride + parts.count * MemoryLayout<LivePart>.stride
            + texts.byteCount + head.count + lowLatencyHead.count + zone.count
    }

    /// Reads `playlist` in place of what is there.
    mutating func read(_ playlist: ByteView, _ limits: LiveLimits) throws(LiveError) {
        removeAll()
        guard playlist.count <= limits.playlist else {
            throw LiveError(reason: .playlistTooLong(limit: limits.playlist), position: 0)
        }
        var reader = LiveVersionReader(limits: limits)
        reader.read(playlist, &self)
        try reader.finish(&self)
    }
}
