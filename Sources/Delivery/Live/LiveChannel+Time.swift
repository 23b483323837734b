internal import ByteScan
internal import WebVTT

// When segments are.
//
//     date     10:00:00                10:00:12                        anchor 09:59:00
//     EXTINF   6        6              6        6
//     start    60 s     66 s           72 s     78 s          own date less the anchor, or the end of the one before
//                                               └ adjusted: a time stamp has told that the clock ran 30 ms ahead
//
// A start that was given stays. A later date tells of segments before it that have none yet, as far as cue time goes
// on.
extension LiveChannel {
    /// Whether dates tell when segments are.
    private var countsDates: Bool { configuration.anchor != .media && state.anchorDate != nil }

    /// Whether the time of the segment comes from its own date.
    func isDated(_ segment: LiveSegment) -> Bool { countsDates && segment.date != nil }

    /// Sets when the segments of the current version are, those that are new from `isNew` on, and begins their clocks.
    mutating func setTimes(from isNew: UInt64, _ continuity: Continuity) {
        let first = current.facts.first
        let end = first + UInt64(current.segments.count)
        beginClock(at: isNew, continuity)
        var index = Int(clamping: min(max(isNew, first), end) - first)
        var running = state.nextStart
        // A date that has come since tells of older ones too.
        if let unknown = (0..<index).first(where: { current.segments[$0].start == nil }) {
            (index, running) = (unknown, nil)
        }
        while index < current.segments.count {
            let number = first + UInt64(index)
            if number >= isNew, current.segments[index].discontinuities > 0 { beginClock(at: number) }
            if clocks.isEmpty || number > isNew || continuity.goesOn, isApart(at: number) { running = nil }
            setTime(of: index, number, running, isNew: number >= isNew)
            let segment = current.segments[index]
            if segment.isOpen { break }
            running = segment.start.flatMap { Self.bounded($0 + segment.length) }
            index += 1
        }
        state.nextStart = running
        setEarlierTimes()
        if continuity.isFirst { noteAnchor() }
    }

    /// Sets when the segment is, if that was not given before: by its date, its number, or where the one before ended.
    private mutating func setTime(of index: Int, _ number: UInt64, _ running: Int64?, isNew: Bool) {
        var segment = current.segments[index]
        let isByDate = isDated(segment)
        if segment.start == nil {
            if isByDate, let date = segment.date, let anchor = state.anchorDate {
                segment.start = date.less(anchor).flatMap(Self.bounded)
            } else {
                segment.start = ownStart(of: number, index) ?? running
            }
        }
        if isNew, !segment.isOpen, !isByDate, segment.start != nil, state.pendingAdjustment != 0 {
            // A span keeps half of its length at least.
            let most: Int64 = 1_000_000_000_000
            let adjustment = min(max(state.pendingAdjustment, -segment.duration / 2, -most), most)
            segment.adjustment = Int32(adjustment / 1000)
            state.pendingAdjustment -= Int64(segment.adjustment) * 1000
            if abs(state.pendingAdjustment) < 1000 { state.pendingAdjustment = 0 }
        }
        if let start = segment.start, let date = segment.date, state.anchorDate == nil, configuration.anchor != .media {
            state.anchorDate = date.less(start)
        }
        current.segments[index] = segment
    }

    /// When the segment begins by the anchor, if that tells.
    private func ownStart(of number: UInt64, _ index: Int) -> Int64? {
        switch configuration.anchor {
        case .segment(number): 0
        case .automatic: number == 0 && current.facts.isEvent ? 0 : nil
        case .firstVersion: index == 0 && state.nextStart == nil ? 0 : nil
        default: nil
        }
    }

    /// Tells segments without a time theirs by what follows them, as far as cue time goes on.
    private mutating func setEarlierTimes() {
        var index = current.segments.count - 1
        while index > 0 {
            index -= 1
            guard current.segments[index].start == nil, let start = current.segments[index + 1].start,
                !isApart(at: current.facts.first + UInt64(index + 1))
            else { continue }
            current.segments[index].start = Self.bounded(start - current.segments[index].length)
        }
    }

    /// Whether cue time does not go on to the segment from the one before.
    private func isApart(at number: UInt64) -> Bool {
        guard let index = clockIndex(of: number), clocks[index].first == number else { return false }
        return clocks[index].isApart
    }

    /// Begins the clock of segments that do not simply go on.
    private mutating func beginClock(at number: UInt64, _ continuity: Continuity) {
        switch continuity {
        case .goesOn: return
        case .first: state.nextStart = nil
        case .restarted: if configuration.anchor != .firstVersion { state.nextStart = nil }
        case .missed(let count):
            guard configuration.anchor != .firstVersion else { break }
            defer { state.nextStart = nil }
            guard let end = state.nextStart, clocks.count > 0, clocks[clocks.count - 1].knowledge == .known else {
                break
            }
            let offset = clocks[clocks.count - 1].offset
            beginClock(at: number, isApart: true)
            let target = Int64(clamping: min(current.facts.targetDuration, 1 << 20)) * 1_000_000_000
            clocks[clocks.count - 1].before = LiveClock.Gap(
                offset: offset, end: end, longest: Int64(clamping: count).times(2 * target) ?? .max / 2)
            return
        }
        beginClock(at: number, isApart: configuration.anchor != .firstVersion)
    }

    /// Begins the clock of a time line, unless it has begun at that segment before.
    private mutating func beginClock(at number: UInt64, isApart: Bool? = nil) {
        let isMedia = configuration.anchor == .media
        // What the clock before was found to be off is so of the one that it hands cue time on to.
        if isApart ?? isMedia { state.pendingAdjustment = 0 }
        if let last = clocks.count > 0 ? clocks[clocks.count - 1] : nil, last.first >= number {
            guard last.isParted || isApart != nil else { return }
            clocks.truncate(to: clocks.count - 1)
        }
        clocks.append(LiveClock(first: number, isApart: isApart ?? isMedia))
        if isMedia { state.nextStart = nil }
    }

    /// The index of the segment's clock; nil if none is held.
    func clockIndex(of number: UInt64) -> Int? { (0..<clocks.count).last { clocks[$0].first <= number } }

    /// The time, unless it is further from 0 than 73 years: sums of times and durations always fit.
    static func bounded(_ time: Int64) -> Int64? { (-(1 << 61)...(1 << 61)).contains(time) ? time : nil }

    /// Notes what is wrong with the anchor, once the first version has come.
    private mutating func noteAnchor() {
        let isKnown = (0..<current.segments.count).contains { current.segments[$0].start != nil }
        switch configuration.anchor {
        case .segment(let number) where number < current.facts.first && !isKnown: state.notes.insert(.anchorGone)
        case .automatic where !isKnown: state.notes.insert(.noAnchor)
        default: break
        }
    }
}

extension Int64 {
    /// The number less `other`; nil if that does not fit.
    func less(_ other: Int64) -> Int64? {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? nil : difference
    }
}

extension LiveChannel.Continuity {
    fileprivate var isFirst: Bool {
        switch self {
        case .first, .restarted: true
        case .goesOn, .missed: false
        }
    }

    fileprivate var goesOn: Bool { if case .goesOn = self { true } else { false } }
}
