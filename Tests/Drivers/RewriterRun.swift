import M3U8
import Support

/// A text written to a rewriter chunk by chunk, each against a page that cannot be read, and what came of it.
public struct RewriterRun: Equatable {
    /// What came, wherever the text is cut.
    public let answer: RewriterAnswer
    /// How many slices there were of the chunks.
    public let chunkSlices: Int
    /// What was wrong on the way, in words.
    public let faults: [String]

    /// Writes `text` in `split`; `handler` decides.
    public init(
        of rewriter: inout PlaylistRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        isLeading: Bool = false, deciding handler: PlaylistRewriter.Handler
    ) {
        var log = SliceLog()
        let error = log.collect(text, split, in: window, isLeading: isLeading) { chunk, body throws(LimitError) in
            try rewriter.write(chunk, deciding: handler, body)
        } finish: { body in
            rewriter.finish(deciding: handler, body)
        }
        self.init(
            of: rewriter, log.bytes, error, log.faults, chunkSlices: log.chunkSlices, count: text.count)
    }

    /// Writes `text` in `split`; what `mapper` maps at once it is not shown.
    public init(
        of rewriter: inout PlaylistRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        mapping mapper: inout URIMapper
    ) {
        var log = SliceLog()
        let error = log.collect(text, split, in: window, isLeading: false) { chunk, body throws(LimitError) in
            try rewriter.write(chunk, mapping: &mapper, body)
        } finish: { body in
            rewriter.finish(deciding: { mapper.map($0, &$1) }, body)
        }
        self.init(
            of: rewriter, log.bytes, error, log.faults, chunkSlices: log.chunkSlices, count: text.count)
    }

    /// Writes `text` in `split`; what `filter` decides at once it is not shown.
    public init(
        of rewriter: inout PlaylistRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        filtering filter: inout VariantFilter
    ) {
        var log = SliceLog()
        let error = log.collect(text, split, in: window, isLeading: false) { chunk, body throws(LimitError) in
            try rewriter.write(chunk, filtering: &filter, body)
        } finish: { body in
            rewriter.finish(deciding: { filter.filter($0, &$1) }, body)
        }
        self.init(
            of: rewriter, log.bytes, error, log.faults, chunkSlices: log.chunkSlices, count: text.count)
    }

    /// Writes `text` in `split`, for what the rewriter does by itself.
    public init<Rewriter: PlaylistJudge & ~Copyable>(
        of rewriter: inout Rewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        isLeading: Bool = false
    ) {
        var log = SliceLog()
        let error = log.collect(text, split, in: window, isLeading: isLeading) { chunk, body throws(LimitError) in
            try rewriter.write(chunk, body)
        } finish: { body in
            rewriter.finish(body)
        }
        self.init(
            of: rewriter, log.bytes, error, log.faults, chunkSlices: log.chunkSlices, count: text.count)
    }

    init<Rewriter: PlaylistJudge & ~Copyable>(
        of rewriter: borrowing Rewriter, _ bytes: [UInt8], _ error: LimitError?, _ faults: [String],
        chunkSlices: Int = 0, count: Int
    ) {
        answer = RewriterAnswer(
            bytes: bytes, verdict: rewriter.verdict, verdictPosition: rewriter.verdictPosition,
            uneditableLines: rewriter.uneditableLines, firstUneditableLine: rewriter.firstUneditableLine,
            exceededLimit: rewriter.exceededLimit, error: error)
        self.chunkSlices = chunkSlices
        let position = rewriter.position
        self.faults = faults + (position == count ? [] : ["\(position) bytes were counted of \(count)"])
    }

    /// What `edits` make of `text`, cut as `split`.
    public static func output(
        of edits: PlaylistEdits, _ text: [UInt8], _ split: [Range<Int>],
        deciding handler: PlaylistRewriter.Handler = { _, _ in }
    ) -> [UInt8] {
        var rewriter = PlaylistRewriter(edits, limits: LineLimits(longestLine: .max))
        var output: [UInt8] = []
        text.withUnsafeBytes { text in
            for range in split {
                let chunk = UnsafeRawBufferPointer(rebasing: text[range])
                try? rewriter.write(chunk, deciding: handler) { output.append(contentsOf: $0.bytes) }
            }
        }
        rewriter.finish(deciding: handler) { output.append(contentsOf: $0.bytes) }
        return output
    }
}
