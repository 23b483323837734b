import ByteScan
import Support
import Testing
import WebVTT

/// Each form of output gives the same bytes: slices, pieces of any size, and memory of the caller's.
@Suite struct OutputFormTests {
    static let files = [
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\nKind: captions\n\n1\n00:01.000 --> 00:02.000\n<00:01.500>a\n\n"
            + "2\n59:59.999 --> 59:59.999\nb\n\n3\n00:00:03.000 --> 99:00:04.000 line:0\nc",
        "WEBVTT\r\rid\r00:00.000 --> 00:00.001\rx\r\r00:05.000 --> 00:06.000\r", "WEBVTT", "WEBVTT\r", "no\n", "",
    ].map { Array($0.utf8) }

    static let thresholds = [0, 1, 20, 1024, .max]

    static func outputs() -> [OutputPieces] {
        thresholds.map { OutputPieces(mergingThreshold: $0, longestPiece: 64) }
    }

    @Test func timestampMaps() {
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        for file in Self.files {
            let window = GuardedWindow(capacity: file.count)
            for (number, split) in Splits.all(of: file.count).enumerated() {
                rewriter.reset()
                var slices = SliceLog()
                slices.collect(file, split, in: window, isLeading: false) { chunk, body in
                    rewriter.write(chunk, body)
                } finish: { body in
                    rewriter.finish(body)
                }
                var output = Self.outputs()[number % Self.thresholds.count]
                rewriter.reset()
                var pieces = PieceLog(longestPiece: 64)
                pieces.collect(file, split, in: window, isLeading: true, into: &output) { chunk, output in
                    rewriter.write(chunk, into: &output)
                } finish: { output in
                    rewriter.finish(into: &output)
                }
                rewriter.reset()
                var buffer = BufferLog()
                buffer.collect(file, split, in: window, isLeading: false) { chunk, output throws(OutputError<Never>) in
                    try rewriter.write(chunk, into: &output)
                } finish: { output throws(OutputError<Never>) in
                    try rewriter.finish(into: &output)
                }
                #expect(pieces.faults + buffer.faults == [], "\(split)")
                #expect(pieces.bytes == slices.bytes && buffer.bytes == slices.bytes, "\(split)")
            }
        }
    }

    @Test(arguments: [Int64(-1500), 0, 1, 3_600_000, .max])
    func shifts(by shift: Int64) {
        var shifter = CueShifter(byMilliseconds: shift, longestLine: shift == 1 ? 26 : 1 << 20)
        for file in Self.files {
            let window = GuardedWindow(capacity: file.count)
            for (number, split) in Splits.all(of: file.count).enumerated() {
                shifter.reset()
                // An error ends what is handed out, and is thrown again by every call.
                var (slices, error): ([UInt8], CueShiftError?) = ([], nil)
                for range in split {
                    window.with(file[range]) { chunk in
                        do throws(CueShiftError) {
                            try shifter.write(chunk) { slices += $0.bytes }
                        } catch let failure {
                            error = failure
                        }
                    }
                }
                shifter.finish { slices += $0.bytes }
                var output = Self.outputs()[number % Self.thresholds.count]
                shifter.reset()
                var pieces = PieceLog(longestPiece: 64)
                for range in split {
                    window.with(file[range]) { chunk in
                        try? shifter.write(chunk, into: &output)
                        pieces.record(output, of: chunk)
                    }
                }
                shifter.finish(into: &output)
                pieces.record(output, of: UnsafeRawBufferPointer(start: nil, count: 0))
                shifter.reset()
                var buffer = BufferLog()
                if error == nil {
                    buffer.collect(file, split, in: window, isLeading: true) {
                        chunk, output throws(OutputError<CueShiftError>) in
                        try shifter.write(chunk, into: &output)
                    } finish: { output throws(OutputError<CueShiftError>) in
                        try shifter.finish(into: &output)
                    }
                    #expect(buffer.bytes == slices, "\(split)")
                }
                #expect(pieces.faults + buffer.faults == [], "\(split)")
                #expect(pieces.bytes == slices, "\(split)")
            }
        }
    }

    @Test func segments() throws {
        let boundaries = try #require(SegmentBoundaries(every: 2_000_000_000, until: 9_000_000_000))
        var segmenter = Segmenter(boundaries, map: TimestampMap(mpegTS: 900_000))
        for file in Self.files {
            let window = GuardedWindow(capacity: file.count)
            for (number, split) in Splits.all(of: file.count).enumerated() {
                let expected = transcript(of: &segmenter, file, split, in: window)
                let threshold = Self.thresholds[number % Self.thresholds.count]
                var output = SegmentPieces(mergingThreshold: threshold, longestPiece: 64)
                segmenter.reset()
                var made = Transcript()
                for range in split {
                    window.with(file[range]) { chunk in
                        do throws(SegmenterError) { try segmenter.write(chunk, into: &output) } catch {
                            made.error = error
                        }
                        made.note(output, of: chunk)
                    }
                }
                do throws(SegmenterError) { try segmenter.finish(into: &output) } catch { made.error = error }
                made.note(output, of: UnsafeRawBufferPointer(start: nil, count: 0))
                #expect(made == expected, "\(split), \(threshold)")
            }
            var output = SegmentPieces()
            var (made, expected) = (Transcript(), Transcript())
            file.withUnsafeBytes { file in
                do throws(SegmenterError) { try segmenter.segment(file, into: &output) } catch { made.error = error }
                made.note(output, of: file)
                do throws(SegmenterError) { try segmenter.segment(file) { expected.note($0) } } catch {
                    expected.error = error
                }
            }
            #expect(made == expected)
            output.removeAll()
            #expect(output.isEmpty && output.byteCount == 0)
        }
    }

    @Test func segmentsInMemory() throws {
        let boundaries = try #require(SegmentBoundaries(every: 2_000_000_000, until: 9_000_000_000))
        var segmenter = Segmenter(boundaries, map: TimestampMap(mpegTS: 900_000))
        for file in Self.files {
            var expected = Transcript()
            file.withUnsafeBytes { file in
                do throws(SegmenterError) { try segmenter.segment(file) { expected.note($0) } } catch {
                    expected.error = error
                }
            }
            let needed = expected.files.map(\.count).reduce(0, +)
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: needed + 5, alignment: 1)
            defer { memory.deallocate() }
            for room in 0...needed {
                // Something is there already, and is left alone.
                var output = OutputBuffer(UnsafeMutableRawBufferPointer(rebasing: memory[..<(room + 5)]))
                var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 0))
                rewriter.abandon { _ in }
                try Array("there".utf8).withUnsafeBytes { try rewriter.write($0, into: &output) }
                var places: [Range<Int>] = []
                var made = Transcript()
                var failure: OutputError<SegmenterError>?
                file.withUnsafeBytes { file in
                    do throws(OutputError<SegmenterError>) {
                        try segmenter.segment(file, into: &output) { segment, range in
                            made.segments.append(segment)
                            places.append(range)
                        }
                    } catch { failure = error }
                }
                #expect(memory.prefix(5).elementsEqual("there".utf8) && expected.segments.starts(with: made.segments))
                #expect(places.first?.lowerBound ?? 5 == 5)
                made.files = places.map { Array(memory[$0]) }
                #expect(expected.files.starts(with: made.files), "\(room)")
                if let error = expected.error {
                    #expect(failure == .failed(error) && places.isEmpty && output.count == 5)
                } else if room < needed {
                    #expect(failure == .tooSmall(needed: needed, available: room) && output.count == 5)
                } else {
                    #expect(failure == nil && made == expected && output.count == needed + 5)
                }
            }
        }
    }

    private func transcript(
        of segmenter: inout Segmenter, _ file: [UInt8], _ split: [Range<Int>], in window: GuardedWindow
    ) -> Transcript {
        segmenter.reset()
        var made = Transcript()
        for range in split {
            window.with(file[range]) { chunk in
                do throws(SegmenterError) { try segmenter.write(chunk) { made.note($0) } } catch { made.error = error }
            }
        }
        do throws(SegmenterError) { try segmenter.finish { made.note($0) } } catch { made.error = error }
        return made
    }

    /// What a segmenter has handed out: the bytes of each segment, and what came at its end.
    private struct Transcript: Equatable {
        var files: [[UInt8]] = []
        var segments: [Segment] = []
        var error: SegmenterError?

        mutating func note(_ output: SegmentPieces, of chunk: UnsafeRawBufferPointer) {
            var count = 0
            for piece in output {
                switch piece {
                case .began(let index):
                    #expect(index == files.count)
                    files.append([])
                case .bytes(let piece):
                    files[files.count - 1] += piece.bytes(in: chunk)
                    count += piece.count
                case .ended(let segment): segments.append(segment)
                }
            }
            #expect(count == output.byteCount)
        }

        mutating func note(_ event: SegmentEvent) {
            switch event {
            case .began: files.append([])
            case .bytes(let slice): files[files.count - 1] += slice.bytes
            case .ended(let segment): segments.append(segment)
            }
        }
    }
}
