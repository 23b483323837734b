import M3U8
import Sideload
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
        isLeading: Bool = false, deciding handler: PlaylistRewriter.Handler = { _, _ in }
    ) {
        var log = SliceLog()
        let error = log.collect(text, split, in: window, isLeading: isLeading) { chunk, body throws(LimitError) in
            try rewriter.write(chunk, deciding: handler, body)
        } finish: { body in
            rewriter.finish(deciding: handler, body)
        }
        let answer = RewriterAnswer(
            bytes: log.bytes, verdict: rewriter.verdict, verdictPosition: rewriter.verdictPosition,
            uneditableLines: rewriter.uneditableLines, firstUneditableLine: rewriter.firstUneditableLine,
            exceededLimit: rewriter.exceededLimit, error: error)
        self.init(
            answer, log.faults, chunkSlices: log.chunkSlices, position: rewriter.position, of: text.count)
    }

    /// Writes `text` in `split`, for the rewriter's tracks to be sideloaded.
    public init(
        of rewriter: inout MasterRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        isLeading: Bool = false
    ) {
        var log = SliceLog()
        let error = log.collect(text, split, in: window, isLeading: isLeading) { chunk, body throws(LimitError) in
            try rewriter.write(chunk, body)
        } finish: { body in
            rewriter.finish(body)
        }
        let answer = RewriterAnswer(
            bytes: log.bytes, verdict: rewriter.verdict, verdictPosition: rewriter.verdictPosition,
            uneditableLines: rewriter.uneditableLines, firstUneditableLine: rewriter.firstUneditableLine,
            exceededLimit: rewriter.exceededLimit, error: error)
        self.init(
            answer, log.faults, chunkSlices: log.chunkSlices, position: rewriter.position, of: text.count)
    }

    init(_ answer: RewriterAnswer, _ faults: [String], chunkSlices: Int, position: Int, of count: Int) {
        self.answer = answer
        self.chunkSlices = chunkSlices
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
