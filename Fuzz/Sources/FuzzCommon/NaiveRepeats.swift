/// How many bytes the segments of a file repeat of each other: an oracle that asks of each segment every cue.
struct NaiveRepeats {
    /// The header line with the file's own map, if it counts.
    var ownMap: [UInt8] = []

    private let request: SegmentRequest
    /// How many bytes a blank line has.
    private let blank: Int
    private var blockBytes = 0
    private var cues: [(position: Int, start: Int64, end: Int64, count: Int)] = []
    private var segment = 0
    private var repeated = 0

    init(_ request: SegmentRequest, blank: Int) { (self.request, self.blank) = (request, blank) }

    /// Notes a style or a region.
    mutating func noteBlock(_ block: ArraySlice<UInt8>) { blockBytes += count(of: block) }

    /// Notes a cue that shows from `start` to `end`, in milliseconds.
    mutating func noteCue(_ cue: ArraySlice<UInt8>, from start: Int64, to end: Int64) {
        if !request.cuesOnce { cues.append((cue.startIndex, start, end, count(of: cue))) }
    }

    /// Begins all segments up to `last`. The position of the cue to blame, or 0, if one repeats more than is allowed.
    mutating func begin(through last: Int) -> Int? {
        while segment < last {
            segment += 1
            let open = cues.filter {
                request.segment(at: $0.start) < segment && request.isBehind($0.end, segment: UInt128(segment - 1))
            }
            let map = request.mapLine(ofSegment: segment, own: ownMap)
            let head = 6 + blank + (map.isEmpty ? 0 : map.count + blank) + blank + blockBytes
            repeated += open.map(\.count).reduce(head, +)
            if repeated > request.limits.repeatedBytes { return open.first?.position ?? 0 }
        }
        return nil
    }

    /// With the end of the line, if that is missing, and a blank line.
    private func count(of block: ArraySlice<UInt8>) -> Int {
        block.count + (block.last == 0x0A || block.last == 0x0D ? blank : 2 * blank)
    }
}
