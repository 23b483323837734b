internal import ByteScan
internal import M3U8
internal import WebVTT

// A channel follows one media playlist of a live stream. It knows which span of cue time each segment is, and the clock
// of each time line.
//
//     take ── LiveVersion reads ── judge ─┬─ unchanged, stale, suspect, needsFull: nothing has changed
//                                         └─ commit ── LiveChannel+Time: when new segments are, which clock they have
//                                                   └─ LiveChannel+Probes: whose time stamp is wanted
//     playlist ── LiveChannel+Playlist        find ── LiveChannel+Names        save ── LiveChannel+State
//
//     past              current                         held of each
//     │ 1 2 3 4 │ 5 6 7 │                               24 bytes: when it was
//               │ 8 9 10 11 12 │ 13 (open, has parts)   40 bytes: what the playlist says, when it begins
//      clock 1 ────────── │ ── clock 2 ──────────
//
// A version is read into `incoming`, beside the one that holds; `commit` carries over what was given, and the two
// change places. So a version that is refused has changed nothing, and memory is used again.

/// A live stream, for all renditions beside it: bytes of its playlist in, names and spans of segments out.
///
///     var channel = LiveChannel(LiveConfiguration(anchor: .date(nanoseconds)))
///     let change = try channel.take(playlist.span.bytes)
///     while let want = channel.next() {
///         if let ticks = await client.firstTimestamp(of: want) { channel.take(mediaStart: ticks, of: want.segment) }
///         else { channel.noMediaStart(of: want.segment) }
///     }
///     channel.playlist(named: LiveNames(prefix: Array("en/".utf8)), into: &output)
///     if case .span(let span) = channel.find(name) { index.write(span.cues, into: &output) }
///
/// It does no input or output and reads no clock. Answers depend on the versions and time stamps alone that have come.
public struct LiveChannel: ~Copyable, Sendable {
    let configuration: LiveConfiguration

    /// The version that holds, and memory for the next one.
    var current = LiveVersion()
    var incoming = LiveVersion()

    /// Segments that no version has any more, up to the first of the current one.
    var past = ReusableBuffer<LivePast>()

    /// The clocks of what is held, in order.
    var clocks = ReusableBuffer<LiveClock>()

    /// What is to be fetched.
    var wants: [LiveWant] = []

    var state = State()

    /// All else that is remembered.
    struct State: BitwiseCopyable {
        /// Whether a version has been taken.
        var hasBegun = false
        /// How often the stream has begun anew.
        var life: UInt32 = 0
        /// The hash of the bytes that came last.
        var hash: UInt64 = 0
        /// The date of cue time 0, in nanoseconds after the beginning of 1970 in UTC, once it is known.
        var anchorDate: Int64?
        /// When the next segment begins if nothing else tells.
        var nextStart: Int64?
        /// What the next segment's span is to be longer than EXTINF says, in nanoseconds.
        var pendingAdjustment: Int64 = 0
        var notes = LiveNotes()
        /// What looks like another life of the stream.
        var suspect: Suspect?
        /// The most segments that a playlist has had.
        var longestWindow = 0
    }

    /// A version that has nothing in common with what is known.
    struct Suspect: BitwiseCopyable {
        var last: UInt64
        var segment: LiveSegment
    }

    /// A channel that has seen nothing yet.
    public init(_ configuration: LiveConfiguration = LiveConfiguration()) {
        self.configuration = configuration
        if case .date(let date) = configuration.anchor { state.anchorDate = date }
    }

    /// What whoever runs the channel should be told. It grows only.
    public var notes: LiveNotes { state.notes.union(current.facts.notes) }

    /// Whether a version has been taken.
    public var hasBegun: Bool { state.hasBegun }

    /// Whether the stream has ended (EXT-X-ENDLIST). It may go on nevertheless.
    public var isEnded: Bool { current.facts.isComplete }

    /// The target duration, in seconds.
    public var targetDuration: UInt64 { current.facts.targetDuration }

    /// The media sequence numbers of the segments that the playlist has; nil if it has none.
    public var listed: ClosedRange<UInt64>? {
        current.wholeCount > 0 ? current.facts.first...(current.end - 1) : nil
    }

    /// How many parts the segment has that is not whole yet.
    public var openPartCount: Int { current.partCount(of: current.end) }

    /// How many bytes are held: of the current version, of segments that have slid out, and of clocks. Memory for the
    /// next version takes as many as the current one.
    public var heldBytes: Int {
        current.byteCount + past.count * MemoryLayout<LivePast>.stride
            + clocks.count * MemoryLayout<LiveClock>.stride
            + wants.reduce(0) { $0 + $1.media.uri.count + ($1.initialization?.uri.count ?? 0) }
    }

    /// How many segments are held, those among them that have slid out.
    public var heldSegments: Int { current.segments.count + past.count }

    /// Takes a version of the video's playlist: a whole body.
    ///
    /// - Throws: ``LiveError``; then nothing has changed, and the version before holds.
    /// - Complexity: O(*n*); the same bytes again are only compared.
    public mutating func take(_ playlist: RawSpan) throws(LiveError) -> LiveChange {
        try unsafe playlist.withUnsafeBytes { (bytes) throws(LiveError) in try take(unsafe ByteView(bytes)) }
    }

    mutating func take(_ playlist: ByteView) throws(LiveError) -> LiveChange {
        let hash = playlist.contentHash
        if state.hasBegun, hash == state.hash {
            state.suspect = nil
            wantTimeStamps(of: playlist)
            return .unchanged
        }
        try incoming.read(playlist, configuration.limits)
        let change = judge()
        switch change {
        case .stale, .needsFull, .suspect: return change
        default: break
        }
        commit(change)
        state.hash = hash
        wants.removeAll(keepingCapacity: true)
        wantTimeStamps(of: playlist)
        return change
    }

    /// What the next version is, beside the current one.
    private mutating func judge() -> LiveChange {
        guard state.hasBegun else { return incoming.facts.skipped == nil ? .first : .needsFull }
        if incoming.facts.skipped != nil, !fillSkipped() { return .needsFull }
        let (first, end) = (current.facts.first, current.end)
        let common = max(first, incoming.facts.first)..<max(max(first, incoming.facts.first), min(end, incoming.end))
        if common.isEmpty { return judgeApart() }
        var differing = 0
        for number in common where segment(number).differs(from: nextSegment(number)) { differing += 1 }
        if differing > common.count / 2 { return .restarted }
        let parts = (current.partCount(of: end), incoming.partCount(of: end))
        if incoming.end < end || incoming.end == end && parts.1 < parts.0 { return .stale }
        let isSame = incoming.end == end && parts.1 == parts.0
        if isSame, current.facts.isComplete, !incoming.facts.isComplete { return .stale }
        if differing > 0 { state.notes.insert(.segmentChanged) }
        return judgeAdvance(from: end)
    }

    /// What a version is that has no segment in common with the current one.
    private mutating func judgeApart() -> LiveChange {
        let end = current.end
        // Nothing yet, or nothing any more.
        if current.wholeCount == 0, incoming.facts.first >= current.facts.first { return judgeAdvance(from: end) }
        if incoming.wholeCount == 0 { return incoming.facts.first < end ? .stale : judgeAdvance(from: end) }
        if incoming.facts.first > end { return .missed(end...(incoming.facts.first - 1)) }
        if incoming.facts.first == end { return judgeAdvance(from: end) }
        let last = incoming.end - 1
        defer { state.suspect = Suspect(last: last, segment: nextSegment(last)) }
        guard let suspect = state.suspect, last > suspect.last, incoming.facts.first <= suspect.last + 1 else {
            return .suspect
        }
        let goesOn =
            incoming.facts.first == suspect.last + 1 || !nextSegment(suspect.last).differs(from: suspect.segment)
        return goesOn ? .restarted : .suspect
    }

    private func judgeAdvance(from end: UInt64) -> LiveChange {
        if incoming.facts.isComplete, !current.facts.isComplete { return .ended }
        let hasParts = incoming.partCount(of: incoming.end) > 0
        if incoming.end > end { return .advanced(end...(hasParts ? incoming.end : incoming.end - 1)) }
        return incoming.partCount(of: end) > current.partCount(of: end) ? .advanced(end...end) : .unchanged
    }

    /// Puts what a delta update leaves out before what it has; false if that is not known.
    private mutating func fillSkipped() -> Bool {
        guard let skipped = incoming.facts.skipped else { return true }
        let (end, isTooLarge) = incoming.facts.first.addingReportingOverflow(skipped)
        guard !isTooLarge, incoming.facts.first >= current.facts.first, end <= current.end, skipped > 0 else {
            return false
        }
        var segments = ReusableBuffer<LiveSegment>()
        var texts = LiveTexts()
        let isSameForm =
            incoming.facts.dateDigits == current.facts.dateDigits && incoming.zone.view == current.zone.view
        for number in incoming.facts.first..<end {
            var held = segment(number)
            if held.flags.contains(.durationText) {
                texts.append(current.texts.text(isDate: false, of: number), isDate: false, of: number)
            }
            if held.date != nil || held.flags.contains(.dateText), !isSameForm || held.flags.contains(.dateText) {
                incoming.scratch.removeAll()
                current.writeDate(of: held, number, to: &incoming.scratch)
                held.flags.insert(.dateText)
                texts.append(incoming.scratch.view, isDate: true, of: number)
            }
            segments.append(held)
        }
        for index in 0..<incoming.segments.count { segments.append(incoming.segments[index]) }
        for index in 0..<incoming.texts.entries.count {
            let entry = incoming.texts.entries[index]
            texts.append(incoming.texts.text(entry), isDate: entry.isDate, of: entry.segment)
        }
        swap(&segments, &incoming.segments)
        swap(&texts, &incoming.texts)
        incoming.facts.skipped = nil
        return true
    }

    /// The segment `number` of the current version, which has it.
    func segment(_ number: UInt64) -> LiveSegment { current.segments[Int(number - current.facts.first)] }

    /// The segment `number` of the next version, which has it.
    private func nextSegment(_ number: UInt64) -> LiveSegment { incoming.segments[Int(number - incoming.facts.first)] }

    /// Makes the next version the current one.
    private mutating func commit(_ change: LiveChange) {
        state.suspect = nil
        if state.hasBegun, incoming.facts.targetDuration != current.facts.targetDuration {
            state.notes.insert(.targetDurationChanged)
        }
        let notes = current.facts.notes
        // Where segments begin of which nothing is known yet, and how the first of them stands to those before.
        var (isNew, gap) = (current.end, Continuity.goesOn)
        switch change {
        case .first: (isNew, gap) = (incoming.facts.first, .first)
        case .restarted:
            state.notes.insert(.restarted)
            state.life &+= 1
            (isNew, gap) = (incoming.facts.first, .restarted)
            past.removeAll()
            clocks.removeAll()
        case .missed(let range):
            state.notes.insert(.missed)
            (isNew, gap) = (incoming.facts.first, .missed(UInt64(range.count)))
            keepPast(before: incoming.facts.first)
        default:
            dropOlder()
            carryOver()
            keepPast(before: incoming.facts.first)
        }
        swap(&current, &incoming)
        current.facts.notes.formUnion(notes)
        state.hasBegun = true
        state.longestWindow = max(state.longestWindow, current.wholeCount)
        // Of an ended stream that goes on, an open segment may be the first that is new.
        setTimes(from: isNew, gap)
        forgetPast()
    }

    /// How a version's new segments stand to those before.
    enum Continuity {
        case first
        case goesOn
        case missed(UInt64)
        case restarted
    }

    /// Leaves out of the next version what has slid out before: MEDIA-SEQUENCE never goes back.
    private mutating func dropOlder() {
        guard incoming.facts.first < current.facts.first else { return }
        let count = min(Int(clamping: current.facts.first - incoming.facts.first), incoming.segments.count)
        var dropped: UInt64 = 0
        for index in 0..<count { dropped += UInt64(incoming.segments[index].discontinuities) }
        for index in count..<incoming.segments.count { incoming.segments[index - count] = incoming.segments[index] }
        incoming.segments.truncate(to: incoming.segments.count - count)
        incoming.facts.first = current.facts.first
        incoming.facts.discontinuitySequence = incoming.facts.discontinuitySequence.map { $0 + dropped }
    }

    /// Carries over what was given of segments that both versions have.
    private mutating func carryOver() {
        let first = max(incoming.facts.first, current.facts.first)
        let heldEnd = current.facts.first + UInt64(current.segments.count)
        let end = min(incoming.facts.first + UInt64(incoming.segments.count), heldEnd)
        guard first < end else { return }
        for number in first..<end {
            let held = segment(number)
            let index = Int(number - incoming.facts.first)
            incoming.segments[index].start = held.start
            if held.isOpen || incoming.segments[index].isOpen { continue }
            incoming.segments[index].adjustment = held.adjustment
            guard held.duration != incoming.segments[index].duration else { continue }
            // The first stays.
            incoming.segments[index].duration = held.duration
            incoming.segments[index].durationDigits = held.durationDigits
            incoming.segments[index].identity = held.identity
            incoming.segments[index].flags.subtract(.durationText)
        }
    }

    /// Keeps when those segments were that the next version begins behind.
    private mutating func keepPast(before first: UInt64) {
        let end = min(first, current.end)
        guard current.facts.first < end || first > current.end else { return }
        for number in current.facts.first..<max(current.facts.first, end) {
            let held = segment(number)
            past.append(LivePast(length: held.length, start: held.start))
        }
        guard first > current.end else { return }
        // What was missed. If that is too much, nothing before it counts any more.
        let missed = first - current.end
        if missed > UInt64(2 * max(state.longestWindow, 3)) { return past.removeAll() }
        for _ in 0..<missed { past.append(LivePast(length: 0, start: nil)) }
    }

    /// Forgets what has slid out longer than two windows ago (rule 25), and the clocks of that.
    private mutating func forgetPast() {
        let kept = 2 * max(current.wholeCount, 3)
        // In steps, so that each segment is moved once or twice.
        if past.count > kept + max(kept / 4, 4) {
            let excess = past.count - kept
            for index in excess..<past.count { past[index - excess] = past[index] }
            past.truncate(to: kept)
        }
        let first = firstHeld
        var unused = 0
        while unused + 1 < clocks.count, clocks[unused + 1].first <= first { unused += 1 }
        // A clock of which nothing is known yet is compared with the one before.
        while unused > 0, clocks[unused].knowledge == .awaited { unused -= 1 }
        guard unused > 0 else { return }
        for index in unused..<clocks.count { clocks[index - unused] = clocks[index] }
        clocks.truncate(to: clocks.count - unused)
    }

    /// The number of the first segment of which something is held.
    var firstHeld: UInt64 { current.facts.first - min(UInt64(past.count), current.facts.first) }
}
