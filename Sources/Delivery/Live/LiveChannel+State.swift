internal import ByteScan

// The state as flat bytes: for a zone that processes share, a store of keys and values, a file.
//
//     "SLIV" version configuration   facts   texts   segments   parts   past   clocks
//
// Of a segment a byte of flags says what is as the one before leads to expect; so a usual one takes 5 to 12 bytes. To
// change the form: raise `version`; a state of another version is refused, and the channel begins without one. What is
// saved here is read again in LiveChannel+Restoring.
extension LiveChannel {
    static var version: UInt64 { 1 }
    static var longestTime: Int64 { 1 << 61 }
    /// A number that no segment comes to, whatever the playlist's first number is, which has 62 bits.
    static var firstTooLarge: UInt64 { 1 << 63 }

    /// What is as expected, and what is there, of a segment.
    struct Marks: OptionSet {
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
            throw LiveError(reason: .stateTooLong(limit: configuration.limits.state), position: 0)
        }
    }

    /// When a segment that has slid out begins if it begins where the one before ends.
    borrowing func expectedPast(_ index: Int) -> Int64 {
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
    borrowing func expected(_ segment: LiveSegment, after before: LiveSegment?) -> (start: Int64, date: Int64) {
        var expected: (start: Int64, date: Int64) = (0, 0)
        if let before {
            if let start = before.start { expected.start = start + before.length }
            if let date = before.date { expected.date = date.times(1, plus: before.duration) ?? 0 }
        }
        if let own = segment.date, let anchor = state.anchorDate { expected.start = own.less(anchor) ?? 0 }
        return expected
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
}
