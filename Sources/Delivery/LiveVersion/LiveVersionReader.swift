internal import ByteScan
internal import M3U8

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
    private var dates = DateTimeReader()
    /// The value of the last EXTINF, what it says, and with how many digits.
    private var duration: (text: ByteView, nanoseconds: Int64, digits: UInt8) = (ByteView(), 0, 0)

    init(limits: LiveLimits) { self.limits = limits }

    private mutating func fail(_ reason: LiveError.Reason, at position: Int) {
        if failure == nil { failure = LiveError(reason: reason, position: position) }
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

    /// Keeps the line as it stands, unless its tag lacks a value: then it says nothing, and the rendition does without.
    private mutating func keep(_ line: PlaylistLine, in lines: inout ReusableBuffer<UInt8>) {
        guard !line.value.isEmpty else { return }
        guard line.bytes.count < limits.text - lines.count else {
            return fail(.textTooLong(limit: limits.text), at: line.position)
        }
        lines.append(line.bytes)
        lines.append(ASCII.lineFeed)
    }

    private mutating func noteDuration(_ value: ByteView, at position: Int, _ version: inout LiveVersion) {
        // Most are as long as the one before. Of those kept here all are plain.
        if value.isEmpty || value != duration.text {
            guard let spelling = DecimalSpelling(value), spelling.seconds.nanoseconds < 1 << 50 else {
                return fail(.malformedDuration, at: position)
            }
            let digits = UInt8(min(spelling.fractionDigits, 255))
            duration = (spelling.isPlain ? value : ByteView(), Int64(spelling.seconds.nanoseconds), digits)
        }
        next.duration = duration.nanoseconds
        next.durationDigits = duration.digits
        next.flags.remove(.durationText)
        if duration.text.isEmpty {
            next.flags.insert(.durationText)
            let comma = value.firstOffset(of: ASCII.comma) ?? value.count
            keep(value.prefix(upTo: comma).trimmed, isDate: false, at: position, &version)
        }
        (hasDuration, hasNext) = (true, true)
    }

    private mutating func noteDate(_ text: ByteView, at position: Int, _ version: inout LiveVersion) {
        hasNext = true
        if hasDateForm,
            let date = dates.date(text, fractionDigits: Int(version.facts.dateDigits), zone: version.zone.view)
        {
            next.date = date
            next.flags.remove(.dateText)
            return
        }
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
            if let date = next.date, hasDateForm, parts.isPlain,
                parts.fractionDigits == Int(version.facts.dateDigits), parts.zone == version.zone.view
            {
                dates.keep(text, date)
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
        next.identity = UInt32(truncatingIfNeeded: uri.lastPathComponent.contentHash &+ byteRange)
        version.segments.append(next)
        (next, hasDuration, hasNext, byteRange) = (LiveSegment(), false, false, 0)
    }

    /// Ends the version.
    mutating func finish(_ version: inout LiveVersion) throws(LiveError) {
        if let failure { throw failure }
        guard lineCount > 0, isMedia, !isMultivariant else { throw LiveError(reason: .notMedia, position: 0) }
        guard hasTargetDuration else { throw LiveError(reason: .noTargetDuration, position: 0) }
        version.facts.firstInBody = version.facts.first + (version.facts.skipped ?? 0)
        if hasNext {
            next.flags.insert(.open)
            next.duration = 0
            version.segments.append(next)
        }
    }
}
