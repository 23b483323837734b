package import ByteScan
internal import WebVTT

// Names of segments: `17.vtt`, and of parts `17.3.vtt`. Nothing in them is derived, so that they never change and are
// the same on every instance (rule 1).
extension LiveChannel {
    /// What the name of a segment or part stands for, without the prefix of the rendition.
    ///
    /// - Complexity: O(1) in the number of segments, O(*n*) in the parts of the version.
    public borrowing func find(_ name: RawSpan) -> LivePlace {
        unsafe name.withUnsafeBytes { find(unsafe ByteView($0)) }
    }

    /// What the name of a segment or part stands for, as the form that takes a span.
    public borrowing func find(_ name: UnsafeRawBufferPointer) -> LivePlace { unsafe find(ByteView(name)) }

    package borrowing func find(_ name: ByteView) -> LivePlace {
        guard let (number, part) = Self.parse(name) else { return .notOurs }
        guard state.hasBegun else { return .wait(segment: number, part: part) }
        if number < current.facts.first {
            // Parts are not kept of what has slid out.
            return number < firstHeld || part != nil ? .gone(span(of: number, part, nil)) : place(of: number, part)
        }
        if number < current.end {
            guard let part else { return place(of: number, nil) }
            let count = current.partCount(of: number)
            if count == 0 { return .gone(span(of: number, part, nil)) }
            return part < count ? place(of: number, part) : .notOurs
        }
        // Other instances may have seen a version or two that are newer.
        guard number <= current.end + 2, (part ?? 0) < 10_000 else { return .notOurs }
        if number == current.end, let part, part < openPartCount { return place(of: number, part) }
        return .wait(segment: number, part: part)
    }

    /// The numbers in `name`, each without a zero before it.
    static func parse(_ name: ByteView) -> (segment: UInt64, part: Int?)? {
        guard name.count > 4, name.hasBytes(".vtt", at: name.count - 4) else { return nil }
        let numbers = name.prefix(upTo: name.count - 4)
        func number(_ digits: ByteView) -> UInt64? {
            guard digits.count == 1 || digits.first != ASCII.zero, let number = UInt64(decimal: digits) else {
                return nil
            }
            return number < 1 << 62 ? number : nil
        }
        guard let point = numbers.firstOffset(of: ASCII.period) else { return number(numbers).map { ($0, nil) } }
        guard let segment = number(numbers.prefix(upTo: point)), let part = number(numbers.suffix(from: point + 1))
        else {
            return nil
        }
        return Int(exactly: part).map { (segment, $0) }
    }

    /// The place of a segment that is held, or of a part that the version has.
    private borrowing func place(of number: UInt64, _ part: Int?) -> LivePlace {
        let clock = clockIndex(of: number).map { clocks[$0] }
        if clock?.knowledge == .awaited, needsClock {
            let want = wants.first { clockIndex(of: $0.segment) == clockIndex(of: number) }
            return .mediaStart(want?.segment ?? number)
        }
        return .span(span(of: number, part, clock))
    }

    /// Whether segments' time stamps are of use, so that a segment can have no cues before its clock is known.
    var needsClock: Bool { configuration.anchor == .media || configuration.map == .auto }

    /// The span of a segment or part; of one about which nothing is held, one without cues.
    borrowing func span(of number: UInt64, _ part: Int?, _ clock: LiveClock?) -> LiveSpan {
        var start: Int64?
        var length: Int64 = 0
        if clock == nil, needsClock {
            // Gone, with the oldest map there is.
        } else if number >= current.facts.first {
            let segment = segment(number)
            (start, length) = (segment.start, segment.length)
        } else if current.facts.first - number <= UInt64(past.count) {
            let held = past[past.count - Int(current.facts.first - number)]
            (start, length) = (held.start, held.length)
        }
        if let part, let segmentStart = start { (start, length) = partSpan(part, of: number, segmentStart, length) }
        if needsClock, configuration.anchor != .media, clock?.knowledge != .known { start = nil }
        guard let start else {
            let map = map(clock ?? (clocks.count > 0 ? clocks[0] : nil), at: 0)
            return LiveSpan(
                segment: number, part: part, cues: CueSpan(start: -2, end: -1, map: map), isKnown: false,
                life: state.life)
        }
        let margin = margin(of: number, clock)
        let map = map(clock, at: start)
        let cues = CueSpan(start: start - margin, end: start + length + margin, map: map)
        return LiveSpan(segment: number, part: part, cues: cues, isKnown: true, life: state.life)
    }

    /// When a part begins and how long it lasts; the last one of a whole segment ends with it.
    private borrowing func partSpan(
        _ part: Int, of number: UInt64, _ start: Int64, _ length: Int64
    ) -> (Int64?, Int64) {
        var (next, index) = (start, 0)
        for entry in 0..<current.parts.count where current.parts[entry].segment == number {
            let duration = current.parts[entry].duration
            if index == part {
                let isLast = number < current.end && current.partCount(of: number) == part + 1
                return (next, isLast ? max(start + length - next, 0) : duration)
            }
            next += duration
            index += 1
        }
        return (nil, 0)
    }

    /// How much wider the span is than the segment, because durations are written inexactly (rule 14).
    private borrowing func margin(of number: UInt64, _ clock: LiveClock?) -> Int64 {
        guard let clock, asksForExactness else { return 0 }
        let unit: Int64 =
            switch durationDigits {
            case 0: 1_000_000_000
            case 1: 100_000_000
            case 2: 10_000_000
            default: 0
            }
        let distance = number > clock.probed ? number - clock.probed : clock.probed - number
        return unit * Int64(clamping: min(distance, 100) + 1)
    }

    private var asksForExactness: Bool { needsClock && !isDatedLast }

    /// The map of a segment that begins at `start`.
    private borrowing func map(_ clock: LiveClock?, at start: Int64) -> TimestampMap? {
        if configuration.anchor == .media { return LiveClock.map(offset: 0, at: start) }
        switch configuration.map {
        case .none: return nil
        case .given(let map):
            return LiveClock.map(offset: Int64(map.mpegTS) &- 90 &* map.local.milliseconds, at: start)
        case .auto:
            guard let clock, clock.knowledge == .known else { return nil }
            return clock.map(at: start)
        }
    }
}
