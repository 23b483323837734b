import Support
import WebVTT

/// Boundaries, maps and limits that an input chooses, and the ends of the segments in numbers that cannot overflow.
struct SegmentRequest {
    let boundaries: SegmentBoundaries
    let maps: SegmentMaps
    let cuesOnce: Bool
    let limits: Segmenter.Limits

    /// Whether the file's own map counts in the first timeline.
    let countsOwnMap: Bool
    /// The timelines behind the first as they were appended: the last one that has begun counts.
    private let later: [(firstSegment: Int, map: TimestampMap?)]

    /// How many segments there are; nil if the cues tell.
    let count: Int?
    /// The ends of all segments but the last, if they are listed.
    private let ends: [UInt128]
    private let durations: [UInt64]
    private let step: UInt64

    private static let durations: [UInt64] = [
        1_000_000_000, 6_000_000_000, 5_966_633_000, 999_999_999, 10_000_000_000, 60_000_000_000, 1_000_000, 1,
        3_600_000_000_000, .max / 2 + 1, 0, .max,
    ]

    /// What `choices` ask for; nil if no segment would come of it.
    init?(_ choices: inout Choices) {
        let (block, head) = (choices.limit(orDefault: 1 << 20), choices.limit(orDefault: 64 << 10))
        let (open, segments) = (choices.limit(orDefault: 1 << 20), choices.limit(orDefault: 99))
        (maps, later) = Self.maps(choices.byte())
        countsOwnMap = maps.first == nil || maps.prefersOwn
        let kind = choices.byte() % 3
        step = choices.pick(Self.durations)
        var all: [UInt64] = []
        if kind == 0 {
            guard let every = SegmentBoundaries(every: step) else { return nil }
            boundaries = every
            count = nil
        } else if kind == 1 {
            let end = UInt64(choices.number(upTo: 65_535)) * choices.pick([1, 1_000_000, 1_000_000_000])
            guard let bounded = SegmentBoundaries(every: step, until: end) else { return nil }
            boundaries = bounded
            let number = (end - 1) / step + 1
            count = Int(clamping: number)
            for index in 0..<min(number, 200) { all.append(min(step, end - index * step)) }
        } else {
            for _ in 0...choices.byte() % 8 { all.append(choices.pick(Self.durations)) }
            guard let listed = SegmentBoundaries(durations: all) else { return nil }
            boundaries = listed
            all.removeAll { $0 == 0 }
            count = all.count
        }
        (durations, ends) = Self.lasting(all)
        cuesOnce = choices.flag()
        limits = Segmenter.Limits(
            largestBlock: block, head: head, spanningCues: open, segments: segments,
            repeatedBytes: choices.limit(orDefault: 64 << 20))
    }

    /// Maps by the bits of `choice`: is there a first one, does the file's own count as it does not by default, how many time
    /// lines behind the first (two bits), where the second begins (two bits), and how far from it each of the others (two bits).
    private static func maps(_ choice: UInt8) -> (SegmentMaps, [(firstSegment: Int, map: TimestampMap?)]) {
        let first = choice & 1 == 1 ? TimestampMap(mpegTS: 126_000) : nil
        var maps = SegmentMaps(first: first, prefersOwn: (first == nil) != (choice & 2 == 2))
        let distance = [1, 0, 2, -1][Int(choice >> 6)]
        let others = [TimestampMap(mpegTS: 0, local: Timestamp(milliseconds: 60_000)), nil, TimestampMap(mpegTS: 1)]
        let later = (0..<Int(choice >> 2 & 3)).map { number in
            (firstSegment: max(0, Int(choice >> 4 & 3) + number * distance), map: others[number])
        }
        for (index, map) in later { maps.append(map, fromSegment: index) }
        return (maps, later)
    }

    /// The line with the map of segment `index` of a file that has `own`; nothing if it has none.
    func mapLine(ofSegment index: Int, own: [UInt8]) -> [UInt8] {
        if let last = later.last(where: { $0.firstSegment <= index }) {
            return last.map?.headerLine ?? []
        }
        return countsOwnMap && !own.isEmpty ? own : maps.first?.headerLine ?? []
    }

    /// The durations up to the end of time, and where they end but for the last.
    private static func lasting(_ durations: [UInt64]) -> ([UInt64], [UInt128]) {
        var (kept, ends, sum): ([UInt64], [UInt128], UInt64) = ([], [], 0)
        for duration in durations where sum < .max {
            kept.append(min(duration, .max - sum))
            sum += kept[kept.count - 1]
            ends.append(UInt128(sum))
        }
        return (kept, ends.dropLast())
    }

    /// Whether the cues of a file that are shown until `time`, in milliseconds, need more segments than the limit.
    func isTooLate(_ time: UInt128) -> Bool {
        count == nil && time * 1_000_000 > min(UInt128(step) * UInt128(limits.segments), UInt128(UInt64.max))
    }

    /// The number of the segment that has `time`, in milliseconds, if there are that many.
    func segment(at time: Int64) -> UInt128 {
        let time = UInt128(time) * 1_000_000
        guard count == nil else { return UInt128(ends.count { $0 <= time }) }
        return min(time, UInt128(UInt64.max - 1)) / UInt128(step)
    }

    /// The number of the last segment, if the cues are shown until `time`, in milliseconds.
    func lastSegment(until time: Int64) -> Int {
        count == nil ? Int(clamping: (UInt128(time) * 1_000_000 - 1) / UInt128(step)) : ends.count
    }

    /// A segmenter of what is asked for.
    var segmenter: Segmenter { Segmenter(boundaries, maps: maps, cuesOnce: cuesOnce, limits: limits) }

    /// Whether a cue that ends at `time`, in milliseconds, goes on after segment `index`.
    func isBehind(_ time: Int64, segment index: UInt128) -> Bool {
        let time = UInt128(time) * 1_000_000
        return count == nil ? time > (index + 1) * UInt128(step) : index < ends.count && time > ends[Int(index)]
    }

    /// The segments by the naive form.
    func segments(of naive: NaiveSegmenter) -> [NaiveSegmenter.Segment] {
        count == nil ? naive.segments(every: step, map: map) : naive.segments(durations: durations, map: map)
    }

    private func map(ofSegment index: Int) -> NaiveSegmenter.Map {
        let line = { (map: TimestampMap) in String(decoding: map.headerLine, as: UTF8.self) }
        if let timeline = later.last(where: { $0.firstSegment <= index }) { return .given(timeline.map.map(line)) }
        let first = maps.first.map(line)
        return countsOwnMap ? .own(otherwise: first) : .given(first)
    }
}
