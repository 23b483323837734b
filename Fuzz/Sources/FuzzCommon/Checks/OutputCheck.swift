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
    }
}
