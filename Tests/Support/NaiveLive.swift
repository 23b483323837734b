/// A channel in the plainest way: all that was ever seen is kept in dictionaries, and every question is answered from
/// the beginning.
///
/// Times are in nanoseconds, as the rules have them; of dates it knows those in UTC with milliseconds.
public struct NaiveLive {
    /// What cue time 0 is.
    public enum Anchor { case date(Int64), segment(UInt64) }

    struct Row {
        var listing: LiveListing.Segment
        var duration: Int64
        var date: Int64?
        var start: Int64?
        var adjustment: Int64 = 0
        var clock: Int
        var length: Int64 { duration + adjustment }
    }

    struct Clock {
        var first: UInt64
        var isApart: Bool
        var isParted = false
        var offset: Int64?
        var isHopeless = false
        var probed: UInt64
        var due: UInt64
        var gap: (offset: Int64, end: Int64, longest: Int64)?
    }

    /// What cue time 0 is.
    public let anchor: Anchor
    var anchorDate: Int64?
    var rows: [UInt64: Row] = [:]
    var clocks: [Clock] = []
    var listing: LiveListing?
    var pending: Int64 = 0
    var nextStart: Int64?
    var target: Int64 = 0

    /// A channel that has seen nothing yet.
    public init(_ anchor: Anchor) {
        self.anchor = anchor
        if case .date(let date) = anchor { anchorDate = date }
    }

    var end: UInt64 { listing.map { $0.first + UInt64($0.segments.count) } ?? 0 }

    /// Takes a version that is no restart, and no older one.
    public mutating func take(_ text: String, target: Int64) {
        let version = LiveListing(text)
        let oldEnd = end
        let isFirst = listing == nil
        let isMissed = !isFirst && version.first > oldEnd
        self.target = target
        if isMissed, let end = nextStart, let last = clocks.last, let offset = last.offset {
            clocks.append(Clock(first: version.first, isApart: true, probed: version.first, due: version.first))
            clocks[clocks.count - 1].gap = (offset, end, Int64(version.first - oldEnd) * 2 * target * 1_000_000_000)
        } else if isFirst || isMissed {
            clocks.append(Clock(first: version.first, isApart: true, probed: version.first, due: version.first))
        }
        if isFirst || isMissed { (nextStart, pending) = (nil, 0) }
        let isNew = isFirst || isMissed ? version.first : oldEnd
        for segment in version.segments {
            let date = segment.date.flatMap(Self.nanoseconds)
            if segment.number < isNew {
                rows[segment.number]?.date = date
                continue
            }
            if segment.discontinuities > 0, clocks.last?.first != segment.number || clocks.last?.isParted == true {
                if clocks.last?.isParted == true, clocks.last?.first == segment.number { clocks.removeLast() }
                clocks.append(Clock(first: segment.number, isApart: false, probed: segment.number, due: segment.number))
            }
            rows[segment.number] = Row(
                listing: segment, duration: Self.seconds(segment.duration), date: date, clock: clocks.count - 1)
        }
        listing = version
        setTimes(from: isNew)
    }

    private mutating func setTimes(from isNew: UInt64) {
        guard let listing else { return }
        var running = nextStart
        let unknown = listing.segments.map(\.number).first { $0 < isNew && rows[$0]?.start == nil }
        if unknown != nil { running = nil }
        for number in listing.segments.map(\.number) where number >= min(unknown ?? isNew, isNew) {
            guard var row = rows[number] else { continue }
            if isApart(number) { running = nil }
            let isByDate = row.date != nil && anchorDate != nil
            if row.start == nil {
                if let date = row.date, let anchorDate {
                    row.start = date - anchorDate
                } else if case .segment(number) = anchor {
                    row.start = 0
                } else {
                    row.start = running
                }
            }
            if number >= isNew, !isByDate, row.start != nil, pending != 0 {
                row.adjustment = max(pending, -row.duration / 2) / 1000 * 1000
                pending -= row.adjustment
                if abs(pending) < 1000 { pending = 0 }
            }
            if let start = row.start, let date = row.date, anchorDate == nil { anchorDate = date - start }
            rows[number] = row
            running = row.start.map { $0 + row.length }
        }
        nextStart = running
        for segment in listing.segments.dropLast().reversed() {
            guard rows[segment.number]?.start == nil, let next = rows[segment.number + 1]?.start,
                !isApart(segment.number + 1)
            else { continue }
            let length = rows[segment.number]?.length ?? 0
            rows[segment.number]?.start = next - length
        }
    }

    private func isApart(_ number: UInt64) -> Bool { clocks.contains { $0.first == number && $0.isApart } }

    private func clock(of number: UInt64) -> Int? { clocks.lastIndex { $0.first <= number } }

    /// Whose time stamps are wanted, where each comes that is asked for.
    public var wanted: [UInt64] {
        guard let listing, !listing.segments.isEmpty else { return [] }
        return clocks.indices.compactMap { index in
            let first = max(clocks[index].first, listing.first)
            let last = min(index + 1 < clocks.count ? clocks[index + 1].first : .max, end)
            guard first < last else { return nil }
            if clocks[index].offset == nil, !clocks[index].isHopeless { return first }
            if last == end { return end - 1 >= clocks[index].due ? end - 1 : nil }
            return handsOn(index) && clocks[index].probed < last - 1 ? last - 1 : nil
        }
    }

    /// Whether the next clock waits for its first time stamp, with no date to go by.
    private func handsOn(_ index: Int) -> Bool {
        guard index + 1 < clocks.count, clocks[index].offset != nil else { return false }
        let next = clocks[index + 1]
        if next.offset != nil || next.isHopeless || next.isApart || next.isParted { return false }
        return rows[next.first].map { $0.date == nil || anchorDate == nil } ?? false
    }

    private var interval: UInt64 {
        guard let listing, let last = listing.segments.last else { return 1 }
        if last.date != nil, anchorDate != nil { return 50 }
        let digits = listing.segments.map { $0.duration.split(separator: ".").dropFirst().first?.count ?? 0 }.max() ?? 0
        return [1, 1, 5, 50][min(digits, 3)] * (digits > 3 ? 2 : 1)
    }

    /// Takes a time stamp.
    public mutating func take(ticks: Int64, of number: UInt64) {
        guard let index = clock(of: number), let row = rows[number] else { return }
        let turn: Int64 = 1 << 33
        func near(_ expected: Int64) -> Int64 {
            var value = ticks % turn
            while value - expected >= turn / 2 { value -= turn }
            while value - expected < -turn / 2 { value += turn }
            return value
        }
        (clocks[index].probed, clocks[index].due) = (number, number + interval)
        if let start = row.start {
            guard let offset = clocks[index].offset else {
                let taken = (number..<end).reduce(0) { $0 + (rows[$1]?.adjustment ?? 0) }
                let begins = start + (row.date != nil && anchorDate != nil ? 0 : pending + taken)
                let base = index > 0 ? clocks[index - 1].offset ?? 0 : Self.ticks(-begins)
                clocks[index].offset = near(base + Self.ticks(begins)) - Self.ticks(begins)
                clocks[index].isHopeless = false
                if index > 0, clocks[index].isApart, let old = clocks[index - 1].offset, let new = clocks[index].offset,
                    abs(new - old) <= 4500
                {
                    clocks[index].offset = old
                }
                return
            }
            compare(near, offset, start, row, number, index)
        } else if let gap = clocks[index].gap {
            clocks[index].gap = nil
            let found = Self.nanoseconds(near(gap.offset + Self.ticks(gap.end)) - gap.offset)
            let first = max(clocks[index].first, listing?.first ?? 0)
            let before = (first..<number).reduce(0) { $0 + (rows[$1]?.length ?? 0) }
            guard found - before >= gap.end - 25_000_000, found - before <= gap.end + gap.longest else {
                clocks[index].isHopeless = true
                return
            }
            clocks[index].offset = gap.offset
            setStart(found, of: number, index)
        } else {
            clocks[index].isHopeless = true
        }
    }

    private mutating func compare(
        _ near: (Int64) -> Int64, _ offset: Int64, _ start: Int64, _ row: Row, _ number: UInt64, _ index: Int
    ) {
        let latest = index + 1 < clocks.count && clocks[index + 1].isParted ? index + 1 : index
        let isLast = latest == clocks.count - 1
        guard isLast || handsOn(latest), let offset = clocks[latest].offset else { return }
        let expected = offset + Self.ticks(start)
        let found = near(expected)
        if row.date != nil, anchorDate != nil {
            guard isLast, abs(found - expected) > 4500 else { return }
            if clocks[latest].first >= end { clocks.removeLast() }
            clocks.append(Clock(first: end, isApart: false, isParted: true, probed: number, due: number + interval))
            clocks[clocks.count - 1].offset = found - Self.ticks(start)
        } else {
            let taken = (number..<end).reduce(0) { $0 + (rows[$1]?.adjustment ?? 0) }
            let error = Self.nanoseconds(found - expected) - taken
            pending = !isLast || abs(error) > 25_000_000 ? error : 0
        }
    }

    private mutating func setStart(_ start: Int64, of number: UInt64, _ index: Int) {
        rows[number]?.start = start
        let last = min(index + 1 < clocks.count ? clocks[index + 1].first : .max, end)
        var running = start
        for next in number..<last {
            if rows[next]?.start == nil { rows[next]?.start = running }
            running = (rows[next]?.start ?? 0) + (rows[next]?.length ?? 0)
        }
        if last == end { nextStart = running }
        running = start
        for before in (max(clocks[index].first, listing?.first ?? 0)..<number).reversed() {
            running -= rows[before]?.length ?? 0
            if rows[before]?.start == nil { rows[before]?.start = running }
        }
    }

    /// When a segment begins and ends, and its map's time stamp at cue time 0, over all turns; nil if it is not known.
    public func span(_ number: UInt64) -> (start: Int64, end: Int64, offset: Int64)? {
        guard let row = rows[number], let start = row.start, let index = clock(of: number),
            let offset = clocks[index].offset
        else { return nil }
        return (start, start + row.length, offset)
    }

    static func seconds(_ text: String) -> Int64 {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        let padded = fraction.prefix(9) + String(repeating: "0", count: max(0, 9 - fraction.count))
        return (Int64(parts[0]) ?? 0) * 1_000_000_000 + (Int64(padded) ?? 0)
    }

    /// A date such as `2026-11-18T12:26:40.000Z`.
    static func nanoseconds(_ date: String) -> Int64? {
        let numbers = date.split { !"0123456789".contains($0) }.compactMap { Int64($0) }
        guard numbers.count == 7, date.hasSuffix("Z") else { return nil }
        // Days by counting years and months.
        var days: Int64 = 0
        func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        for year in 1970..<numbers[0] { days += isLeap(year) ? 366 : 365 }
        let lengths: [Int64] = [31, isLeap(numbers[0]) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths.prefix(Int(numbers[1]) - 1).reduce(0, +) + numbers[2] - 1
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        return (seconds * 1000 + numbers[6]) * 1_000_000
    }

    static func ticks(_ nanoseconds: Int64) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // To the nearest.
        return seconds * 90_000 + (rest * 9 + (rest < 0 ? -50_000 : 50_000)) / 100_000
    }

    static func nanoseconds(_ ticks: Int64) -> Int64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: 90_000)
        return seconds * 1_000_000_000 + rest * 100_000 / 9
    }
}
