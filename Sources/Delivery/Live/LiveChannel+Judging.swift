internal import ByteScan
internal import M3U8

// What a version is beside the one before: newer, older, of another life, after others that nobody has seen.
//
//     current     5 6 7 8 9
//     incoming      6 7 8 9 10              something in common: newer, or stale; if most of that differs, another life
//                             11 12 13      nothing, and numbers ahead: 10 was missed
//                 1 2 3                     nothing, and numbers behind: suspect, and another life if the next goes on
//
// Nothing of the current version changes here.
extension LiveChannel {
    /// What the next version is, beside the current one.
    mutating func judge() -> LiveChange {
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
        var dates = current.dateWriter
        for number in incoming.facts.first..<end {
            var held = segment(number)
            if held.flags.contains(.durationText) {
                texts.append(current.texts.text(isDate: false, of: number), isDate: false, of: number)
            }
            if held.date != nil || held.flags.contains(.dateText), !isSameForm || held.flags.contains(.dateText) {
                incoming.scratch.removeAll()
                current.writeDate(of: held, number, by: &dates, to: &incoming.scratch)
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
}
