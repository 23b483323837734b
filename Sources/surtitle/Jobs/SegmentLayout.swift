internal import M3U8
internal import Sideload
internal import WebVTT

/// Where the segments of a rendition begin and end, and on which timeline of the video each is.
struct SegmentLayout {
    /// How long segments are if nobody says.
    private static let defaultTarget = DecimalSeconds(nanoseconds: 6_000_000_000)
    /// How many segments are laid out at most, which is more than are cut.
    private static let largestCount = Segmenter.Limits().segments + 1

    let boundaries: SegmentBoundaries
    /// The first segment of each of the video's timelines behind the first.
    private var laterTimelines: [Int] = []
    /// The segments before which an EXT-X-DISCONTINUITY stands.
    private(set) var discontinuities: Set<Int> = []

    /// The layout by these rules, the first that applies:
    ///
    ///     length    the target; the video's own, unless a duration is given; 6 s
    ///     end       the duration; the video's; that of the cue that ends last
    ///
    /// With every timeline of the video a segment begins.
    init(target: DecimalSeconds?, video: PlaylistFacts?, until duration: MediaDuration?) throws(Failure) {
        let end = (duration ?? video?.duration)?.nanoseconds
        let step = (target ?? Self.defaultTarget).nanoseconds
        let timelines = video?.timelines ?? []
        if timelines.first?.isDiscontinuous == true { discontinuities = [0] }
        var boundaries: SegmentBoundaries?
        if let video, target == nil, duration == nil {
            boundaries = SegmentBoundaries(durations: video.durations.map(\.nanoseconds))
            laterTimelines = timelines.dropFirst().map(\.firstDuration)
        } else if timelines.count > 1, let end {
            var durations: [UInt64] = []
            var start: UInt64 = 0
            for (index, timeline) in timelines.enumerated() where timeline.start.nanoseconds < end {
                if index > 0 { laterTimelines.append(durations.count) }
                let next = index + 1 < timelines.count ? min(timelines[index + 1].start.nanoseconds, end) : end
                while start < next, durations.count < Self.largestCount {
                    durations.append(min(step, next - start))
                    start += durations[durations.count - 1]
                }
            }
            boundaries = SegmentBoundaries(durations: durations)
        } else {
            boundaries = SegmentBoundaries(every: step, until: end)
        }
        guard let boundaries else { throw .usage("there are no segments of that duration; give another one") }
        self.boundaries = boundaries
        discontinuities.formUnion(laterTimelines)
    }

    /// The segments' maps by the video's clock.
    func maps(by clock: VideoClock) -> SegmentMaps {
        var maps = SegmentMaps(first: clock.first, prefersOwn: clock.keepsOwn)
        for (segment, map) in zip(laterTimelines, clock.later) { maps.append(map, fromSegment: segment) }
        return maps
    }
}
