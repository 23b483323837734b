/// Which X-TIMESTAMP-MAP the segments of a file get (RFC 8216 3.5).
///
/// A video whose time stamps start anew, behind an EXT-X-DISCONTINUITY, has a timeline for each part, and segments need
/// the map of theirs:
///
///     var maps = SegmentMaps(first: TimestampMap(mpegTS: 126_000))
///     maps.append(TimestampMap(mpegTS: 0, local: Timestamp(milliseconds: 60_000)), fromSegment: 10)
public struct SegmentMaps: Equatable, Sendable {
    /// A timeline behind the first.
    struct Timeline: Equatable, Sendable {
        let firstSegment: Int
        let map: TimestampMap?
    }

    /// The map of the first timeline.
    public var first: TimestampMap?

    /// Whether the file's own map, if it has one, counts instead of ``first``.
    public var prefersOwn: Bool

    /// The timelines behind the first, in the order of their segments.
    private(set) var later: [Timeline] = []

    /// Maps of one timeline: the file's own, or else `first`.
    public init(first: TimestampMap? = nil, prefersOwn: Bool = true) {
        self.first = first
        self.prefersOwn = prefersOwn
    }

    /// Begins a new timeline with segment `index`, counted from 0; if `map` is nil, its segments have none.
    ///
    /// Timelines are appended in order: those from that segment on are replaced.
    public mutating func append(_ map: TimestampMap?, fromSegment index: Int) {
        later.removeAll { $0.firstSegment >= index }
        later.append(Timeline(firstSegment: index, map: map))
    }
}
