/// Which X-TIMESTAMP-MAP the segments of a file get (RFC 8216 3.5).
///
/// A video whose time stamps start anew, behind an EXT-X-DISCONTINUITY, has a time line for each part, and segments need the map of
/// theirs:
///
///     var maps = SegmentMaps(first: TimestampMap(mpegTS: 126_000))
///     maps.append(TimestampMap(mpegTS: 0, local: Timestamp(milliseconds: 60_000)), fromSegment: 10)
public struct SegmentMaps: Equatable, Sendable {
    /// A time line behind the first.
    struct TimeLine: Equatable, Sendable {
        let firstSegment: Int
        let map: TimestampMap?
    }

    /// The map of the first time line.
    public var first: TimestampMap?

    /// Whether the file's own map, if it has one, counts instead of ``first``.
    public var prefersOwn: Bool

    /// The time lines behind the first, in the order of their segments.
    private(set) var later: [TimeLine] = []

    /// Maps of one time line: the file's own, or else `first`.
    public init(first: TimestampMap? = nil, prefersOwn: Bool = true) {
        self.first = first
        self.prefersOwn = prefersOwn
    }

    /// Begins a new time line with segment `index`, counted from 0; if `map` is nil, its segments have none.
    ///
    /// Time lines are appended in order: those from that segment on are replaced.
    public mutating func append(_ map: TimestampMap?, fromSegment index: Int) {
        later.removeAll { $0.firstSegment >= index }
        later.append(TimeLine(firstSegment: index, map: map))
    }
}
