/// A live stream as an origin has it, with the truth beside it: when each segment really is, and which time stamp it
/// begins with.
public struct LiveOrigin {
    /// Which segments have an EXT-X-PROGRAM-DATE-TIME.
    public enum Dates: CaseIterable, Sendable {
        case none
        /// Each segment.
        case each
        /// The first one of each version: it leaves a segment from one version to the next.
        case firstListed
    }

    /// What kind of stream it is.
    public struct Kind: Sendable {
        /// How long segments are, in nanoseconds, one after the other and then again.
        public var durations: [Int64] = [6_006_000_000]
        /// How many digits EXTINF has after the point.
        public var digits = 3
        /// Which segments have dates.
        public var dates = Dates.each
        /// The time zone of dates as it is written.
        public var zone = "Z"
        /// Whether no segment leaves the playlist.
        public var isEvent = false
        /// Whether EXT-X-DISCONTINUITY-SEQUENCE is written.
        public var hasDiscontinuitySequence = true
        /// How many segments a version has.
        public var window = 6
        /// Every how many segments the clock of the media begins anew; nil if never.
        public var discontinuity: Int?
        /// How many parts a segment has; 0 for none.
        public var parts = 0
        /// How much the dates gain on the media, in millionths.
        public var gain: Int64 = 0
        /// The media sequence number of the first segment.
        public var firstNumber: UInt64 = 0
        /// The first time stamp.
        public var firstTicks: Int64 = 126_000

        /// The usual.
        public init() {}
    }

    /// A segment as it is.
    public struct Segment: Sendable {
        /// The media sequence number.
        public var number: UInt64
        /// When it is, in nanoseconds after 1970.
        public var start: Int64
        /// How long it is, in nanoseconds.
        public var duration: Int64
        /// Its first time stamp, over all turns.
        public var ticks: Int64
        /// How many EXT-X-DISCONTINUITY stand before it.
        public var discontinuities: Int
        /// How many EXT-X-DISCONTINUITY of this life stand before its own.
        var earlierDiscontinuities: Int
        /// Where its media is.
        public var uri: String
        /// What its EXTINF says.
        public var spelled: String
        /// What its date says, where it has one.
        public var date: String
    }

    /// What kind of stream it is.
    public var kind: Kind
    /// All segments of this life.
    public private(set) var segments: [Segment] = []
    /// Whether it has ended.
    public var isEnded = false
    /// How often it has begun anew with other names.
    public private(set) var life = 0
    private var time: Int64
    private var ticksAtTime: Int64
    private var ticksFrom: Int64
    private let begin: Int64
    private var number: UInt64
    private var pending = 0

    /// A stream that begins at `time`.
    public init(_ kind: Kind, at time: Int64 = 1_795_000_000_000_000_000) {
        self.kind = kind
        self.time = time
        begin = time
        (ticksAtTime, ticksFrom) = (kind.firstTicks, time)
        number = kind.firstNumber
    }

    /// The segment of this life with that media sequence number, if it is there.
    public func segment(_ number: UInt64) -> Segment? {
        guard let first = segments.first?.number, number >= first, number - first < segments.count else { return nil }
        return segments[Int(number - first)]
    }

    /// One more segment.
    public mutating func advance() {
        let segment = next
        (ticksAtTime, ticksFrom) = clock
        segments.append(segment)
        pending = 0
        time += segment.duration
        number += 1
    }

    /// The segment that will be next.
    public var next: Segment {
        let index = segments.count
        let duration = kind.durations[index % kind.durations.count]
        return Segment(
            number: number, start: time, duration: duration, ticks: clock.ticks + Self.ticks(time - clock.from),
            discontinuities: pending + (beginsClock ? 1 : 0),
            earlierDiscontinuities: segments.last.map { $0.earlierDiscontinuities + $0.discontinuities } ?? 0,
            uri: "https://edge\(index % 3).example/l\(life)/seg\(number).ts?t=\(index * 7)",
            spelled: Self.decimal(duration, digits: kind.digits), date: date(of: time))
    }

    /// Whether the clock of the media begins anew with the next segment.
    private var beginsClock: Bool {
        guard let every = kind.discontinuity, !segments.isEmpty else { return false }
        return segments.count % every == 0
    }

    /// A time, and the time stamp that is then, by the clock of the next segment.
    private var clock: (ticks: Int64, from: Int64) {
        beginsClock ? (90_000 * Int64(segments.count % 7), time) : (ticksAtTime, ticksFrom)
    }

    /// Goes on after so many nanoseconds in which nothing was made, with another number, clock and names.
    public mutating func restart(at first: UInt64, after gap: Int64, ticks: Int64, newNames: Bool = true) {
        time += gap
        (number, ticksAtTime, ticksFrom) = (first, ticks, time)
        if newNames { life += 1 }
        segments = []
        pending = 0
        isEnded = false
    }

    /// A discontinuity before the next segment, with another clock, after a gap: what ffmpeg's append_list makes.
    public mutating func interrupt(for gap: Int64, ticks: Int64, tags: Int = 1) {
        time += gap
        (ticksAtTime, ticksFrom) = (ticks, time)
        pending += tags
        isEnded = false
    }

    /// A version of the playlist as it was `age` segments ago, with so many parts of the next segment.
    public func version(age: Int = 0, openParts: Int = 0, skipping: Int = 0, trailing: String = "") -> String {
        let last = segments.count - age
        let first = kind.isEvent ? 0 : max(0, last - kind.window)
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(target)\n"
        if kind.parts > 0 {
            text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3.0\n#EXT-X-PART-INF:PART-TARGET=1.0\n"
        }
        if kind.isEvent { text += "#EXT-X-PLAYLIST-TYPE:EVENT\n" }
        text += "#EXT-X-MEDIA-SEQUENCE:\(first < segments.count ? segments[first].number : number)\n"
        if kind.hasDiscontinuitySequence {
            let earlier = first < segments.count ? segments[first].earlierDiscontinuities : 0
            text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(earlier)\n"
        }
        if skipping > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipping)\n" }
        for index in min(first + skipping, max(last, 0))..<max(last, 0) {
            let segment = segments[index]
            text += String(repeating: "#EXT-X-DISCONTINUITY\n", count: segment.discontinuities)
            if kind.dates == .each || kind.dates == .firstListed && index == first {
                text += "#EXT-X-PROGRAM-DATE-TIME:\(segment.date)\n"
            }
            if kind.parts > 0, index >= last - 2 { text += parts(of: segment, kind.parts) }
            text += "#EXT-X-BITRATE:800\n#EXTINF:\(segment.spelled),title\n\(segment.uri)\n"
        }
        if kind.parts > 0, !isEnded {
            let open = age > 0 ? segments[last] : next
            if openParts > 0 {
                text += String(repeating: "#EXT-X-DISCONTINUITY\n", count: open.discontinuities)
                if kind.dates == .each { text += "#EXT-X-PROGRAM-DATE-TIME:\(open.date)\n" }
                text += parts(of: open, openParts)
            }
            text += "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"part\(open.number).\(openParts).ts\"\n"
        }
        if isEnded, age == 0 { text += "#EXT-X-ENDLIST\n" }
        return text + trailing
    }

    private func parts(of segment: Segment, _ count: Int) -> String {
        (0..<count).map { part in
            let duration = Self.decimal(partDuration(segment, part), digits: 5)
            return
                "#EXT-X-PART:DURATION=\(duration),URI=\"part\(segment.number).\(part).ts\"\(part == 0 ? ",INDEPENDENT=YES" : "")\n"
        }.joined()
    }

    /// How long a part is, in nanoseconds.
    public func partDuration(_ segment: Segment, _ part: Int) -> Int64 {
        let each = segment.duration / Int64(kind.parts)
        return part == kind.parts - 1 ? segment.duration - each * Int64(kind.parts - 1) : each
    }

    /// The target duration, in seconds.
    public var target: Int64 { ((kind.durations.max() ?? 0) + 999_999_999) / 1_000_000_000 }

    /// What the dates say of `time`.
    public func wallClock(_ time: Int64) -> Int64 { time + (time - begin) / 1_000_000 * kind.gain }

    private func date(of time: Int64) -> String {
        let minutes: Int64 = kind.zone == "+05:30" ? 330 : 0
        return Self.date(wallClock(time) + minutes * 60_000_000_000, zone: kind.zone)
    }

    /// A date with milliseconds.
    public static func date(_ nanoseconds: Int64, zone: String = "Z") -> String {
        let time = (nanoseconds + 500_000) / 1_000_000
        func padded(_ number: Int64, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
        }
        var (day, year, month) = (time / 86_400_000, Int64(1970), 1)
        func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        while day >= (isLeap(year) ? 366 : 365) { (day, year) = (day - (isLeap(year) ? 366 : 365), year + 1) }
        let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        while day >= lengths[month - 1] { (day, month) = (day - lengths[month - 1], month + 1) }
        let clock = time % 86_400_000
        return "\(year)-\(padded(Int64(month), 2))-\(padded(day + 1, 2))T\(padded(clock / 3_600_000, 2)):"
            + "\(padded(clock / 60_000 % 60, 2)):\(padded(clock / 1000 % 60, 2)).\(padded(clock % 1000, 3))\(zone)"
    }

    /// Seconds with so many digits, rounded.
    public static func decimal(_ nanoseconds: Int64, digits: Int) -> String {
        var unit: Int64 = 1
        for _ in digits..<9 { unit *= 10 }
        let rounded = (nanoseconds + unit / 2) / unit
        let perSecond = 1_000_000_000 / unit
        if digits == 0 { return "\(rounded)" }
        let fraction = "\(rounded % perSecond)"
        return "\(rounded / perSecond).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }

    /// Ticks of 1/90000 s, rounded.
    public static func ticks(_ nanoseconds: Int64) -> Int64 {
        Int64((Double(nanoseconds) * 9 / 100_000).rounded())
    }
}
