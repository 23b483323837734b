import Drivers
import M3U8
import Support
import Testing

/// One way through a rewriter, checked for every cut of a text.
struct Rewriting {
    var edits: PlaylistEdits
    var limits = LineLimits()
    var handler: PlaylistRewriter.Handler = { _, _ in }

    /// Writes `text` in `split` to a new rewriter.
    func run(on text: [UInt8], split: [Range<Int>], in window: GuardedWindow, leading: Bool = false) -> RewriterRun {
        var rewriter = PlaylistRewriter(edits, limits: limits)
        return run(of: &rewriter, on: text, split: split, in: window, leading: leading)
    }

    /// The same with a rewriter that has perhaps been used before.
    func run(
        of rewriter: inout PlaylistRewriter, on text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        leading: Bool = false
    ) -> RewriterRun {
        let run = RewriterRun(
            of: &rewriter, on: text, split: split, in: window, isLeading: leading, deciding: handler)
        for fault in run.faults { Issue.record("\(fault), cut as \(split)") }
        return run
    }

    /// Checks that the answer is `expected` for every cut of `text`.
    func check(
        _ text: [UInt8], _ expected: NaiveRewriter.Result, splits: [[Range<Int>]]? = nil,
        _ name: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let window = GuardedWindow(capacity: text.count)
        for (number, split) in (splits ?? Splits.all(of: text.count)).enumerated() {
            let answer = run(on: text, split: split, in: window, leading: number % 2 == 1).answer.result
            guard answer == expected else {
                let output = String(decoding: answer.bytes, as: UTF8.self)
                let wanted = String(decoding: expected.bytes, as: UTF8.self)
                Issue.record(
                    """
                    \(name()) cut as \(split)
                    text:     \(String(decoding: text, as: UTF8.self).debugDescription)
                    expected: \(wanted.debugDescription) \(expected.verdict) \(expected.uneditableLines) \
                    \(expected.firstUneditableLine ?? -1) \(expected.longLine ?? -1)
                    answer:   \(output.debugDescription) \(answer.verdict) \(answer.uneditableLines) \
                    \(answer.firstUneditableLine ?? -1) \(answer.longLine ?? -1)
                    """, sourceLocation: sourceLocation)
                return
            }
        }
    }
}

extension NaivePlaylist.Line {
    func isTag(_ name: String) -> Bool { tagName == Array(name.utf8) }
}
