import Support
import Testing

@testable import WebVTT

/// Segments of several timelines, and a file's own map beside those that are given.
@Suite struct SegmentMapsTests {
    private static let own = "X-TIMESTAMP-MAP=MPEGTS:7, LOCAL:00:00:00.000"
    private static let step: UInt64 = 10_000_000_000

    private static func file(_ header: String) -> [UInt8] {
        Array("WEBVTT\n\(header)\n00:05.000 --> 00:25.000\na\n\n00:21.000 --> 00:39.000\nb\n".utf8)
    }

    /// The maps of the segments, by their ticks; nil where there is none.
    private static func ticks(_ made: Segmenting) -> [UInt64?] {
        made.texts.map { text in
            text.split(separator: "\n").dropFirst().first
                .flatMap { line in Array(line.utf8).withUnsafeBytes { TimestampMap(headerLine: .init($0))?.mpegTS } }
        }
    }

    private static func maps(_ first: UInt64?, own: Bool, _ later: [(UInt64?, Int)]) -> SegmentMaps {
        var maps = SegmentMaps(first: first.map { TimestampMap(mpegTS: $0) }, prefersOwn: own)
        for (map, index) in later { maps.append(map.map { TimestampMap(mpegTS: $0) }, fromSegment: index) }
        return maps
    }

    @Test(
        arguments: [
            (maps(nil, own: true, []), [nil, nil, nil, nil], [7, 7, 7, 7]),
            (maps(1, own: true, []), [1, 1, 1, 1], [7, 7, 7, 7]),
            (maps(1, own: false, []), [1, 1, 1, 1], [1, 1, 1, 1]),
            (maps(nil, own: false, []), [nil, nil, nil, nil], [7, 7, 7, 7]),
            (maps(1, own: true, [(2, 1), (3, 3)]), [1, 2, 2, 3], [7, 2, 2, 3]),
            (maps(1, own: false, [(nil, 2)]), [1, 1, nil, nil], [1, 1, nil, nil]),
            (maps(nil, own: true, [(5, 2)]), [nil, nil, 5, 5], [7, 7, 5, 5]),
            // A timeline without a segment, and one of no segment that comes.
            (maps(1, own: true, [(2, 2), (3, 2), (4, 9)]), [1, 1, 3, 3], [7, 7, 3, 3]),
            (maps(1, own: true, [(2, 0)]), [2, 2, 2, 2], [2, 2, 2, 2]),
        ] as [(SegmentMaps, [UInt64?], [UInt64?])])
    func everySegmentHasThatOfItsTimeline(_ maps: SegmentMaps, _ plain: [UInt64?], _ mapped: [UInt64?]) throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        for (header, expected) in [("", plain), ("\(Self.own)\n", mapped)] {
            let file = Self.file(header)
            let guarded = GuardedBytes(file)
            defer { withExtendedLifetime(guarded) {} }
            var segmenter = Segmenter(boundaries, maps: maps)
            let whole = Segmenting(&segmenter, guarded.buffer, in: [0..<file.count])
            #expect(whole.error == nil && Self.ticks(whole) == expected)
            for split in Splits.all(of: file.count) {
                segmenter.reset()
                #expect(Segmenting(&segmenter, guarded.buffer, in: split) == whole, "\(split)")
            }
            #expect(Segmenting.whole(file, by: boundaries, maps: maps) == whole)
        }
    }

    @Test func theFilesOwnMapIsTold() throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        for (maps, expected) in [
            (Self.maps(1, own: true, []), TimestampMap(mpegTS: 7)), (Self.maps(1, own: false, []), nil),
        ] {
            var segmenter = Segmenter(boundaries, maps: maps)
            try Self.file("\(Self.own)\n").withUnsafeBytes { try segmenter.write($0) { _ in } }
            #expect(segmenter.ownMap == expected)
            segmenter.reset()
            #expect(segmenter.ownMap == nil)
        }
    }
}
