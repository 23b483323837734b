import M3U8
import Support
import Testing

/// One way through a rewriter: what is asked of it, and what it answers to a text cut somehow.
struct Rewriting {
    var edits: PlaylistEdits
    var limits = LineLimits()
    var handler: PlaylistRewriter.Handler = { _, _ in }

    /// Everything that must not depend on where the text is cut.
    struct Answer: Equatable {
        var result: NaiveRewriter.Result
        var error: LimitError?
        var exceededLimit: LimitError?
        var position: Int
    }

    /// Writes `text` in `split`, every chunk between guard pages, and collects what comes.
    func answer(
        to text: [UInt8], split: [Range<Int>], in window: GuardedWindow, leading: Bool = false,
        log: inout SliceLog
    ) -> Answer {
        var rewriter = PlaylistRewriter(edits, limits: limits)
        return answer(of: &rewriter, to: text, split: split, in: window, leading: leading, log: &log)
    }

    /// The same with a rewriter that has perhaps been used before.
    func answer(
        of rewriter: inout PlaylistRewriter, to text: [UInt8], split: [Range<Int>], in window: GuardedWindow,
        leading: Bool = false, log: inout SliceLog
    ) -> Answer {
        var failure: LimitError?
        for range in split {
            window.with(text[range], isLeading: leading) { chunk in
                log.begin(chunk)
                do throws(LimitError) {
                    try rewriter.write(chunk, deciding: handler) { log.take($0) }
                } catch {
                    if failure != nil { Issue.record("thrown twice") }
                    failure = error
                }
            }
        }
        log.begin(UnsafeRawBufferPointer(start: nil, count: 0))
        rewriter.finish(deciding: handler) { log.take($0) }
        for fault in log.faults { Issue.record("\(fault), cut as \(split)") }
        var result = NaiveRewriter.Result()
        result.bytes = log.bytes
        result.verdict = NaivePlaylist.Verdict(rewriter.verdict)
        result.uneditableLines = rewriter.uneditableLines
        result.firstUneditableLine = rewriter.firstUneditableLine
        result.longLine = rewriter.exceededLimit?.position
        return Answer(
            result: result, error: failure, exceededLimit: rewriter.exceededLimit, position: rewriter.position)
    }

    /// Checks that the answer is `expected` for every cut of `text`.
    func check(
        _ text: [UInt8], _ expected: NaiveRewriter.Result, splits: [[Range<Int>]]? = nil,
        _ name: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let window = GuardedWindow(capacity: text.count)
        for (number, split) in (splits ?? Splits.all(of: text.count)).enumerated() {
            var log = SliceLog()
            let answer = answer(to: text, split: split, in: window, leading: number % 2 == 1, log: &log)
            guard answer.result == expected, answer.position == text.count else {
                let output = String(decoding: answer.result.bytes, as: UTF8.self)
                let wanted = String(decoding: expected.bytes, as: UTF8.self)
                Issue.record(
                    """
                    \(name()) cut as \(split)
                    text:     \(String(decoding: text, as: UTF8.self).debugDescription)
                    expected: \(wanted.debugDescription) \(expected.verdict) \(expected.uneditableLines) \
                    \(expected.firstUneditableLine ?? -1) \(expected.longLine ?? -1)
                    answer:   \(output.debugDescription) \(answer.result.verdict) \(answer.result.uneditableLines) \
                    \(answer.result.firstUneditableLine ?? -1) \(answer.result.longLine ?? -1)
                    """, sourceLocation: sourceLocation)
                return
            }
        }
    }
}

extension SliceLog {
    mutating func take(_ slice: OutputSlice) {
        switch slice.source {
        case .chunk(let range): take(slice.bytes, chunkRange: range)
        case .library: take(slice.bytes, chunkRange: nil)
        }
    }
}

extension NaivePlaylist.Verdict {
    init(_ verdict: PlaylistVerdict) {
        self =
            switch verdict {
            case .undecided: .undecided
            case .multivariant: .multivariant
            case .media: .media
            case .mixed: .mixed
            case .notPlaylist: .notPlaylist
            }
    }
}

extension NaiveRewriter.Operation {
    /// The same as an edit of the library's.
    func edit(of tag: String) -> PlaylistEdit {
        let tag = TagSelector(spelling: tag.utf8)
        return switch self {
        case .set(let name, let value): .set(tag, name, to: value)
        case .replace(let name, let value): .replace(tag, name, with: value)
        case .remove(let name): .remove(tag, name)
        }
    }

    /// The same as a handler's decision.
    func decide(_ edits: inout LineEdits) {
        switch self {
        case .set(let name, let value): edits.set(name.utf8, to: value.utf8)
        case .replace(let name, let value): edits.replace(name.utf8, with: value.utf8)
        case .remove(let name): edits.remove(name.utf8)
        }
    }
}

extension NaivePlaylist.Line {
    func isTag(_ name: String) -> Bool { tagName == Array(name.utf8) }
}
