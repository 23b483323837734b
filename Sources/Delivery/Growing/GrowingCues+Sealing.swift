internal import ByteScan
internal import WebVTT

// Which spans a version seals, and what becomes of the cues that came too late for theirs.
extension GrowingCues {
    /// Seals the spans that the channel's last version has brought: from now on they never change.
    ///
    /// Call it after each version, before the rendition's playlist is answered.
    public mutating func seal(_ channel: borrowing LiveChannel) {
        guard let listed = channel.listed ?? channel.openListing else { return }
        let life = channel.state.life
        let isLaterLife = unsealed.life != life
        let isFirst = unsealed == .first
        let from = isLaterLife ? listed.lowerBound : max(unsealed.segment, listed.lowerBound)
        var spans = NewSpans()
        // Segments whole and in parts, and the parts of the one that is not whole.
        let firstPart = isLaterLife || from != unsealed.segment ? 0 : unsealed.part
        for number in from..<max(channel.current.end + 1, from) {
            let count = channel.configuration.mirrorsParts ? channel.current.partCount(of: number) : 0
            let clock = channel.clockIndex(of: number).map { channel.clocks[$0] }
            for part in (number == from ? min(Int(firstPart), count) : 0)..<count {
                spans.note(channel.span(of: number, part, clock))
            }
            if number < channel.current.end { spans.note(channel.span(of: number, nil, clock)) }
        }
        let position = LivePosition(
            life: life, part: UInt32(clamping: channel.openPartCount), segment: channel.current.end)
        // Where none is known nothing is sealed: nobody gets a span before its time line's first time stamp is there.
        if let end = spans.end {
            place(in: spans, isFirst: isFirst, target: Int64(clamping: min(channel.targetDuration, 1 << 20)) * 1000)
            unsealed = position
            edge = end / 1_000_000
        }
        unlisted = position
        evict(before: channel.earliestTime.map { $0 / 1_000_000 })
    }

    /// Finds out which cues are in what is sealed now, and binds those that are late.
    private mutating func place(in spans: borrowing NewSpans, isFirst: Bool, target: Int64) {
        guard let first = spans.first(from: .first), let end = spans.end else { return }
        let start = first.cues.start / 1_000_000
        for index in 0..<entries.count where !entries[index].isPlaced {
            var entry = entries[index]
            if entry.isUntimed {
                guard let span = spans.first(from: entry.first) else { continue }
                let length = entry.end - entry.start
                entry.start = max(span.cues.start / 1_000_000 - (configuration.latency ?? 0), 0)
                entry.end = entry.start.times(1, plus: length) ?? .max
                entry.isUntimed = false
            }
            if spans.hold(entry) {
                entry.isPlaced = true
            } else if entry.end <= end / 1_000_000, !isFirst {
                bind(&entry, to: first, from: start, target: target)
            }
            entries[index] = entry
        }
    }

    /// Binds a late cue to the span that is sealed now.
    private mutating func bind(_ entry: inout Entry, to span: LiveSpan, from start: Int64, target: Int64) {
        entry.isPlaced = true
        switch configuration.late {
        case .spoken where start - entry.end <= 2 * target: entry.target = LivePosition(span)
        case .spoken, .shift:
            let length = min(max(entry.end - entry.start, 1000), 7000)
            entry.start = max(start, 0)
            entry.end = entry.start + length
            // Its end is known from now on, whatever the next one says.
            entry.isOpen = false
            entry.first = LivePosition(span)
        case .drop:
            leftOutCount += 1
            // Never shown: evicted with the others.
            entry.end = entry.start
        }
    }

    /// Forgets cues of which no span is held any more.
    private mutating func evict(before time: Int64?) {
        guard let time else { return }
        var unused = 0
        for index in 0..<entries.count where isUnused(entries[index], before: time) {
            unused += entries[index].byteCount + 64
        }
        guard unused > 4096, unused > (text.count + 64 * entries.count) / 4 else { return }
        var (kept, bytes) = (0, 0)
        for index in 0..<entries.count {
            var entry = entries[index]
            if isUnused(entry, before: time) { continue }
            text.move(entry.offset..<(entry.offset + entry.byteCount), to: bytes)
            entry.offset = bytes
            bytes += entry.byteCount
            entries[kept] = entry
            kept += 1
        }
        entries.truncate(to: kept)
        text.truncate(to: bytes)
    }

    private func isUnused(_ entry: Entry, before time: Int64) -> Bool {
        // A late cue is in a span that comes after it, by two target durations or so.
        !entry.isUntimed && entry.end < time && (entry.target == nil || entry.end < time - 600_000)
    }

    /// What is sealed by one version.
    struct NewSpans: ~Copyable {
        private(set) var end: Int64?
        private var spans: [LiveSpan] = []

        mutating func note(_ span: LiveSpan) {
            guard span.isKnown else { return }
            end = max(end ?? .min, span.cues.end ?? .min)
            spans.append(span)
        }

        /// The first one that does not come before `position`; a part, if there are some.
        func first(from position: LivePosition) -> LiveSpan? {
            let later = spans.lazy.filter { position <= LivePosition($0) }
            return later.first { $0.part != nil } ?? later.first
        }

        func hold(_ entry: Entry) -> Bool {
            spans.contains { entry.first <= LivePosition($0) && $0.cues.shows(start: entry.start, end: entry.end) }
        }
    }
}

extension LiveChannel {
    /// The segment that is not whole, if the version has no other.
    fileprivate var openListing: ClosedRange<UInt64>? { openPartCount > 0 ? current.end...current.end : nil }

    /// When the earliest span begins that is held, in cue time.
    fileprivate var earliestTime: Int64? {
        for index in 0..<past.count { if let start = past[index].start { return start } }
        for index in 0..<current.segments.count { if let start = current.segments[index].start { return start } }
        return nil
    }
}

extension CueSpan {
    /// Whether something that is shown in those milliseconds shows in the span.
    func shows(start cueStart: Int64, end cueEnd: Int64) -> Bool {
        guard cueEnd > cueStart else { return false }
        let (first, last) = (cueStart.times(1_000_000) ?? .max, cueEnd.times(1_000_000) ?? .max)
        return last > start && (end.map { first < $0 } ?? true)
    }
}
