import M3U8
import Support

/// What came of a playlist, and all that must not depend on where it is cut.
struct RewriterRun {
    var result = NaiveRewriter.Result()
    var error: LimitError?
    var exceededLimit: LimitError?

    /// Writes `text` in `split`, every chunk against a page that cannot be read.
    init(
        of rewriter: inout PlaylistRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        isLeading: Bool, _ handler: PlaylistRewriter.Handler, _ faults: inout Faults
    ) {
        var log = SliceLog()
        for range in split {
            window.with(text[range], isLeading: isLeading) { chunk in
                log.begin(chunk)
                do throws(LimitError) {
                    try rewriter.write(chunk, deciding: handler) { log.take($0) }
                } catch {
                    if self.error != nil { faults.add("thrown twice") }
                    self.error = error
                }
            }
        }
        log.begin(UnsafeRawBufferPointer(start: nil, count: 0))
        rewriter.finish(deciding: handler) { log.take($0) }
        for fault in log.faults { faults.add("\(fault), \(Faults.words(split))") }
        let position = rewriter.position
        faults.expect(position, is: text.count, "position")
        result.bytes = log.bytes
        result.verdict = NaivePlaylist.Verdict(rewriter.verdict)
        result.uneditableLines = rewriter.uneditableLines
        result.firstUneditableLine = rewriter.firstUneditableLine
        result.longLine = rewriter.exceededLimit?.position
        exceededLimit = rewriter.exceededLimit
    }

    /// What `edits` make of `text`, cut as `split`.
    static func output(
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
