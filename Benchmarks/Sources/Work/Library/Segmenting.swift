import ByteScan
import CReference
import WebVTT

/// The library's segmenter: one for each run, reset for every file.
enum Segmenting {
    /// How long a segment is, in milliseconds.
    static let step: UInt64 = 6_000

    private static let boundaries: SegmentBoundaries = {
        guard let boundaries = SegmentBoundaries(every: step * 1_000_000) else { fatalError("no boundaries") }
        return boundaries
    }()

    /// Cuts, and notes the slices that come out.
    static func sliced(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, to slices: SliceList, times: Int
    ) throws(SegmenterError) -> UInt64 {
        var slices = slices
        var segmenter = Segmenter(boundaries)
        var sum: UInt64 = 0
        for _ in 0..<times {
            slices.removeAll()
            segmenter.reset()
            for chunk in bytes.chunks(of: size) {
                try segmenter.write(chunk) { if case .bytes(let slice) = $0 { slices.append(slice.bytes) } }
            }
            try segmenter.finish { if case .bytes(let slice) = $0 { slices.append(slice.bytes) } }
            sum &+= UInt64(slices.byteCount)
        }
        return sum
    }

    /// Scans for the same cues, and adds up what tells them apart.
    static func scanned(_ bytes: UnsafeRawBufferPointer, times: Int) throws(CueLimitError) -> UInt64 {
        var scanner = CueScanner()
        var sum: UInt64 = 0
        for _ in 0..<times {
            scanner.reset()
            try scanner.scan(bytes) { sum &+= digest($0) }
            try scanner.finish { sum &+= digest($0) }
            Reference.keep(bytes.baseAddress)
        }
        return sum
    }

    @inline(__always)
    private static func digest(_ event: CueEvent) -> UInt64 {
        guard case .cue(let cue) = event else { return 1 }
        return UInt64(truncatingIfNeeded: cue.start.milliseconds ^ cue.end.milliseconds &+ Int64(cue.bytes.count))
    }

    /// What is wrong with the segments of `bytes`, whole or in chunks, or nil.
    ///
    /// One segmenter cuts them all, so that a reset that leaves something behind shows too.
    static func fault(in bytes: UnsafeRawBufferPointer, expected: [[UInt8]]) -> String? {
        var segmenter = Segmenter(boundaries)
        let joined = expected.flatMap { $0 }
        for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
            var output = SlicedOutput(expected: joined)
            var (count, start): (Int, UInt64) = (0, 0)
            var isInStep = true
            func compare(_ event: SegmentEvent, of chunk: UnsafeRawBufferPointer) {
                switch event {
                case .began(let index): isInStep = isInStep && index == count
                case .bytes(let slice): output.compare(slice, of: chunk)
                case .ended(let segment):
                    isInStep = isInStep && segment.start == start
                    start += segment.duration
                    count += 1
                }
            }
            segmenter.reset()
            do {
                for chunk in bytes.chunks(of: size) { try segmenter.write(chunk) { compare($0, of: chunk) } }
                try segmenter.finish { compare($0, of: UnsafeRawBufferPointer(start: nil, count: 0)) }
            } catch {
                return "in chunks of \(size) bytes: \(error)"
            }
            if let fault = output.fault { return "in chunks of \(size) bytes: \(fault)" }
            guard isInStep, count == expected.count, start == Expected.finalCueEnd(of: bytes) * 1_000_000 else {
                return "in chunks of \(size) bytes: \(count) segments until \(start), not \(expected.count)"
            }
        }
        return nil
    }

    // MARK: Any span of a file

    private static func span(_ number: Int) -> CueSpan {
        let start = Int64(number) * Int64(step) * 1_000_000
        return CueSpan(start: start, end: start + Int64(step) * 1_000_000)
    }

    /// Collects segments one after the other, from the beginning again once there are no more.
    static func spans(of index: CueIndex, times: Int) -> UInt64 {
        let count = max(Int(index.latestEnd / Int64(step)), 1)
        var output = OutputPieces()
        var sum: UInt64 = 0
        for number in 0..<times {
            index.write(span(number % count), into: &output)
            sum &+= UInt64(output.byteCount)
        }
        return sum
    }

    /// What is wrong with the first hundred of them, or nil.
    static func fault(of index: CueIndex, expected: [[UInt8]]) -> String? {
        var output = OutputPieces()
        for (number, wanted) in expected.prefix(100).enumerated() {
            index.write(span(number), into: &output)
            var segment: [UInt8] = []
            for piece in output { segment += piece.bytes(in: index.file) }
            if segment != wanted { return "segment \(number) is not the expected one" }
        }
        return nil
    }
}
