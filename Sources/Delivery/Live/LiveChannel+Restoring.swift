internal import ByteScan

// A saved state read again. Whatever the bytes are, what comes of them is a channel that could have been saved, or an
// error.
extension LiveChannel {
    /// The channel that ``save(into:)`` has saved, with the same configuration.
    ///
    /// - Throws: ``LiveError``, if the bytes are no such state.
    public init(restoring bytes: RawSpan, _ configuration: LiveConfiguration) throws(LiveError) {
        self.init(configuration)
        try unsafe bytes.withUnsafeBytes { (bytes) throws(LiveError) in
            try restore(unsafe ByteView(bytes))
        }
    }

    /// The channel that ``save(into:)`` has saved, as the form that takes a span.
    public init(restoring bytes: UnsafeRawBufferPointer, _ configuration: LiveConfiguration) throws(LiveError) {
        self.init(configuration)
        try unsafe restore(ByteView(bytes))
    }

    private mutating func restore(_ bytes: ByteView) throws(LiveError) {
        guard bytes.count <= configuration.limits.state, bytes.hasBytes("SLIV", at: 0) else {
            throw LiveError(reason: .notState, position: 0)
        }
        var reader = LiveStateReader(bytes.suffix(from: 4))
        guard try reader.number() == Self.version, try reader.number() == configuration.fingerprint else {
            throw reader.fail()
        }
        let counts = try restoreFacts(&reader)
        try restoreSegments(counts, &reader)
        for index in 0..<counts.past {
            let length = try reader.length(within: 1 << 52)
            past.append(LivePast(length: length, start: nil))
            guard let distance = try reader.ifThere() else { continue }
            past[index].start = try time(distance.times(1, plus: expectedPast(index)), reader)
        }
        try restoreClocks(counts.clocks, &reader)
        guard reader.isAtEnd else { throw reader.fail() }
    }

    private typealias Counts = (segments: Int, parts: Int, texts: Int, past: Int, clocks: Int)

    private func time(_ time: Int64?, _ reader: LiveStateReader) throws(LiveError) -> Int64 {
        guard let time, let bounded = Self.bounded(time) else { throw reader.fail() }
        return bounded
    }

    private mutating func restoreFacts(_ reader: inout LiveStateReader) throws(LiveError) -> Counts {
        let limits = configuration.limits
        var facts = LiveVersion.Facts()
        state.hasBegun = try reader.flag()
        state.life = UInt32(try reader.number(below: 1 << 32))
        state.hash = try reader.number()
        state.anchorDate = try reader.ifThere()
        state.nextStart = try reader.ifThere(within: Self.longestTime)
        state.pendingAdjustment = try reader.signed(within: 1 << 50)
        state.notes = LiveNotes(rawValue: UInt32(try reader.number(below: 1 << 32)))
        state.longestWindow = try reader.count(atMost: limits.segments)
        facts.first = try reader.number(below: 1 << 62)
        facts.firstInBody = try reader.number(below: Self.firstTooLarge)
        facts.discontinuitySequence = try reader.ifThere().map { UInt64(clamping: $0) }
        facts.targetDuration = try reader.number(below: 1 << 62)
        let flags = try reader.number(below: 8)
        (facts.isEvent, facts.isComplete, facts.hasHint) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
        facts.dateDigits = UInt8(try reader.number(below: 10))
        facts.notes = LiveNotes(rawValue: UInt32(try reader.number(below: 1 << 32)))
        current.facts = facts
        current.zone.append(try reader.text(atMost: 6))
        current.head.append(try reader.text(atMost: limits.text))
        current.lowLatencyHead.append(try reader.text(atMost: limits.text))
        if try reader.flag() {
            let last = try reader.number(below: Self.firstTooLarge)
            state.suspect = Suspect(last: last, segment: try restoreSegment(after: nil, &reader))
        }
        // Two windows and a quarter more have slid out, of at least three segments and four more.
        let most = min(max(limits.segments, 3), 1 << 28)
        return (
            try reader.count(atMost: most + 1), try reader.count(atMost: limits.parts),
            try reader.count(atMost: limits.text), try reader.count(atMost: 4 * most),
            try reader.count(atMost: 5 * most + 1)
        )
    }

    private mutating func restoreSegments(_ counts: Counts, _ reader: inout LiveStateReader) throws(LiveError) {
        for index in 0..<counts.segments {
            let before = index > 0 ? current.segments[index - 1] : nil
            if before?.isOpen == true { throw reader.fail() }
            current.segments.append(try restoreSegment(after: before, &reader))
        }
        for _ in 0..<counts.parts {
            let segment = UInt64(bitPattern: Int64(current.facts.first) + (try reader.signed(within: 1 << 60)))
            let duration = try reader.length(within: 1 << 50)
            // There may be parts of segments that have slid out, but none of those to come.
            guard segment < current.facts.first + UInt64(current.segments.count) else { throw reader.fail() }
            let digits = UInt8(try reader.number(below: 10))
            current.parts.append(LivePart(segment: segment, duration: duration, digits: digits))
        }
        for _ in 0..<counts.texts {
            let segment = try reader.number(below: Self.firstTooLarge)
            let isDate = try reader.flag()
            current.texts.append(try reader.text(atMost: configuration.limits.text), isDate: isDate, of: segment)
        }
    }

    private func restoreSegment(
        after before: LiveSegment?, _ reader: inout LiveStateReader
    ) throws(LiveError) -> LiveSegment {
        let marks = Marks(rawValue: UInt8(try reader.number(below: 64)))
        var segment = LiveSegment()
        segment.identity = try reader.identity()
        if marks.contains(.hasDate) {
            let expected = expected(segment, after: before).date
            segment.date = marks.contains(.isDateAsExpected) ? expected : expected &+ (try reader.signed())
        }
        if marks.contains(.hasStart) {
            let expected = expected(segment, after: before).start
            let start = marks.contains(.isAsExpected) ? expected : expected &+ (try reader.signed())
            segment.start = try time(start, reader)
        }
        if marks.contains(.lastsAsLong), let before {
            (segment.duration, segment.durationDigits) = (before.duration, before.durationDigits)
        } else {
            segment.duration = try reader.length(within: 1 << 50)
            segment.durationDigits = UInt8(try reader.number(below: 256))
        }
        if marks.contains(.hasMore) {
            segment.discontinuities = UInt8(try reader.number(below: 256))
            segment.adjustment = Int32(try reader.signed(within: 1_000_000_000))
            segment.flags = LiveSegment.Flags(rawValue: UInt8(try reader.number(below: 8)))
        }
        guard segment.length >= 0 else { throw reader.fail() }
        return segment
    }

    private mutating func restoreClocks(_ count: Int, _ reader: inout LiveStateReader) throws(LiveError) {
        for index in 0..<count {
            var clock = LiveClock(first: try reader.number(below: Self.firstTooLarge), isApart: false)
            guard index == 0 || clocks[index - 1].first < clock.first else { throw reader.fail() }
            clock.offset = try reader.signed(within: 1 << 50)
            guard let knowledge = LiveClock.Knowledge(rawValue: UInt8(try reader.number(below: 3))) else {
                throw reader.fail()
            }
            clock.knowledge = knowledge
            let flags = try reader.number(below: 8)
            (clock.isApart, clock.isParted) = (flags & 1 != 0, flags & 2 != 0)
            clock.failures = UInt8(try reader.number(below: 256))
            clock.probed = try reader.number(below: Self.firstTooLarge)
            clock.due = try reader.number(below: Self.firstTooLarge)
            if flags & 4 != 0 {
                clock.before = LiveClock.Gap(
                    offset: try reader.signed(within: 1 << 50), end: try reader.signed(within: Self.longestTime),
                    longest: try reader.signed())
            }
            clocks.append(clock)
        }
    }
}
