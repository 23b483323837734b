import Support
import Testing
import WebVTT

/// A file whose source breaks off: what is held goes out as it came, and a proxy can tell when it may step aside.
@Suite struct AbandonTests {
    @Test func ofTimestampMaps() {
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        for file in OutputFormTests.files {
            var whole: [UInt8] = []
            rewriter.reset()
            file.withUnsafeBytes { rewriter.write($0) { whole += $0.bytes } }
            rewriter.finish { whole += $0.bytes }
            for end in 0...file.count {
                for size in [1, 7, 1000] {
                    rewriter.reset()
                    var written: [UInt8] = []
                    for range in Splits.even(of: end, size: size) {
                        file[range].withUnsafeBytes { rewriter.write($0) { written += $0.bytes } }
                    }
                    let (held, isSettled) = (rewriter.heldBytes, rewriter.isSettled)
                    var output = OutputPieces()
                    rewriter.abandon(into: &output)
                    var after: [UInt8] = []
                    file.withUnsafeBytes { rewriter.write($0) { after += $0.bytes } }
                    rewriter.finish { after += $0.bytes }
                    #expect(own(output) == Array(file[(end - held)..<end]), "\(end)")
                    #expect(whole.starts(with: written) && after == file, "\(end)")
                    if isSettled { #expect(whole == written + file[end...], "\(end)") }
                }
            }
        }
    }

    @Test(arguments: [Int64(-1500), 0, 3_600_000])
    func ofShifts(by shift: Int64) throws {
        var shifter = CueShifter(byMilliseconds: shift)
        for file in OutputFormTests.files {
            var whole: [UInt8] = []
            shifter.reset()
            try file.withUnsafeBytes { try shifter.write($0) { whole += $0.bytes } }
            shifter.finish { whole += $0.bytes }
            for end in 0...file.count {
                for size in [1, 7, 1000] {
                    shifter.reset()
                    var written: [UInt8] = []
                    for range in Splits.even(of: end, size: size) {
                        try file[range].withUnsafeBytes { try shifter.write($0) { written += $0.bytes } }
                    }
                    let (held, isSettled) = (shifter.heldBytes, shifter.isSettled)
                    var output = OutputPieces()
                    shifter.abandon(into: &output)
                    var after: [UInt8] = []
                    try file.withUnsafeBytes { try shifter.write($0) { after += $0.bytes } }
                    shifter.finish { after += $0.bytes }
                    #expect(own(output) == Array(file[(end - held)..<end]), "\(end)")
                    #expect(whole.starts(with: written) && after == file, "\(end)")
                    if isSettled { #expect(whole == written + file[end...], "\(end)") }
                }
            }
        }
    }

    /// Nobody gets half a cue, and nothing ends what the torn file has begun.
    @Test func ofSegments() throws {
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        var segmenter = Segmenter(boundaries)
        let cues = "WEBVTT\n\n00:00.000 --> 00:02.500\na\n\n00:01.000 --> 00:01.500\nb\n\n00:03.000 --> 00:03.500\nc\n"
        let file = Array(cues.utf8)
        var whole: [UInt8] = []
        try file.withUnsafeBytes { try segmenter.write($0) { if case .bytes(let slice) = $0 { whole += slice.bytes } } }
        for end in 0...file.count {
            segmenter.reset()
            var written: [UInt8] = []
            try file[..<end].withUnsafeBytes { chunk in
                try segmenter.write(chunk) { if case .bytes(let slice) = $0 { written += slice.bytes } }
            }
            // The bytes that have come, those of the header aside, are written, or held; a spanning cue is both.
            #expect(whole.starts(with: written) && segmenter.heldBytes <= end + 2, "\(end)")
            // Within the first cue, and within the second, when the first is a spanning cue with its blank line.
            if 8..<62 ~= end { #expect(segmenter.heldBytes == end - 8, "\(end)") }
            segmenter.abandon()
            #expect(segmenter.heldBytes == 0)
            let torn = try #require(throws: SegmenterError.self) {
                try file.withUnsafeBytes { try segmenter.write($0) { _ in Issue.record("handed out behind \(end)") } }
            }
            #expect(torn.reason == .brokenOff && torn.position == end)
            #expect(throws: torn) { try segmenter.finish { _ in Issue.record("handed out behind \(end)") } }
        }
        segmenter.reset()
        var again: [UInt8] = []
        try file.withUnsafeBytes { try segmenter.write($0) { if case .bytes(let slice) = $0 { again += slice.bytes } } }
        #expect(again == whole && !whole.isEmpty)
    }

    /// Caches keep it for years: the same in every run, on every machine.
    @Test func fingerprintsStayWhatTheyAre() throws {
        let boundaries = try #require(SegmentBoundaries(every: 6_000_000_000))
        let until = try #require(SegmentBoundaries(every: 6_000_000_000, until: 9_000_000_000))
        let durations = try #require(SegmentBoundaries(durations: [6_000_000_000]))
        let map = TimestampMap(mpegTS: 900_000)
        var maps = SegmentMaps(first: map)
        maps.append(nil, fromSegment: 3)
        var all = [
            map.fingerprint, TimestampMap(mpegTS: 900_001).fingerprint,
            TimestampMap(mpegTS: 900_000, local: Timestamp(milliseconds: 1)).fingerprint,
        ]
        func note(_ shifter: borrowing CueShifter) { all.append(shifter.fingerprint) }
        note(CueShifter(byMilliseconds: 1))
        note(CueShifter(byMilliseconds: -1))
        note(CueShifter(byMilliseconds: 1, longestLine: 9))
        func note(_ segmenter: borrowing Segmenter) { all.append(segmenter.fingerprint) }
        for boundaries in [boundaries, until, durations] {
            note(Segmenter(boundaries))
            note(Segmenter(boundaries, map: map))
            note(Segmenter(boundaries, maps: maps))
            note(Segmenter(boundaries, cuesOnce: true))
            note(Segmenter(boundaries, limits: Segmenter.Limits(segments: 7)))
        }
        for limits in [
            Segmenter.Limits(largestBlock: 7), .init(head: 7), .init(spanningCues: 7), .init(repeatedBytes: 7),
        ] {
            note(Segmenter(boundaries, limits: limits))
        }
        var later = SegmentMaps(first: map)
        later.append(nil, fromSegment: 4)
        note(Segmenter(boundaries, maps: later))
        note(Segmenter(boundaries, maps: SegmentMaps(first: map, prefersOwn: true)))
        #expect(Set(all).count == all.count)
        #expect(map.fingerprint == 0x4982_8917_6aa7_8bcd)
        #expect(CueShifter(byMilliseconds: 1).fingerprint == 0xb7b4_9ca1_7a87_3fd4)
        #expect(Segmenter(until, map: map).fingerprint == 0xa6c7_e1b7_cae3_cf16)
    }

    private func own(_ output: OutputPieces) -> [UInt8] {
        output.flatMap { $0.bytes(in: UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}
