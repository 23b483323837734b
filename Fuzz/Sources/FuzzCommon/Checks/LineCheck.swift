import ByteScan
import M3U8
import Support

/// `LineScanner` hands out the lines that the naive playlist has, wherever the text is cut, and as much of them as limits allow.
enum LineCheck {
    private struct Line: Equatable {
        var kind: PlaylistLine.Kind
        var bytes: [UInt8]
        var ending: PlaylistLine.Ending
        var position: Int
        var isTruncated: Bool
        var name: [UInt8]
        var value: [UInt8]
        var attributes: [NaiveAttributes.Item]
    }

    private struct Answer: Equatable {
        var lines: [Line] = []
        var error: Int?
    }

    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let longest = input.choices.limit(orDefault: 64 << 10)
        let fails = input.choices.flag()
        let limits = LineLimits(longestLine: longest, policy: fails ? .fail : .passThrough)
        let text = input.text
        let expected = expected(text, longest: longest, fails: fails)
        let window = GuardedWindow(capacity: text.count)
        var scanner = LineScanner(limits: limits)
        // A scanner that has been left in the middle of things is as new once it is reset.
        text.prefix(text.count / 2).withUnsafeBytes { try? scanner.scan($0) { _ in } }
        for (number, split) in input.splits().enumerated() {
            scanner.reset()
            var answer = Answer()
            do throws(LimitError) {
                for range in split {
                    try window.with(text[range], isLeading: number % 2 == 1) { (chunk) throws(LimitError) in
                        try scanner.scan(chunk) { answer.lines.append(line($0)) }
                    }
                }
                try scanner.finish { answer.lines.append(line($0)) }
                let position = scanner.position
                faults.expect(position, is: text.count, "position")
            } catch {
                answer.error = error.position
                faults.expect(error.bytes, is: longest, "the limit")
            }
            faults.expect(answer, is: expected, "\(Faults.words(split))")
        }
    }

    private static func line(_ line: PlaylistLine) -> Line {
        var attributes: [NaiveAttributes.Item] = []
        var scanner = line.attributes
        while let attribute = scanner.next() {
            let value = attribute.hasValue ? Array(line.bytes[attribute.value]) : nil
            attributes.append(NaiveAttributes.Item(name: Array(line.bytes[attribute.name]), value: value))
        }
        return Line(
            kind: line.kind, bytes: Array(line.bytes), ending: line.ending, position: line.position,
            isTruncated: line.isTruncated, name: Array(line.name), value: Array(line.value), attributes: attributes)
    }

    private static func expected(_ text: [UInt8], longest: Int, fails: Bool) -> Answer {
        var answer = Answer()
        for line in NaivePlaylist.lines(of: text) {
            var line = line
            let isTruncated = line.content.count + (line.ending.first == ASCII.carriageReturn ? 1 : 0) > longest
            if isTruncated, fails {
                answer.error = line.position
                break
            }
            let ending: PlaylistLine.Ending =
                switch line.ending {
                case [0x0A]: .lineFeed
                case [0x0D, 0x0A]: .carriageReturnLineFeed
                case [0x0D]: .carriageReturn
                default: .none
                }
            if isTruncated { line.content = Array((line.content + [ASCII.carriageReturn]).prefix(longest)) }
            answer.lines.append(
                Line(
                    kind: kind(of: line), bytes: line.content, ending: ending, position: line.position,
                    isTruncated: isTruncated, name: line.tagName ?? [], value: line.value ?? [],
                    attributes: NaiveAttributes.items(of: line.value ?? [])))
        }
        return answer
    }

    private static func kind(of line: NaivePlaylist.Line) -> PlaylistLine.Kind {
        if line.isBlank { return .blank }
        if line.isURI { return .uri }
        guard let name = line.tagName else { return .comment }
        return names.first { $0.spelling == name }.map { .tag($0.name) } ?? .otherTag
    }

    private static let names = TagName.allCases.map { (name: $0, spelling: Array($0.spelling)) }
}
