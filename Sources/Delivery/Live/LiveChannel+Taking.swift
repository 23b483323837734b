internal import ByteScan

// How an incoming version becomes the current one: what was given of its segments is carried over, and what it no
// longer has is kept for two windows more.
extension LiveChannel {
    /// Makes the next version the current one.
    mutating func commit(_ change: LiveChange) {
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
            // A range's count is an Int, which has 32 bits on WebAssembly.
            (isNew, gap) = (incoming.facts.first, .missed(range.upperBound - range.lowerBound + 1))
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
