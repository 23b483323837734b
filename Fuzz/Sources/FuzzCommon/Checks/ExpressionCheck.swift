import ByteScan
import Drivers
import M3U8
import Support

/// Conditions on variants, and the filter that applies them. The first line is the condition, the rest a playlist.
enum ExpressionCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let end = input.text.firstIndex(of: ASCII.lineFeed) ?? input.text.count
        let condition = Array(input.text[..<end])
        let playlist = Array("#EXTM3U\n".utf8) + input.text[min(end + 1, input.text.count)...]
        let isASCII = condition.allSatisfy { $0 < 0x80 }
        let naive = isASCII ? NaiveExpression(String(decoding: condition, as: UTF8.self)) : nil
        do throws(VariantExpressionError) {
            let expression = try VariantExpression(condition)
            guard isASCII else { return checkFilter(playlist, expression, nil, &input.choices, &faults) }
            guard let naive else { return faults.add("accepted: \(String(decoding: condition, as: UTF8.self))") }
            checkFilter(playlist, expression, naive, &input.choices, &faults)
        } catch {
            faults.expect(naive == nil, "refused: \(String(decoding: condition, as: UTF8.self)), \(error)")
            faults.expect((0...condition.count).contains(error.position), "\(error) is outside the condition")
        }
    }

    private static func checkFilter(
        _ text: [UInt8], _ expression: VariantExpression, _ naive: NaiveExpression?, _ choices: inout Choices,
        _ faults: inout Faults
    ) {
        guard let edits = try? PlaylistEdits([], observing: VariantFilter.tags, selectsURIs: true) else {
            return faults.add("the filter's tags are refused")
        }
        var expected: [UInt8]?
        if let naive { expected = filtered(text, naive) }
        var filter = VariantFilter(expression)
        for split in [[0..<text.count], choices.split(of: text.count)] {
            let output = RewriterRun.output(of: edits, text, split) { line, edits in filter.filter(line, &edits) }
            if let expected { faults.expect(output, is: expected, "filtered, \(Faults.words(split))") }
            expected = output
            filter.reset()
        }
        checkAtOnce(text, expression, edits, &choices, &faults)
    }

    /// What is filtered at once is what the filter makes of it, shown every line: of the text, and of several in a row.
    private static func checkAtOnce(
        _ text: [UInt8], _ expression: VariantExpression, _ edits: PlaylistEdits, _ choices: inout Choices,
        _ faults: inout Faults
    ) {
        let rest = [ASCII.lineFeed] + text.dropFirst(8)
        let limits = LineLimits(longestLine: choices.lineLimit(for: text))
        for text in [text, text + rest + rest + rest] {
            var shown = VariantFilter(expression)
            var atOnce = VariantFilter(expression)
            let window = GuardedWindow(capacity: text.count)
            for split in [[0..<text.count], choices.split(of: text.count)] {
                var rewriter = PlaylistRewriter(edits, limits: limits)
                let expected = RewriterRun(of: &rewriter, on: text, split: split, in: window) { shown.filter($0, &$1) }
                rewriter.reset()
                let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, filtering: &atOnce)
                faults.add(run.faults, in: split)
                faults.expect(run.answer, is: expected.answer, "filtered at once, \(Faults.words(split))")
                faults.expect(atOnce.counts, is: shown.counts, "counted at once, \(Faults.words(split))")
                shown.reset()
                atOnce.reset()
            }
        }
    }

    /// Whole lines go, and with a variant the first URI line after it.
    private static func filtered(_ text: [UInt8], _ expression: NaiveExpression) -> [UInt8] {
        var dropsURI = false
        var rewriter = NaiveRewriter { line in
            if line.isURI {
                let rest = line.content.drop { NaiveAttributes.isSpace($0) }
                let isURI = rest.contains { !NaiveAttributes.isSpace($0) && $0 != 0x0D } && rest.first != ASCII.hash
                guard dropsURI, isURI else { return nil }
                dropsURI = false
                return .drop
            }
            let name = line.tagName.map { String(decoding: $0, as: UTF8.self) }
            guard let name, ["EXT-X-STREAM-INF", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-IMAGE-STREAM-INF"].contains(name)
            else { return nil }
            var keeps = true
            if line.value != nil, NaiveAttributes.isClosed(line.list) {
                keeps = expression.holds(for: line.list, isStream: name == "EXT-X-STREAM-INF")
            }
            if name == "EXT-X-STREAM-INF" { dropsURI = !keeps }
            return keeps ? nil : .drop
        }
        rewriter.longestLine = .max
        return rewriter.rewrite(text).bytes
    }
}

extension VariantFilter {
    fileprivate var counts: [Int] { [keptVariants, droppedVariants, unreadableLines, firstUnreadableLine ?? -1] }
}
