import ByteScan
import Drivers
import M3U8
import Support

/// Playlists rewritten as the naive rewriter rewrites them, wherever they are cut.
enum RewriterCheck {
    /// How the rewriter is used.
    private struct Use {
        var selected: [String]
        var dropped: String?
        var operations: [NaiveRewriter.Operation]
        var urisToo: Bool
        var byHandler: Bool
        /// Whether the handler sees the lines that are edited, though it decides nothing.
        var isObserved: Bool
        var scope: Int
        var appended: [String]
        var limits: LineLimits
    }

    private static let tags = [
        "EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXTINF", "EXT-X-GAP", "EXT-X-FOO", "EXT-X-I-FRAME-STREAM-INF", "EXT",
        "EXT-X-KEY",
    ]
    private static let scopes: [(PlaylistEdits.Scope, NaiveRewriter.Scope)] = [
        (.any, .any), (.multivariant, .multivariant), (.media, .media),
    ]

    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = use(&input.choices, input.text)
        let naive = naive(use)
        let expected = naive.rewrite(input.text)
        guard let edits = compiled(use) else { return faults.add("the edits are refused") }
        let handler = handler(use)
        var rewriter = PlaylistRewriter(edits, limits: use.limits)
        // A rewriter that is reset in the middle of its work is as new.
        input.text.prefix(input.text.count / 2).withUnsafeBytes { chunk in
            try? rewriter.write(chunk, deciding: handler) { _ in }
        }
        let window = GuardedWindow(capacity: input.text.count)
        for (number, split) in input.splits().enumerated() {
            rewriter.reset()
            let run = RewriterRun(
                of: &rewriter, on: input.text, split: split, in: window, isLeading: number % 2 == 1, deciding: handler)
            faults.add(run.faults, in: split)
            faults.expect(run.answer.result, is: expected, "\(Faults.words(split))")
            checkError(run.answer, use.limits, input.text, &faults)
        }
        if !use.byHandler, !use.urisToo {
            rewriter.reset()
            let length = input.text.withUnsafeBytes { try? rewriter.outputLength(of: $0) }
            faults.expect(
                length == expected.bytes.count || (length == nil && expected.longLine != nil),
                "\(length ?? -1) bytes announced, \(expected.bytes.count) written")
        }
        checkIdentities(input.text, use, &input.choices, &faults)
        guard !use.byHandler, !use.urisToo else { return }
        let parts = OutputCheck.run(&rewriter, &input, whole: expected.bytes, &faults)
        faults.expect(parts.answer.result, is: expected, parts.how)
    }

    private static func use(_ choices: inout Choices, _ text: [UInt8]) -> Use {
        let longest = choices.lineLimit(for: text)
        let flags = choices.byte()
        let mask = choices.byte()
        let chosen = tags.indices.filter { mask >> $0 & 1 == 1 }.map { tags[$0] }
        let operations = choices.operations(upTo: 3)
        let (byHandler, isObserved) = (flags & 4 != 0, flags & 128 != 0)
        return Use(
            // What nobody sees or edits is not selected.
            selected: byHandler || isObserved || !operations.isEmpty ? chosen : [],
            dropped: flags & 1 == 1 ? chosen.last : nil, operations: operations, urisToo: flags & 2 != 0,
            byHandler: byHandler, isObserved: isObserved, scope: Int(flags >> 3) % 3,
            appended: flags & 32 != 0 ? ["#end", "x"] : [],
            limits: LineLimits(longestLine: longest, policy: flags & 64 != 0 ? .fail : .passThrough))
    }

    private static func naive(_ use: Use) -> NaiveRewriter {
        var naive = NaiveRewriter { line in
            if use.urisToo, line.isURI { return .replaceLine(Array("uri".utf8)) }
            // White space may be the beginning of a URI, and so is limited like one.
            if use.urisToo, line.isBlank, !line.content.isEmpty { return .attributes([]) }
            guard let name = line.tagName.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
            if name == use.dropped { return .drop }
            return use.selected.contains(name) ? .attributes(use.operations) : nil
        }
        naive.scope = scopes[use.scope].1
        naive.longestLine = use.limits.longestLine
        naive.appended = use.appended
        return naive
    }

    private static func compiled(_ use: Use) -> PlaylistEdits? {
        var edits: [PlaylistEdit] = []
        if !use.byHandler {
            edits = use.selected.flatMap { tag in use.operations.map { $0.edit(of: tag) } }
            if let dropped = use.dropped { edits.append(.drop(TagSelector(spelling: dropped.utf8))) }
        }
        let observed = use.byHandler || use.isObserved ? use.selected : []
        return try? PlaylistEdits(
            edits, observing: observed.map { TagSelector(spelling: $0.utf8) }, selectsURIs: use.urisToo,
            appending: use.appended.map { Array($0.utf8) }, scope: scopes[use.scope].0)
    }

    private static func handler(_ use: Use) -> PlaylistRewriter.Handler {
        let dropped = use.dropped.map { Array($0.utf8) }
        return { line, edits in
            if line.kind == .uri {
                edits.replaceLine(with: "uri".utf8)
            } else if use.byHandler {
                for operation in use.operations { operation.decide(&edits) }
                if dropped == Array(line.name) { edits.drop() }
            }
        }
    }

    private static func checkError(
        _ answer: RewriterAnswer, _ limits: LineLimits, _ text: [UInt8], _ faults: inout Faults
    ) {
        guard let exceeded = answer.exceededLimit else { return faults.expect(answer.error, is: nil, "an error") }
        faults.expect(exceeded.bytes, is: limits.longestLine, "the limit")
        let rest = text[min(exceeded.position, text.count)...]
        // If a tag's name is whole only at the end of the text, its error can no longer be thrown.
        let isLast = rest.first == ASCII.hash && !rest.contains(ASCII.lineFeed) && !rest.contains(ASCII.colon)
        let expected = limits.policy == .fail && !isLast ? exceeded : nil
        faults.expect(answer.error, is: expected, "the error")
    }

    /// Without edits nothing changes, nor if an attribute is set and then removed.
    private static func checkIdentities(
        _ text: [UInt8], _ use: Use, _ choices: inout Choices, _ faults: inout Faults
    ) {
        let selectors = use.selected.map { TagSelector(spelling: $0.utf8) }
        let split = choices.split(of: text.count)
        guard let nothing = try? PlaylistEdits([], observing: selectors, selectsURIs: use.urisToo),
            let set = try? PlaylistEdits(selectors.map { .set($0, "X-FUZZED", to: "\"1\"") }),
            let remove = try? PlaylistEdits(selectors.map { .remove($0, "X-FUZZED") })
        else { return faults.add("the edits are refused") }
        faults.expect(RewriterRun.output(of: nothing, text, split), is: text, "nothing edited")
        let needle = Array("X-FUZZED".utf8)
        if text.indices.contains(where: { text[$0...].starts(with: needle) }) { return }
        let there = RewriterRun.output(of: set, text, split)
        let expected = withoutCommasAtTheEnd(text, use.selected)
        faults.expect(RewriterRun.output(of: remove, there, [0..<there.count]), is: expected, "set, then removed")
    }

    /// `text` without the comma that ends the list of a line of `tags`: what is set there takes it over, and what is removed takes
    /// it along.
    private static func withoutCommasAtTheEnd(_ text: [UInt8], _ tags: [String]) -> [UInt8] {
        guard NaivePlaylist.isPlaylist(text) else { return text }
        var output: [UInt8] = []
        for line in NaivePlaylist.lines(of: text) {
            let name = line.tagName.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let list = line.list
            guard tags.contains(name), NaiveAttributes.isClosed(line.value ?? []), list.last == ASCII.comma else {
                output += line.whole
                continue
            }
            let head = line.content.count - (line.value ?? []).count
            let end = head + list.count
            output += line.content[..<(end - 1)]
            output += line.whole[end...]
        }
        return output
    }
}
