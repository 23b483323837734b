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

    /// Appends the date of `segment` as the playlist has it; nothing if it has none.
    func writeDate(of segment: LiveSegment, _ number: UInt64, to output: inout some ByteSink & ~Copyable) {
        if segment.flags.contains(.dateText) { return output.append(texts.text(isDate: true, of: number)) }
        guard let date = segment.date else { return }
        DateTimeParts.write(date, fractionDigits: Int(facts.dateDigits), zone: zone.view, to: &output)
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
        guard playlist.count <= limits.playlist else { throw LiveError(.playlistTooLong(limit: limits.playlist)) }
        var reader = LiveVersionReader(limits: limits)
        reader.read(playlist, &self)
        try reader.finish(&self)
    }
}

/// What is known between two lines.
struct LiveVersionReader {
    let limits: LiveLimits
    private var failure: LiveError?
    private var lineCount = 0
    private var isMedia = false
    private var isMultivariant = false
    private var hasTargetDuration = false
    /// What stands before the next segment.
    private var next = LiveSegment()
    private var hasDuration = false
    private var hasNext = false
    private var byteRange: UInt64 = 0
    /// How dates are written, once there has been one.
    private var hasDateForm = false

    init(limits: LiveLimits) { self.limits = limits }

    private mutating func fail(_ reason: LiveError.Reason, at position: Int) {
        if failure == nil { failure = LiveError(reason, at: position) }
    }

    /// Reads the lines up to the first that is wrong.
    mutating func read(_ playlist: ByteView, _ version: inout LiveVersion) {
        var lines = WholeLines(playlist)
        if let range = lines.next() {
            lineCount = 1
            let line = lines.line(in: range)
            if PlaylistSignature.matches(line.bytes, isWhole: true) != true { return fail(.notMedia, at: 0) }
            note(line, &version)
        }
        while failure == nil, let range = lines.next() {
            if !noteSegment(playlist[range], at: range.lowerBound, &version) { note(lines.line(in: range), &version) }
        }
    }

    /// Notes one of the three lines that most segments have, as it is usually written; false if it is none.
    @inline(__always)
    private mutating func noteSegment(_ line: ByteView, at position: Int, _ version: inout LiveVersion) -> Bool {
        guard line.count >= 10, line[line.count &- 1] > ASCII.space else { return false }
        let first = line.word(at: 0)
        if first == Self.durationName {
            isMedia = true
            noteDuration(line.suffix(from: 8), at: position, &version)
        } else if first == Self.dateName.0, line.count > 25, line.word(at: 8) == Self.dateName.1,
            line.word(at: 16) == Self.dateName.2, line[24] == ASCII.colon, line[25] > ASCII.space
        {
            isMedia = true
            noteDate(line.suffix(from: 25), at: position, &version)
        } else if line[0] != ASCII.hash, line[0] > ASCII.space {
            noteURI(line, at: position, &version)
        } else {
            return false
        }
        return true
    }

    /// `#EXTINF:`
    private static var durationName: UInt64 { 0x3A46_4E49_5458_4523 }
    /// `#EXT-X-PROGRAM-DATE-TIME`
    private static var dateName: (UInt64, UInt64, UInt64) {
        (0x502D_582D_5458_4523, 0x442D_4D41_5247_4F52, 0x454D_4954_2D45_5441)
    }

    private mutating func note(_ line: PlaylistLine, _ version: inout LiveVersion) {
        switch line.kind {
        case .uri: noteURI(line.bytes.trimmed, at: line.position, &version)
        case .tag(let tag):
            switch tag.scope {
            case .media: isMedia = true
            case .multivariant: isMultivariant = true
            default: break
            }
            note(line, tag, &version)
        case .blank, .comment, .otherTag: break
        }
    }

    private mutating func note(_ line: PlaylistLine, _ tag: TagName, _ version: inout LiveVersion) {
        switch tag {
        case .extInf: noteDuration(line.value, at: line.position, &version)
        case .programDateTime: noteDate(line.value.trimmed, at: line.position, &version)
        case .discontinuity:
            next.discontinuities = min(next.discontinuities, .max - 1) + 1
            hasNext = true
        case .byteRange: byteRange = line.value.trimmed.contentHash
        case .part: notePart(line, &version)
        case .preloadHint: noteHint(line, &version)
        case .mediaSequence:
            guard let number = number(line) else { return }
            if version.segments.isEmpty, version.parts.isEmpty, version.texts.byteCount == 0 {
                version.facts.first = number
            }
        case .discontinuitySequence: version.facts.discontinuitySequence = number(line)
        case .targetDuration:
            guard let number = number(line) else { return }
            version.facts.targetDuration = number
            hasTargetDuration = true
            keep(line, in: &version.head)
        case .version: keep(line, in: &version.head)
        case .playlistType:
            version.facts.isEvent = line.value.trimmed == "EVENT"
            keep(line, in: &version.head)
        case .serverControl, .partInf: keep(line, in: &version.lowLatencyHead)
        case .skip: noteSkip(line, &version)
        case .endList: version.facts.isComplete = true
        case .iFramesOnly: fail(.iFramesOnly, at: line.position)
        default: break
        }
    }

    /// The number that the line's value is.
    private mutating func number(_ line: PlaylistLine) -> UInt64? {
        if let number = UInt64(decimal: line.value.trimmed), number < 1 << 62 { return number }
        fail(.malformedNumber, at: line.position)
        return nil
    }

    /// Keeps the line as it stands.
    private mutating func keep(_ line: PlaylistLine, in lines: inout ReusableBuffer<UInt8>) {
        guard line.bytes.count < limits.text - lines.count else {
            return fail(.textTooLong(limit: limits.text), at: line.position)
        }
        lines.append(line.bytes)
        lines.append(ASCII.lineFeed)
    }

    private mutating func noteDuration(_ value: ByteView, at position: Int, _ version: inout LiveVersion) {
        guard let spelling = DecimalSpelling(value), spelling.seconds.nanoseconds < 1 << 50 else {
            return fail(.malformedDuration, at: position)
        }
        next.duration = Int64(spelling.seconds.nanoseconds)
        next.durationDigits = UInt8(min(spelling.fractionDigits, 255))
        next.flags.remove(.durationText)
        if !spelling.isPlain {
            next.flags.insert(.durationText)
            let comma = value.firstOffset(of: ASCII.comma) ?? value.count
            keep(value.prefix(upTo: comma).trimmed, isDate: false, at: position, &version)
        }
        (hasDuration, hasNext) = (true, true)
    }

    private mutating func noteDate(_ text: ByteView, at position: Int, _ version: inout LiveVersion) {
        hasNext = true
        // Whatever it is, it is written again.
        let parts = DateTimeParts(text)
        next.date = parts?.nanosecondsSinceEpoch
        next.flags.remove(.dateText)
        if next.date == nil { version.facts.notes.insert(.malformedDate) }
        if let parts {
            if !parts.hasZone { version.facts.notes.insert(.dateWithoutZone) }
            if !hasDateForm, parts.zone.count <= 6 {
                hasDateForm = true
                version.facts.dateDigits = UInt8(parts.fractionDigits)
                version.zone.append(parts.zone)
            }
            if next.date != nil, hasDateForm, parts.isPlain, parts.fractionDigits == Int(version.facts.dateDigits),
                parts.zone == version.zone.view
            {
                return
            }
        }
        next.flags.insert(.dateText)
        keep(text, isDate: true, at: position, &version)
    }

    private mutating func keep(_ text: ByteView, isDate: Bool, at position: Int, _ version: inout LiveVersion) {
        // An entry takes as much as a date does.
        guard version.texts.byteCount + text.count < limits.text else {
            return fail(.textTooLong(limit: limits.text), at: position)
        }
        version.texts.append(text, isDate: isDate, of: version.end + (version.facts.skipped ?? 0))
    }

    private mutating func notePart(_ line: PlaylistLine, _ version: inout LiveVersion) {
        var attributes = line.attributes
        guard let attribute = attributes.first(named: ByteView("DURATION")),
            let spelling = DecimalSpelling(line.bytes[attribute.content(in: line.bytes)]),
            spelling.seconds.nanoseconds < 1 << 50
        else { return fail(.malformedDuration, at: line.position) }
        guard version.parts.count < limits.parts else {
            return fail(.tooManyParts(limit: limits.parts), at: line.position)
        }
        hasNext = true
        version.parts.append(
            LivePart(
                segment: version.end + (version.facts.skipped ?? 0), duration: Int64(spelling.seconds.nanoseconds),
                digits: UInt8(min(spelling.fractionDigits, 9))))
    }

    private func noteHint(_ line: PlaylistLine, _ version: inout LiveVersion) {
        var attributes = line.attributes
        guard let type = attributes.first(named: ByteView("TYPE")) else { return }
        if line.bytes[type.content(in: line.bytes)] == "PART" { version.facts.hasHint = true }
    }

    private mutating func noteSkip(_ line: PlaylistLine, _ version: inout LiveVersion) {
        var attributes = line.attributes
        guard let attribute = attributes.first(named: ByteView("SKIPPED-SEGMENTS")),
            let count = UInt64(decimal: line.bytes[attribute.content(in: line.bytes)]), count < 1 << 62
        else { return fail(.malformedNumber, at: line.position) }
        guard version.segments.count == 0 else { return }
        version.facts.skipped = count
    }

    private mutating func noteURI(_ uri: ByteView, at position: Int, _ version: inout LiveVersion) {
        guard hasDuration else {
            // Of a multivariant playlist that is said at the end.
            if !isMultivariant { fail(.malformedDuration, at: position) }
            return
        }
        guard version.segments.count < limits.segments else {
            return fail(.tooManySegments(limit: limits.segments), at: position)
        }
        next.identity = UInt32(truncatingIfNeeded: Self.lastComponent(of: uri).contentHash &+ byteRange)
        version.segments.append(next)
        (next, hasDuration, hasNext, byteRange) = (LiveSegment(), false, false, 0)
    }

    /// The last path component of a URI: folders and queries may hold tokens.
    private static func lastComponent(of uri: ByteView) -> ByteView {
        var (start, end) = (0, 0)
        while end < uri.count, uri[end] != ASCII.questionMark, uri[end] != ASCII.hash {
            end &+= 1
            if uri[end &- 1] == ASCII.slash { start = end }
        }
        return uri[start..<end]
    }

    /// Ends the version.
    mutating func finish(_ version: inout LiveVersion) throws(LiveError) {
        if let failure { throw failure }
        guard lineCount > 0, isMedia, !isMultivariant else { throw LiveError(.notMedia) }
        guard hasTargetDuration else { throw LiveError(.noTargetDuration) }
        version.facts.firstInBody = version.facts.first + (version.facts.skipped ?? 0)
        if hasNext {
            next.flags.insert(.open)
            next.duration = 0
            version.segments.append(next)
        }
    }
}
