import Support
import WebVTT

/// Segments are those of the naive form, from chunks of any size and from the whole, and what cannot be cut is refused
/// at the block that is the reason.
enum SegmenterCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let file = input.text
        let splits = input.splits()
        guard let request = SegmentRequest(&input.choices) else { return }
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        var segmenter = request.segmenter
        let stream = SegmentTranscript(of: guarded.buffer, in: [0..<file.count], by: &segmenter)
        // A segmenter that is reset in the middle of its work is as new.
        segmenter.reset()
        try? segmenter.write(UnsafeRawBufferPointer(rebasing: guarded.buffer.prefix(file.count / 2))) { _ in }
        for (number, split) in splits.enumerated() {
            segmenter.reset()
            let buffer = number % 2 == 1 ? guarded.leadingBuffer : guarded.buffer
            let other = SegmentTranscript(of: buffer, in: split, by: &segmenter)
            faults.expect(other, is: stream, Faults.words(split))
        }
        OutputCheck.run(&segmenter, &input, expected: stream, &faults)
        let whole = SegmentTranscript(whole: guarded.buffer, by: request)
        faults.expect(SegmentTranscript(whole: guarded.leadingBuffer, by: request), is: whole, "made again")
        for fault in stream.faults + whole.faults { faults.add(fault) }
        OutputCheck.run(&segmenter, &input, whole: whole, &faults)

        for (made, inChunks) in [(whole, false), (stream, true)] {
            let expected = SegmentRefusal.first(in: file, by: request, inChunks: inChunks)
            faults.expect(
                made.error.map { SegmentRefusal($0) }, is: expected, "refused \(inChunks ? "in chunks" : "whole")")
        }
        if whole.error != nil {
            faults.expect(whole.files.isEmpty, "segments of a file that is refused")
        } else {
            let sums = whole.segments.reduce(into: [UInt64(0)]) { sums, segment in
                sums.append(sums[sums.count - 1] + segment.duration)
            }
            faults.expect(whole.segments.map(\.start), is: sums.dropLast(), "starts are sums of durations")
            let expected = NaiveSegmenter(file, cuesOnce: request.cuesOnce).map(request.segments) ?? []
            faults.expect([whole.files.count, whole.segments.count], is: [expected.count, expected.count], "segments")
            check(whole, against: expected, &faults)
        }
        if stream.error == nil {
            faults.expect(stream, is: whole, "in chunks and whole")
        } else {
            checkRefused(stream, file, request, &faults)
        }
    }

    /// The segments that have ended are those of the naive form.
    private static func check(
        _ made: SegmentTranscript, against expected: [NaiveSegmenter.Segment], _ faults: inout Faults
    ) {
        for ((segment, file), expected) in zip(zip(made.segments, made.files), expected) {
            let isRight =
                (segment.start, segment.duration, segment.cueCount)
                == (expected.start, expected.duration, expected.cues.count)
            faults.expect(isRight, "\(segment), expected \(expected)")
            faults.expect(file, is: expected.bytes, "segment \(segment.index)")
        }
    }

    /// What has been handed out before an error is what the file up to there gives, but for cues that never show and waited.
    private static func checkRefused(
        _ made: SegmentTranscript, _ file: [UInt8], _ request: SegmentRequest, _ faults: inout Faults
    ) {
        guard let error = made.error, !made.files.isEmpty else { return }
        var count = error.position
        if error.reason == .spanningCuesTooLong(limit: request.limits.spanningCues) {
            // This cue has been written.
            count += NaiveWebVTT.blocks(of: file)?.first { $0.position == count }?.count ?? 0
        }
        if error.reason == .tooManyRepeatedBytes(limit: request.limits.repeatedBytes) {
            return checkEnded(made, file, request, &faults)
        }
        let cues = (NaiveWebVTT.blocks(of: file) ?? []).filter { $0.kind == "cue" && $0.position < count }
        let waiting = request.count == nil ? cues.reversed().prefix { $0.end <= $0.start } : []
        var failed = Faults()
        for count in [count] + waiting.map(\.position) {
            failed = Faults()
            checkRefused(made, beginning: Array(file.prefix(count)), request, &failed)
            if failed.found.isEmpty { return }
        }
        for fault in failed.found { faults.add("\(fault) after \(error)") }
    }

    /// All segments that have begun have ended: those that the file gives up to a cue, or up to its end.
    private static func checkEnded(
        _ made: SegmentTranscript, _ file: [UInt8], _ request: SegmentRequest, _ faults: inout Faults
    ) {
        let cues = (NaiveWebVTT.blocks(of: file) ?? []).filter { $0.kind == "cue" }
        // A cue that would be refused for its time has not been reached.
        let end = cues.first { $0.end > $0.start && request.isTooLate(UInt128($0.end)) }?.position ?? file.count
        var failed = Faults()
        for count in [end] + cues.map(\.position).prefix(while: { $0 < end }) {
            failed = Faults()
            let expected =
                NaiveSegmenter(Array(file.prefix(count)), cuesOnce: request.cuesOnce).map(request.segments) ?? []
            failed.expect(made.files.count == made.segments.count && made.files.count <= expected.count, "\(made)")
            check(made, against: expected, &failed)
            if failed.found.isEmpty { return }
        }
        for fault in failed.found { faults.add("\(fault) after too many repeated bytes") }
    }

    private static func checkRefused(
        _ made: SegmentTranscript, beginning file: [UInt8], _ request: SegmentRequest, _ faults: inout Faults
    ) {
        let expected = NaiveSegmenter(file, cuesOnce: request.cuesOnce).map(request.segments) ?? []
        let ended = made.segments.count
        guard ended < expected.count, made.files.count == ended + 1 else { return faults.add("\(made)") }
        check(made, against: expected, &faults)
        let open = made.files[ended]
        let isBeginning = expected[ended].bytes.starts(with: open) && expected[ended].bytes.count - open.count <= 2
        faults.expect(isBeginning, "the open segment: \(open), of \(expected[ended])")
    }
}
