internal import ByteScan
internal import WebVTT

// The state as flat bytes: for a zone that processes share, a store of keys and values, a file.
//
//     "SLIV" version configuration   facts   texts   segments   parts   past   clocks
//
// Of a segment a byte of flags says what is as the one before leads to expect; so a usual one takes 5 to 12 bytes. To
// change the form: raise `version`; a state of another version is refused, and the channel begins without one.
extension LiveChannel {
    private static var version: UInt64 { 1 }
    private static var longestTime: Int64 { 1 << 61 }

    /// What is as expected, and what is there, of a segment.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        static var hasStart: Marks { Marks(rawValue: 1) }
        static var isAsExpected: Marks { Marks(rawValue: 2) }
        static var hasDate: Marks { Marks(rawValue: 4) }
        static var isDateAsExpected: Marks { Marks(rawValue: 8) }
        static var lastsAsLong: Marks { Marks(rawValue: 16) }
        static var hasMore: Marks { Marks(rawValue: 32) }
    }

    /// Makes `bytes` the state, with which `init(restoring:_:)` goes on exactly.
    ///
    /// - Throws: ``LiveError`` of ``LiveError/Reason/stateTooLong(limit:)``; then `bytes` is empty.
    public borrowing func save(into bytes: inout [UInt8]) throws(LiveError) {
        bytes.removeAll(keepingCapacity: true)
        var writer = LiveStateWriter(bytes: [])
        swap(&writer.bytes, &bytes)
        writer.bytes += ByteView("SLIV")
        writer.append(Self.version)
        writer.append(configuration.fingerprint)
        saveFacts(to: &writer)
        saveSegments(to: &writer)
        for index in 0..<past.count {
            writer.append(signed: past[index].length)
            writer.append(ifThere: past[index].start.map { $0 - expectedPast(index) })
        }
        saveClocks(to: &writer)
        swap(&writer.bytes, &bytes)
        guard bytes.count <= configuration.limits.state else {
            bytes.removeAll()
            throw LiveError(.stateTooLong(limit: configuration.limits.state))
        }
    }

    /// When a segment that has slid out begins if it begins where the one before ends.
    private borrowing func expectedPast(_ index: Int) -> Int64 {
        index > 0 ? past[index - 1].start.map { $0 + past[index - 1].length } ?? 0 : 0
    }

    private borrowing func saveFacts(to writer: inout LiveStateWriter) {
        let facts = current.facts
        writer.append(state.hasBegun ? 1 : 0)
        writer.append(UInt64(state.life))
        writer.append(state.hash)
        writer.append(ifThere: state.anchorDate)
        writer.append(ifThere: state.nextStart)
        writer.append(signed: state.pendingAdjustment)
        writer.append(UInt64(state.notes.rawValue))
        writer.append(state.longestWindow)
        writer.append(facts.first)
        writer.append(facts.firstInBody)
        writer.append(ifThere: facts.discontinuitySequence.map { Int64($0) })
        writer.append(facts.targetDuration)
        writer.append((facts.isEvent ? 1 : 0) + (facts.isComplete ? 2 : 0) + (facts.hasHint ? 4 : 0))
        writer.append(UInt64(facts.dateDigits))
        writer.append(UInt64(facts.notes.rawValue))
        writer.append(current.zone.view)
        writer.append(current.head.view)
        writer.append(current.lowLatencyHead.view)
        writer.append(state.suspect == nil ? 0 : 1)
        if let suspect = state.suspect {
            writer.append(suspect.last)
            save(suspect.segment, after: nil, to: &writer)
        }
        writer.append(current.segments.count)
        writer.append(current.parts.count)
        writer.append(current.texts.entries.count)
        writer.append(past.count)
        writer.append(clocks.count)
    }

    private borrowing func saveSegments(to writer: inout LiveStateWriter) {
        var before: LiveSegment?
        for index in 0..<current.segments.count {
            save(current.segments[index], after: before, to: &writer)
            before = current.segments[index]
        }
        for index in 0..<current.parts.count {
            let part = current.parts[index]
            writer.append(signed: Int64(part.segment) - Int64(current.facts.first))
            writer.append(signed: part.duration)
            writer.append(UInt64(part.digits))
        }
        for index in 0..<current.texts.entries.count {
            let entry = current.texts.entries[index]
            writer.append(entry.segment)
            writer.append(entry.isDate ? 1 : 0)
            writer.append(current.texts.text(entry))
        }
    }

    /// When a segment begins, and its date, if they are as the one before leads to expect.
    private borrowing func expected(_ segment: LiveSegment, after before: LiveSegment?) -> (start: Int64, date: Int64) {
        let date = before?.date.flatMap { $0.times(1, plus: before?.duration ?? 0) } ?? 0
        if let own = segment.date, let anchor = state.anchorDate { return (own.less(anchor) ?? 0, date) }
        return (before?.start.map { $0 + (before?.length ?? 0) } ?? 0, date)
    }

    private borrowing func save(_ segment: LiveSegment, after before: LiveSegment?, to writer: inout LiveStateWriter) {
        let expected = expected(segment, after: before)
        var marks: Marks = []
        if let start = segment.start {
            marks.formUnion(start == expected.start ? [.hasStart, .isAsExpected] : .hasStart)
        }
        if let date = segment.date {
            marks.formUnion(date == expected.date ? [.hasDate, .isDateAsExpected] : .hasDate)
        }
        if segment.duration == before?.duration, segment.durationDigits == before?.durationDigits {
            marks.insert(.lastsAsLong)
        }
        let hasMore = segment.discontinuities > 0 || segment.adjustment != 0 || !segment.flags.isEmpty
        if hasMore { marks.insert(.hasMore) }
        writer.bytes.append(marks.rawValue)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            writer.bytes.append(UInt8(truncatingIfNeeded: segment.identity >> shift))
        }
        if let date = segment.date, !marks.contains(.isDateAsExpected) { writer.append(signed: date &- expected.date) }
        if let start = segment.start, !marks.contains(.isAsExpected) { writer.append(signed: start &- expected.start) }
        if !marks.contains(.lastsAsLong) {
            writer.append(signed: segment.duration)
            writer.append(UInt64(segment.durationDigits))
        }
        guard hasMore else { return }
        writer.append(UInt64(segment.discontinuities))
        writer.append(signed: Int64(segment.adjustment))
        writer.append(UInt64(segment.flags.rawValue))
    }

    private borrowing func saveClocks(to writer: inout LiveStateWriter) {
        for index in 0..<clocks.count {
            let clock = clocks[index]
            writer.append(clock.first)
            writer.append(signed: clock.offset)
            writer.append(UInt64(clock.knowledge.rawValue))
            writer.append((clock.isApart ? 1 : 0) + (clock.isParted ? 2 : 0) + (clock.before == nil ? 0 : 4))
            writer.append(UInt64(clock.failures))
            writer.append(clock.probed)
            writer.append(clock.due)
            guard let gap = clock.before else { continue }
            writer.append(signed: gap.offset)
            writer.append(signed: gap.end)
            writer.append(signed: gap.longest)
        }
    }

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
            throw LiveError(.notState)
        }
        var reader = LiveStateReader(bytes.suffix(from: 4))
        guard try reader.number() == Self.version, try reader.number() == configuration.fingerprint else {
            throw reader.fail()
        }
        let counts = try restoreFacts(&reader)
        try restoreSegments(counts, &reader)
        for index in 0..<counts.past {
            let length = try reader.signed(within: 1 << 52)
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
        facts.firstInBody = try reader.number(below: 1 << 63)
        facts.discontinuitySequence = try reader.ifThere(within: 1 << 62).map { UInt64(clamping: $0) }
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
            let last = try reader.number(below: 1 << 62)
            state.suspect = Suspect(last: last, segment: try restoreSegment(after: nil, &reader))
        }
        return (
            try reader.count(atMost: limits.segments + 1), try reader.count(atMost: limits.parts),
            try reader.count(atMost: limits.text), try reader.count(atMost: 4 * limits.segments),
            try reader.count(atMost: 5 * limits.segments + 1)
        )
    }

    private mutating func restoreSegments(_ counts: Counts, _ reader: inout LiveStateReader) throws(LiveError) {
        for index in 0..<counts.segments {
            let before = index > 0 ? current.segments[index - 1] : nil
            if before?.isOpen == true { throw reader.fail() }
            current.segments.append(try restoreSegment(after: before, &reader))
        }
        for _ in 0..<counts.parts {
            let segment = Int64(current.facts.first) + (try reader.signed(within: 1 << 60))
            let duration = try reader.signed(within: 1 << 50)
            guard segment >= 0, duration >= 0 else { throw reader.fail() }
            let digits = UInt8(try reader.number(below: 10))
            current.parts.append(LivePart(segment: UInt64(segment), duration: duration, digits: digits))
        }
        for _ in 0..<counts.texts {
            let segment = try reader.number(below: 1 << 62)
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
            segment.duration = try reader.signed(within: 1 << 50)
            segment.durationDigits = UInt8(try reader.number(below: 256))
        }
        guard segment.duration >= 0 else { throw reader.fail() }
        if marks.contains(.hasMore) {
            segment.discontinuities = UInt8(try reader.number(below: 256))
            segment.adjustment = Int32(try reader.signed(within: 1_000_000_000))
            segment.flags = LiveSegment.Flags(rawValue: UInt8(try reader.number(below: 8)))
        }
        return segment
    }

    private mutating func restoreClocks(_ count: Int, _ reader: inout LiveStateReader) throws(LiveError) {
        for index in 0..<count {
            var clock = LiveClock(first: try reader.number(below: 1 << 62), isApart: false)
            guard index == 0 || clocks[index - 1].first < clock.first else { throw reader.fail() }
            clock.offset = try reader.signed(within: 1 << 50)
            guard let knowledge = LiveClock.Knowledge(rawValue: UInt8(try reader.number(below: 3))) else {
                throw reader.fail()
            }
            clock.knowledge = knowledge
            let flags = try reader.number(below: 8)
            (clock.isApart, clock.isParted) = (flags & 1 != 0, flags & 2 != 0)
            clock.failures = UInt8(try reader.number(below: 256))
            clock.probed = try reader.number(below: 1 << 62)
            clock.due = try reader.number(below: 1 << 62)
            if flags & 4 != 0 {
                clock.before = LiveClock.Gap(
                    offset: try reader.signed(within: 1 << 50), end: try reader.signed(within: Self.longestTime),
                    longest: try reader.signed())
            }
            clocks.append(clock)
        }
    }
}

extension LiveStateReader {
    /// The four bytes of a hash.
    fileprivate mutating func identity() throws(LiveError) -> UInt32 {
        var identity: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) { identity |= UInt32(try byte()) << shift }
        return identity
    }
}

extension LiveConfiguration {
    /// A number that is another if a channel may answer otherwise.
    var fingerprint: UInt64 {
        var fingerprint = Fingerprint(of: "live", version: 1)
        switch anchor {
        case .date(let date):
            fingerprint.add(0)
            fingerprint.add(UInt64(bitPattern: date))
        case .segment(let number):
            fingerprint.add(1)
            fingerprint.add(number)
        case .media: fingerprint.add(2)
        case .firstVersion: fingerprint.add(3)
        case .automatic: fingerprint.add(4)
        }
        switch map {
        case .auto: fingerprint.add(0)
        case .none: fingerprint.add(1)
        case .given(let map):
            fingerprint.add(2)
            fingerprint.add(map.headerLine)
        }
        fingerprint.add(lowLatency == .mirror)
        fingerprint.add(UInt64(heldBack))
        return fingerprint.value
    }
}
