import ByteScan
import Drivers
import M3U8
import Sideload
import Support
import WebVTT

/// The forms in which output is taken.
///
/// 1. Each form gives the bytes that the closure gives, on any split.  2. Memory that is as large as the bound is large enough.  3. Where
/// a source breaks off, what is held goes out as it was received, and nothing after it is edited or appended.  4. What has settled
/// passes through.
enum OutputCheck {
    /// Of a rewriter that makes `whole` of the whole text; returns what it answers to parts of it, and how these were written.
    static func run<Rewriter: PlaylistJudge & ~Copyable>(
        _ rewriter: inout Rewriter, _ input: inout FuzzInput, whole: [UInt8], _ faults: inout Faults
    ) -> (answer: RewriterAnswer, how: String) {
        let text = input.text
        let form = input.choices.pick(OutputForm.allCases)
        let split = input.choices.split(of: text.count)
        rewriter.reset()
        let window = GuardedWindow(capacity: text.count)
        let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, form: form)
        faults.add(run.faults, in: split)
        let end = input.choices.number(upTo: 65_535) % (text.count + 1)
        let abandoned = AbandonRun.faults(
            of: &rewriter, on: text, breakingOffAt: end, split: split, whole: whole)
        faults.add(abandoned, in: split)
        return (run.answer, "\(form), \(Faults.words(split))")
    }

    /// The same of a rewriter of files, which makes `expected` of the whole file.
    static func run<Rewriter: StreamRewriter & ~Copyable>(
        _ rewriter: inout Rewriter, _ input: inout FuzzInput, expected: [UInt8], _ faults: inout Faults
    ) {
        let file = input.text
        var output = OutputPieces(mergingThreshold: input.choices.pick([0, 20, 1024, .max]), longestPiece: 64)
        let split = input.choices.split(of: file.count)
        let window = GuardedWindow(capacity: file.count)
        var pieces = PieceLog(longestPiece: 64)
        rewriter.reset()
        pieces.collect(file, split, in: window, isLeading: false, into: &output) {
            chunk, output throws(Rewriter.Failure) in
            try rewriter.write(chunk, into: &output)
        } finish: { output in
            rewriter.finish(into: &output)
        }
        var buffer = BufferLog()
        rewriter.reset()
        buffer.collect(file, split, in: window, isLeading: true) {
            chunk, output throws(OutputError<Rewriter.Failure>) in
            try rewriter.write(chunk, into: &output)
        } finish: { output throws(OutputError<Rewriter.Failure>) in
            try rewriter.finish(into: &output)
        }
        faults.add(pieces.faults + buffer.faults, in: split)
        faults.expect(pieces.bytes, is: expected, "in pieces, \(Faults.words(split))")
        faults.expect(buffer.bytes, is: expected, "in memory, \(Faults.words(split))")

        let end = input.choices.number(upTo: 65_535) % (file.count + 1)
        rewriter.reset()
        var written: [UInt8] = []
        file[..<end].withUnsafeBytes { chunk in try? rewriter.write(chunk) { written += $0.bytes } }
        let held = rewriter.heldBytes
        if rewriter.isSettled { faults.expect(expected, is: written + file[end...], "settled at \(end)") }
        var rest: [UInt8] = []
        rewriter.abandon { rest += $0.bytes }
        faults.expect(rest, is: Array(file[(end - held)..<end]), "abandoned at \(end)")
        faults.expect(expected.starts(with: written), "what went out before \(end)")
    }

    /// Segments that are collected are those that a closure gets.
    static func run(
        _ segmenter: inout Segmenter, _ input: inout FuzzInput, expected: SegmentTranscript, _ faults: inout Faults
    ) {
        let file = input.text
        var output = SegmentPieces(mergingThreshold: input.choices.pick([0, 20, 1024, .max]), longestPiece: 64)
        let window = GuardedWindow(capacity: file.count)
        var files: [[UInt8]] = []
        var segments: [Segment] = []
        func note(_ chunk: UnsafeRawBufferPointer) {
            for piece in output {
                switch piece {
                case .began: files.append([])
                case .bytes(let piece): files[files.count - 1] += piece.bytes(in: chunk)
                case .ended(let segment): segments.append(segment)
                }
            }
        }
        segmenter.reset()
        for range in input.choices.split(of: file.count) {
            window.with(file[range]) { chunk in
                try? segmenter.write(chunk, into: &output)
                note(chunk)
            }
        }
        try? segmenter.finish(into: &output)
        note(UnsafeRawBufferPointer(start: nil, count: 0))
        faults.expect(segments, is: expected.segments, "segments in pieces")
        if expected.error == nil { faults.expect(files == expected.files, "the segments' bytes in pieces") }
        abandon(&segmenter, &input, expected: expected, &faults)
    }

    /// A segmenter whose source breaks off has handed out what it hands out of the whole file by then, and hands out nothing more.
    private static func abandon(
        _ segmenter: inout Segmenter, _ input: inout FuzzInput, expected: SegmentTranscript, _ faults: inout Faults
    ) {
        let end = input.choices.number(upTo: 65_535) % (input.text.count + 1)
        segmenter.reset()
        var written: [UInt8] = []
        input.text[..<end].withUnsafeBytes { chunk in
            try? segmenter.write(chunk) { if case .bytes(let slice) = $0 { written += slice.bytes } }
        }
        faults.expect(expected.files.joined().starts(with: written), "what went out before \(end)")
        segmenter.abandon()
        faults.expect(segmenter.heldBytes, is: 0, "held after breaking off at \(end)")
        input.text.withUnsafeBytes { chunk in
            do throws(SegmenterError) {
                try segmenter.write(chunk) { _ in faults.add("something was handed out after breaking off at \(end)") }
                faults.add("breaking off at \(end) was forgotten")
            } catch {
                if expected.error == nil { faults.expect(error.reason, is: .brokenOff, "the reason at \(end)") }
            }
        }
    }

    /// Segments in memory of the caller's are those of the whole file, and too little room is told exactly.
    static func run(
        _ segmenter: inout Segmenter, _ input: inout FuzzInput, whole: SegmentTranscript, _ faults: inout Faults
    ) {
        let needed = whole.files.map(\.count).reduce(0, +)
        let room = input.choices.pick([needed, needed + 9, max(needed - 1, 0), needed / 2])
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { memory.deallocate() }
        var output = OutputBuffer(memory)
        var (segments, files): ([Segment], [[UInt8]]) = ([], [])
        input.text.withUnsafeBytes { file in
            do throws(OutputError<SegmenterError>) {
                try segmenter.segment(file, into: &output) { segment, range in
                    segments.append(segment)
                    files.append(Array(memory[range]))
                }
                faults.expect(segments == whole.segments && files == whole.files, "segments in memory")
                faults.expect(output.count, is: needed, "bytes in memory")
            } catch {
                let expected = whole.error.map { OutputError.failed($0) } ?? .tooSmall(needed: needed, available: room)
                faults.expect(error, is: expected, "the error in memory")
                faults.expect(whole.segments.starts(with: segments) && whole.files.starts(with: files), "what had room")
            }
        }
    }
}
