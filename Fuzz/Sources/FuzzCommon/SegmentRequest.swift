import Support
import WebVTT

/// Boundaries, a map and limits that an input chooses, and the ends of the segments in numbers that cannot overflow.
struct SegmentRequest {
    let boundaries: SegmentBoundaries
    let map: TimestampMap?
    let cuesOnce: Bool
    let limits: Segmenter.Limits

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
        map = choices.flag() ? TimestampMap(mpegTS: 126_000) : nil
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

    /// The line with the map of segment `index` of a file that has `own`; nothing if it has none.
    func mapLine(ofSegment index: Int, own: [UInt8]) -> [UInt8] { map?.headerLine ?? own }

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
    var segmenter: Segmenter { Segmenter(boundaries, map: map, cuesOnce: cuesOnce, limits: limits) }

    /// Whether a cue that ends at `time`, in milliseconds, goes on after segment `index`.
    func isBehind(_ time: Int64, segment index: UInt128) -> Bool {
        let time = UInt128(time) * 1_000_000
        return count == nil ? time > (index + 1) * UInt128(step) : index < ends.count && time > ends[Int(index)]
    }

    /// The segments by the naive form.
    func segments(of naive: NaiveSegmenter) -> [NaiveSegmenter.Segment] {
        let line = map.map { String(decoding: $0.headerLine, as: UTF8.self) }
        return count == nil
            ? naive.segments(every: step, map: line) : naive.segments(durations: durations, map: line)
    }
}
