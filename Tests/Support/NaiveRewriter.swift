/// What the playlist rewriter must do, on a whole text, as plainly as possible: an oracle.
public struct NaiveRewriter {
    /// What is done with one attribute of a line.
    public enum Operation: Sendable {
        case set(name: String, value: String)
        case replace(name: String, value: String)
        case remove(name: String)

        var name: [UInt8] {
            switch self {
            case .set(let name, _), .replace(let name, _), .remove(let name): Array(name.utf8)
            }
        }
    }

    /// What becomes of a line that somebody selected.
    public enum Decision {
        case attributes([Operation])
        case drop
        case replaceLine([UInt8])
    }

    /// The playlists that are edited.
    public enum Scope: Sendable {
        case any, multivariant, media

        func allows(_ verdict: NaivePlaylist.Verdict) -> Bool {
            switch (self, verdict) {
            case (_, .notPlaylist): false
            case (.any, _), (_, .undecided), (.multivariant, .multivariant), (.media, .media): true
            default: false
            }
        }
    }

    /// What the rewriter must answer.
    public struct Result: Equatable {
        /// The output.
        public var bytes: [UInt8] = []
        /// What the playlist has turned out to be.
        public var verdict = NaivePlaylist.Verdict.undecided
        /// Where the line begins that decided that.
        public var verdictPosition: Int?
        /// How many lines could not be edited.
        public var uneditableLines = 0
        /// Where the first of them begins.
        public var firstUneditableLine: Int?
        /// Where the line begins that is too long.
        public var longLine: Int?

        /// Nothing yet.
        public init() {}
    }

    /// The playlists that are edited.
    public var scope = Scope.any
    /// The longest line that is selected, in bytes up to its line feed.
    public var longestLine = 64 << 10
    /// Lines for the end.
    public var appended: [String] = []
    /// What becomes of a line, or nil if nobody selected it.
    public var decide: (NaivePlaylist.Line) -> Decision?

    /// A rewriter that does with each line what `decide` says.
    public init(decide: @escaping (NaivePlaylist.Line) -> Decision?) { self.decide = decide }

    /// What becomes of `text`.
    public func rewrite(_ text: [UInt8]) -> Result {
        var result = Result()
        guard NaivePlaylist.isPlaylist(text) else {
            result.bytes = text
            result.verdict = .notPlaylist
            result.verdictPosition = 0
            return result
        }
        let lines = NaivePlaylist.lines(of: text)
        var stopped = false
        for (index, line) in lines.enumerated() {
            let verdict = result.longLine == nil ? result.verdict.after(line) : result.verdict
            if verdict != result.verdict { (result.verdict, result.verdictPosition) = (verdict, line.position) }
            if result.verdict == .mixed, scope != .any { stopped = true }
            guard index > 0, !stopped, scope.allows(result.verdict), let decision = decide(line) else {
                result.bytes += line.whole
                continue
            }
            if line.content.count + (line.ending.first == 0x0D ? 1 : 0) > longestLine {
                result.longLine = line.position
                result.bytes += line.whole
                stopped = true
                continue
            }
            result.bytes += edited(line, decision, &result)
        }
        if !stopped, scope.allows(result.verdict), !appended.isEmpty {
            let newline = lines[0].ending == [0x0D, 0x0A] ? "\r\n" : "\n"
            if result.bytes.last == 0x0D {
                result.bytes.append(0x0A)
            } else if result.bytes.last != 0x0A {
                result.bytes += Array(newline.utf8)
            }
            for line in appended { result.bytes += Array((line + newline).utf8) }
        }
        return result
    }

    private func edited(_ line: NaivePlaylist.Line, _ decision: Decision, _ result: inout Result) -> [UInt8] {
        switch decision {
        case .drop: return []
        case .replaceLine(let content): return content + line.ending
        case .attributes(let operations):
            if operations.isEmpty { return line.whole }
            guard let list = line.value, NaiveAttributes.isClosed(list) else {
                result.uneditableLines += 1
                result.firstUneditableLine = result.firstUneditableLine ?? line.position
                return line.whole
            }
            let head = Array(line.content.dropLast(list.count))
            return head + Self.edited(list, operations) + line.ending
        }
    }

    /// What becomes of an attribute list. Of several operations on one attribute the last counts, in the first one's
    /// place.
    public static func edited(_ list: [UInt8], _ operations: [Operation]) -> [UInt8] {
        var effective: [Operation] = []
        for operation in operations {
            if let index = effective.firstIndex(where: { $0.name == operation.name }) {
                effective[index] = operation
            } else {
                effective.append(operation)
            }
        }
        // White space and stray CRs at the end stay after what is appended.
        var end = list.count
        while end > 0, NaiveAttributes.isSpace(list[end - 1]) || list[end - 1] == 0x0D { end -= 1 }
        var seen: [[UInt8]] = []
        var kept: [[UInt8]] = []
        for piece in NaiveAttributes.pieces(of: Array(list[..<end])) {
            guard let item = NaiveAttributes.item(piece),
                let operation = effective.first(where: { $0.name == item.name })
            else {
                kept.append(piece)
                continue
            }
            switch operation {
            case .remove: continue
            case .set(_, let value), .replace(_, let value):
                kept.append(seen.contains(item.name) ? piece : replaced(piece, item, with: Array(value.utf8)))
                seen.append(item.name)
            }
        }
        var edited = Array(kept.joined(separator: Array(",".utf8)))
        for case .set(let name, let value) in effective where !seen.contains(Array(name.utf8)) {
            let last = edited.last { !NaiveAttributes.isSpace($0) }
            if let last, last != UInt8(ascii: ",") { edited += Array(",".utf8) }
            edited += Array("\(name)=\(value)".utf8)
        }
        return edited + list[end...]
    }

    /// The piece with another value, and the same white space.
    private static func replaced(
        _ piece: [UInt8], _ item: NaiveAttributes.Item, with value: [UInt8]
    ) -> [UInt8] {
        let leading = Array(piece.prefix(while: NaiveAttributes.isSpace))
        let text = NaiveAttributes.trimmed(piece)
        let trailing = Array(piece[(leading.count + text.count)...])
        guard let equals = NaiveAttributes.equals(in: text) else {
            return leading + item.name + Array("=".utf8) + value + trailing
        }
        let space = Array(text[(equals + 1)...].prefix(while: NaiveAttributes.isSpace))
        return leading + Array(text[...equals]) + space + value + trailing
    }
}
