import ByteScan
import M3U8
import Sideload
import Support

/// How a rewriter's output is taken.
public enum OutputForm: CaseIterable, Sendable {
    /// By the closure, slice by slice.
    case slices
    /// In pieces, none of which is merged.
    case everySlice
    /// In pieces, merged as by default.
    case pieces
    /// In pieces, merged below 20 bytes, each of at most 64 bytes.
    case smallPieces
    /// In pieces, all copied.
    case copies
    /// In memory of the caller's.
    case buffer

    /// The output that pieces are collected in, and how long they may be; nil if they are not.
    var output: (pieces: OutputPieces, longestPiece: Int)? {
        switch self {
        case .slices, .buffer: nil
        case .everySlice: (OutputPieces(mergingThreshold: 0), 32 << 10)
        case .pieces: (OutputPieces(), 32 << 10)
        case .smallPieces: (OutputPieces(mergingThreshold: 20, longestPiece: 64), 64)
        case .copies: (OutputPieces(mergingThreshold: .max), 32 << 10)
        }
    }
}

extension RewriterRun {
    /// Writes `text` in `split`, for the rewriter's edits to be made, and takes the output in `form`.
    public init(
        of rewriter: inout PlaylistRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        form: OutputForm
    ) {
        var (bytes, faults, error): ([UInt8], [String], LimitError?)
        if let (pieces, longestPiece) = form.output {
            var output = pieces
            var log = PieceLog(longestPiece: longestPiece)
            error = log.collect(text, split, in: window, isLeading: false, into: &output) {
                chunk, output throws(LimitError) in
                try rewriter.write(chunk, into: &output)
            } finish: { output in
                rewriter.finish(into: &output)
            }
            (bytes, faults) = (log.bytes, log.faults)
        } else if form == .buffer {
            var log = BufferLog()
            error = log.collect(text, split, in: window, isLeading: false) {
                chunk, output throws(OutputError<LimitError>) in
                try rewriter.write(chunk, into: &output)
            } finish: { output throws(OutputError<LimitError>) in
                try rewriter.finish(into: &output)
            }
            (bytes, faults) = (log.bytes, log.faults)
        } else {
            self.init(of: &rewriter, on: text, split: split, in: window)
            return
        }
        let answer = RewriterAnswer(
            bytes: bytes, verdict: rewriter.verdict, verdictPosition: rewriter.verdictPosition,
            uneditableLines: rewriter.uneditableLines, firstUneditableLine: rewriter.firstUneditableLine,
            exceededLimit: rewriter.exceededLimit, error: error)
        self.init(answer, faults, chunkSlices: 0, position: rewriter.position, of: text.count)
    }

    /// Writes `text` in `split`, for the rewriter's tracks to be sideloaded, and takes the output in `form`.
    public init(
        of rewriter: inout MasterRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        form: OutputForm
    ) {
        var (bytes, faults, error): ([UInt8], [String], LimitError?)
        if let (pieces, longestPiece) = form.output {
            var output = pieces
            var log = PieceLog(longestPiece: longestPiece)
            error = log.collect(text, split, in: window, isLeading: false, into: &output) {
                chunk, output throws(LimitError) in
                try rewriter.write(chunk, into: &output)
            } finish: { output in
                rewriter.finish(into: &output)
            }
            (bytes, faults) = (log.bytes, log.faults)
        } else if form == .buffer {
            var log = BufferLog()
            error = log.collect(text, split, in: window, isLeading: false) {
                chunk, output throws(OutputError<LimitError>) in
                try rewriter.write(chunk, into: &output)
            } finish: { output throws(OutputError<LimitError>) in
                try rewriter.finish(into: &output)
            }
            (bytes, faults) = (log.bytes, log.faults)
        } else {
            self.init(of: &rewriter, on: text, split: split, in: window)
            return
        }
        let answer = RewriterAnswer(
            bytes: bytes, verdict: rewriter.verdict, verdictPosition: rewriter.verdictPosition,
            uneditableLines: rewriter.uneditableLines, firstUneditableLine: rewriter.firstUneditableLine,
            exceededLimit: rewriter.exceededLimit, error: error)
        self.init(answer, faults, chunkSlices: 0, position: rewriter.position, of: text.count)
    }
}
