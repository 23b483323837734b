internal import ByteScan
internal import M3U8
internal import WebVTT

// Whose time stamp is wanted, and what it tells.
//
//     a new clock    the oldest segment listed, whose start is known best; then the newest, then one in the middle
//                    of its first segment, as long as no more than parts of that are there, the first part
//     one that is    the newest segment, every so many, by how exact EXTINF is
//     one that ends  its last segment, if no date tells when the next clock begins
//
// What a time stamp tells of a clock that is known: without dates the next span that is not listed yet ends so much
// later or earlier, and the next clock begins so much later or earlier; with dates a new map begins with the first
// segment that is not listed.
extension LiveChannel {
    /// What is to be fetched next; nil if nothing is wanted.
    public borrowing func next() -> LiveWant? { wants.first }

    /// Every how many segments a time stamp is wanted (rule 14).
    private var interval: UInt64 {
        if isDatedLast { return 50 }
        return switch durationDigits {
        case 0, 1: 1
        case 2: 5
        case 3: 50
        default: 100
        }
    }

    /// Whether the newest segment's time comes from its date: that of the newest whole one, if there is one.
    var isDatedLast: Bool { current.segments.count > 0 && isDated(current.segments[max(current.wholeCount, 1) - 1]) }

    /// How many digits EXTINF has after the point, at most; the durations of parts where no segment is whole.
    var durationDigits: Int {
        var most: UInt8 = 0
        for index in 0..<current.wholeCount { most = max(most, current.segments[index].durationDigits) }
        for index in 0..<(current.wholeCount == 0 ? current.parts.count : 0) {
            most = max(most, current.parts[index].digits)
        }
        return Int(most)
    }

    /// Finds out whose time stamps are wanted, and where they are in `playlist`, the bytes of the current version.
    mutating func wantTimeStamps(of playlist: ByteView) {
        guard wants.isEmpty, needsClock else { return }
        for index in 0..<clocks.count where wants.count < 4 { wantTimeStamp(ofClock: index, playlist) }
    }

    private mutating func wantTimeStamp(ofClock index: Int, _ playlist: ByteView) {
        let first = max(clocks[index].first, current.facts.firstInBody, current.facts.first)
        let end = min(index + 1 < clocks.count ? clocks[index + 1].first : .max, current.end)
        if first == current.end {
            // No segment of the time line is whole, so the first part tells, once.
            let isAwaited = clocks[index].knowledge == .awaited && clocks[index].failures == 0
            guard isAwaited, openPartCount > 0, clockIndex(of: first) == index else { return }
            if let want = want(first, of: playlist) { wants.append(want) }
            return
        }
        // What stands in the playlist cannot be fetched at all, perhaps: then the next one is tried at once.
        for _ in 0..<3 where first < end {
            let number: UInt64
            switch clocks[index].knowledge {
            case .awaited: number = [first, end - 1, first + (end - first) / 2][min(Int(clocks[index].failures), 2)]
            case .known, .none:
                guard end == current.end ? end - 1 >= clocks[index].due : handsOn(index, at: end) else { return }
                number = end - 1
            }
            if let want = want(number, of: playlist) { return wants.append(want) }
            noMediaStart(of: number)
        }
    }

    /// Whether the next clock's times hang on what the last segment of this one, before `end`, tells.
    private func handsOn(_ index: Int, at end: UInt64) -> Bool {
        let clock = clocks[index]
        guard clock.knowledge == .known, clock.failures == 0, clock.probed + 1 < end else { return false }
        return goesOn(to: index + 1) && !isDated(segment(end))
    }

    /// Whether the clock at `index` awaits its first time stamp, and cue time goes on to it from the one before.
    private func goesOn(to index: Int) -> Bool {
        index < clocks.count && clocks[index].knowledge == .awaited && !clocks[index].isApart && !clocks[index].isParted
    }

    /// Where the bytes of a segment are; nil if they cannot be had, or not be read.
    private func want(_ number: UInt64, of playlist: ByteView) -> LiveWant? {
        var reader = PlaylistReader(
            askingForSegment: Int(number - current.facts.firstInBody), numbered: number)
        unsafe reader.write(playlist.buffer)
        guard case .success(let segment)? = reader.facts.numberedSegment, segment.part.encryption != .other else {
            return nil
        }
        return LiveWant(
            segment: number, media: LiveWant.Part(segment.part),
            initialization: segment.initialization.map { LiveWant.Part($0) })
    }

    /// Takes the first time stamp of a segment, in ticks of 1/90000 s, of which 33 bits count.
    public mutating func take(mediaStart ticks: UInt64, of number: UInt64) {
        wants.removeAll { $0.segment == number }
        guard let index = clockIndex(of: number), current.has(number) else { return }
        let segment = segment(number)
        let wasKnown = clocks[index].knowledge == .known
        (clocks[index].probed, clocks[index].failures) = (number, 0)
        clocks[index].due = number + interval
        if configuration.anchor == .media, segment.start == nil {
            clocks[index].knowledge = .known
            // Where it began anew, it began at 0; where it goes on, nothing has been known of it before.
            setStart(LiveClock.nanoseconds(Int64(ticks % UInt64(LiveClock.turn))), of: number, index)
        } else if let start = segment.start {
            if wasKnown {
                compare(ticks, with: start, of: number, index)
            } else {
                // Of a date there is nothing to correct.
                let late = isDated(segment) ? 0 : uncorrected(from: number)
                learn(ticks, at: Self.bounded(start + late) ?? start, index)
            }
        } else if let gap = clocks[index].before {
            close(gap, ticks, of: number, index)
        } else {
            // Nobody knows what cue time it is.
            clocks[index].knowledge = .none
        }
    }

    /// Learns the offset of a clock by the time stamp of a segment that begins at `start`.
    private mutating func learn(_ ticks: UInt64, at start: Int64, _ index: Int) {
        let expected = index > 0 ? clocks[index - 1].offset : LiveClock.ticks(-start)
        var offset = LiveClock.unwrap(ticks, near: expected + LiveClock.ticks(start)) - LiveClock.ticks(start)
        // After missed versions the old clock goes on, if that is what it tells: the same cue has the same times.
        if index > 0, clocks[index].isApart, clocks[index - 1].knowledge == .known,
            abs(offset - clocks[index - 1].offset) <= Self.partingTicks
        {
            offset = clocks[index - 1].offset
        }
        (clocks[index].offset, clocks[index].knowledge) = (offset, .known)
    }

    private static var partingTicks: Int64 { 4500 }
    private static var driftNanoseconds: Int64 { 25_000_000 }

    /// Compares the clock with the time stamp of a segment that begins at `start`.
    private mutating func compare(_ ticks: UInt64, with start: Int64, of number: UInt64, _ index: Int) {
        // The clock that is to take this one's place has the last word.
        let isReplaced = index + 1 < clocks.count && clocks[index + 1].isParted
        let latest = isReplaced ? index + 1 : index
        let handsOn = goesOn(to: latest + 1)
        guard latest == clocks.count - 1 || handsOn else { return }
        let expected = clocks[latest].offset + LiveClock.ticks(start)
        let found = LiveClock.unwrap(ticks, near: expected)
        if isDated(segment(number)) {
            guard !handsOn, abs(found - expected) > Self.partingTicks else { return }
            part(offset: found - LiveClock.ticks(start), from: latest, probed: number)
        } else {
            // What has been taken back since, but not what waits for the next segment: that is told anew.
            let late = LiveClock.nanoseconds(found - expected) - adjustments(from: number)
            // The next clock has nothing else to go by, however little it is.
            state.pendingAdjustment = handsOn || abs(late) > Self.driftNanoseconds ? late : 0
        }
    }

    /// How much later the segment really is than its span says, in nanoseconds, as far as that is known.
    private func uncorrected(from number: UInt64) -> Int64 { state.pendingAdjustment + adjustments(from: number) }

    private func adjustments(from number: UInt64) -> Int64 {
        (number..<current.end).reduce(0) { $0 + Int64(segment($1).adjustment) * 1000 }
    }

    /// Begins a clock with another offset with the first segment that nobody has seen.
    private mutating func part(offset: Int64, from index: Int, probed: UInt64) {
        state.notes.insert(.parted)
        let first = current.end + (openPartCount > 0 ? 1 : 0)
        if clocks[index].first >= first { clocks.truncate(to: index) }
        var clock = LiveClock(first: first, isApart: false)
        (clock.offset, clock.knowledge, clock.isParted) = (offset, .known, true)
        (clock.probed, clock.due) = (probed, probed + interval)
        clocks.append(clock)
    }

    /// Finds out how long versions were missed, if the clock has gone on (rule 16).
    private mutating func close(_ gap: LiveClock.Gap, _ ticks: UInt64, of number: UInt64, _ index: Int) {
        let found = LiveClock.unwrap(ticks, near: gap.offset + LiveClock.ticks(gap.end))
        let start = LiveClock.nanoseconds(found - gap.offset)
        // From the first segment behind the gap.
        var first = start
        for earlier in max(clocks[index].first, current.facts.first)..<number {
            first = Self.bounded(first - segment(earlier).length) ?? first
        }
        let slack = Self.driftNanoseconds
        clocks[index].before = nil
        guard first >= gap.end - slack, first <= (gap.end.times(1, plus: gap.longest) ?? .max) else {
            clocks[index].knowledge = .none
            state.notes.insert(.unknownGap)
            return
        }
        (clocks[index].offset, clocks[index].knowledge) = (gap.offset, .known)
        setStart(start, of: number, index)
    }

    /// Sets when a segment begins, and with it the others of its clock.
    private mutating func setStart(_ start: Int64, of number: UInt64, _ index: Int) {
        let first = current.facts.first
        let end = index + 1 < clocks.count ? clocks[index + 1].first : .max
        let place = Int(number - first)
        current.segments[place].start = Self.bounded(start)
        var (next, running) = (place, current.segments[place].start)
        while next < current.segments.count, first + UInt64(next) < end {
            if current.segments[next].start == nil { current.segments[next].start = running }
            if current.segments[next].isOpen { break }
            let length = current.segments[next].length
            running = current.segments[next].start.flatMap { Self.bounded($0 + length) }
            next += 1
        }
        if first + UInt64(next) == current.end { state.nextStart = running }
        (next, running) = (place, current.segments[place].start)
        while next > 0, first + UInt64(next) > clocks[index].first {
            next -= 1
            let length = current.segments[next].length
            running = running.flatMap { Self.bounded($0 - length) }
            if current.segments[next].start == nil { current.segments[next].start = running }
        }
    }

    /// Tells that the time stamp of a segment could not be had.
    public mutating func noMediaStart(of number: UInt64) {
        wants.removeAll { $0.segment == number }
        guard let index = clockIndex(of: number) else { return }
        clocks[index].failures = min(clocks[index].failures, 100) + 1
        // Another try when some segments have come.
        clocks[index].due = current.end + 20
        if clocks[index].knowledge == .awaited, clocks[index].failures >= 3 {
            clocks[index].knowledge = .none
            state.notes.insert(.noTimestamp)
        }
    }
}
