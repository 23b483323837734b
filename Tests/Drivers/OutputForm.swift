import ByteScan
import M3U8
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
    /// The same, first into 37 bytes that are lent to each call.
    case lent
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
        case .lent: (OutputPieces(mergingThreshold: .max, longestPiece: 64), 64)
        }
    }

    /// How many bytes are lent to each call.
    var lentRoom: Int { self == .lent ? 37 : 0 }
}

extension RewriterRun {
    /// Writes `text` in `split`, for what the rewriter does by itself, and takes the output in `form`.
    public init<Rewriter: PlaylistJudge & ~Copyable>(
        of rewriter: inout Rewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow, form: OutputForm
    ) {
        if let (pieces, longestPiece) = form.output {
            var output = pieces
            var log = PieceLog(longestPiece: longestPiece, lentRoom: form.lentRoom)
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: form.lentRoom, alignment: 1)
            defer { memory.deallocate() }
            let error = log.collect(text, split, in: window, isLeading: false, into: &output) {
                chunk, output throws(LimitError) in
                output.lend(memory)
                try rewriter.write(chunk, into: &output)
            } finish: { output in
                output.lend(memory)
                rewriter.finish(into: &output)
            }
            self.init(of: rewriter, log.bytes, error, log.faults, count: text.count)
        } else if form == .buffer {
            var log = BufferLog()
            let error = log.collect(text, split, in: window, isLeading: false) {
                chunk, output throws(OutputError<LimitError>) in
                try rewriter.write(chunk, into: &output)
            } finish: { output throws(OutputError<LimitError>) in
                try rewriter.finish(into: &output)
            }
            self.init(of: rewriter, log.bytes, error, log.faults, count: text.count)
        } else {
            self.init(of: &rewriter, on: text, split: split, in: window)
        }
    }
}
