import M3U8
import Sideload
import Testing
import WebVTT

@testable import surtitle

/// Where segments begin and end beside a video, and before which a timeline begins.
@Suite struct SegmentLayoutTests {
    private static let cut = "#EXT-X-DISCONTINUITY\n"

    /// The target, the video's lines, the duration in seconds; durations, or the step and the end; and discontinuities.
    @Test(
        arguments: [
            (nil, "4 4 2", nil, [4, 4, 2], []), (nil, "- 4 - 4 2", nil, [4, 4, 2], [0, 1]),
            (nil, "4 - 4 - 2", nil, [4, 4, 2], [1, 2]), (3, "4 - 6", nil, [3, 1, 3, 3], [2]),
            (3, "4 - 6", 7, [3, 1, 3], [2]), (3, "4 - 6", 5, [3, 1, 1], [2]), (3, "4 - 6", 4, [3, 1], []),
            (nil, "4 - 6", 20, [4, 6, 6, 4], [1]), (5, "- 4 6 - 2", nil, [5, 5, 2], [0, 2]),
        ] as [(UInt64?, String, Int64?, [UInt64], Set<Int>)])
    func durations(
        _ target: UInt64?, _ video: String, _ until: Int64?, _ durations: [UInt64], _ discontinuities: Set<Int>
    ) throws {
        let layout = try layout(target, video, until)
        #expect(layout.boundaries == SegmentBoundaries(durations: durations.map { $0 * 1_000_000_000 }))
        #expect(layout.discontinuities == discontinuities)
    }

    @Test(
        arguments: [
            (nil, nil, nil, 6, nil), (nil, nil, 20, 6, 20), (2, nil, nil, 2, nil), (2, nil, 9, 2, 9),
            (3, "4 6", nil, 3, 10),
            (3, "4 6", 8, 3, 8), (nil, "4 6", 8, 6, 8),
        ] as [(UInt64?, String?, Int64?, UInt64, UInt64?)])
    func steps(_ target: UInt64?, _ video: String?, _ until: Int64?, _ step: UInt64, _ end: UInt64?) throws {
        let layout = try layout(target, video, until)
        #expect(
            layout.boundaries == SegmentBoundaries(every: step * 1_000_000_000, until: end.map { $0 * 1_000_000_000 }))
        #expect(layout.discontinuities == [])
    }

    @Test func withoutContentThereIsNone() {
        #expect(throws: Failure.self) { try layout(nil, nil, 0) }
        #expect(throws: Failure.self) { try layout(nil, "", nil) }
    }

    private func layout(_ target: UInt64?, _ video: String?, _ until: Int64?) throws -> SegmentLayout {
        let lines = video?.split(separator: " ").map { $0 == "-" ? Self.cut : "#EXTINF:\($0),\na\n" }
        return try SegmentLayout(
            target: target.map { DecimalSeconds(nanoseconds: $0 * 1_000_000_000) },
            video: lines.map { PlaylistFacts(of: Array("#EXTM3U\n\($0.joined())".utf8), asking: .timelines) },
            until: until.map { MediaDuration(milliseconds: $0 * 1000) })
    }
}
