/// The W3C WebVTT parsing algorithm, step by step and line by line: an oracle for the forward scanner.
///
/// "Collect a WebVTT block" is followed to the letter. A block for which it returns null is kept too, with the reason
/// that the block's first line gives.
public struct NaiveWebVTT {
    /// A block of a file, in the words of a test.
    public struct Block: Equatable, Sendable, CustomStringConvertible {
        /// `header`, `cue`, `style`, `region`, `note`, or why the block is left out.
        public var kind: String
        /// The stream position of the block's first line.
        public var position: Int
        /// The number of that line, from 1.
        public var line: Int
        /// How many bytes the block has, without the blank line that ends it.
        public var count = 0
        /// The text, or the line of the header.
        public var text = ""
        /// The line before the timing line.
        public var identifier = ""
        /// What follows the end time.
        public var settings = ""
        /// When the cue is shown first, in milliseconds.
        public var start: Int64 = 0
        /// When the cue is no longer shown, in milliseconds.
        public var end: Int64 = 0

        /// A block without a cue's parts.
        public init(kind: String, position: Int, line: Int, text: String = "") {
            (self.kind, self.position, self.line, self.text) = (kind, position, line, text)
        }

        /// The block in one line.
        public var description: String {
            kind == "cue"
                ? "cue @\(position) \(identifier.debugDescription) \(start) --> \(end) \(settings.debugDescription) "
                    + text.debugDescription
                : "\(kind) @\(position) line \(line) \(text.debugDescription)"
        }
    }

    private struct Line {
        var bytes: [UInt8]
        var position: Int
        var number: Int
        var text: String { NaiveWebVTT.decode(bytes) }
    }

    private var lines: [Line] = []
    private var next = 0
    private var hasSeenCue = false
    private var fileCount = 0

    /// The blocks of `file`, or nil if it has no signature.
    public static func blocks(of file: [UInt8]) -> [Block]? {
        var parser = NaiveWebVTT()
        parser.splitLines(file)
        return parser.parse()
    }

    /// `bytes` as the format decodes them.
    public static func decode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }, as: UTF8.self)
    }

    private mutating func splitLines(_ file: [UInt8]) {
        fileCount = file.count
        var start = file.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line: [UInt8] = []
        var position = start
        while start < file.count {
            let byte = file[start]
            start += 1
            guard byte == 0x0A || byte == 0x0D else {
                line.append(byte)
                continue
            }
            if byte == 0x0D, start < file.count, file[start] == 0x0A { start += 1 }
            lines.append(Line(bytes: line, position: position, number: lines.count + 1))
            line = []
            position = start
        }
        lines.append(Line(bytes: line, position: position, number: lines.count + 1))
    }

    private mutating func parse() -> [Block]? {
        guard NaiveTimings.hasSignature(lines[0].bytes) else { return nil }
        next = 1
        var blocks: [Block] = []
        if next < lines.count, !lines[next].bytes.isEmpty {
            blocks += header()
        } else {
            next += 1
        }
        while true {
            while next < lines.count, lines[next].bytes.isEmpty { next += 1 }
            guard next < lines.count else { return blocks }
            var block = block()
            let endsBlank = lines[next - 1].bytes.isEmpty
            let end = endsBlank ? lines[next - 1].position : next < lines.count ? lines[next].position : fileCount
            block.count = end - block.position
            blocks.append(block)
        }
    }

    private mutating func header() -> [Block] {
        var blocks: [Block] = []
        while next < lines.count, !lines[next].bytes.isEmpty, !NaiveTimings.hasArrow(lines[next].bytes) {
            let line = lines[next]
            blocks.append(Block(kind: "header", position: line.position, line: line.number, text: line.text))
            next += 1
        }
        return blocks
    }

    /// "Collect a WebVTT block", not in the header.
    private mutating func block() -> Block {
        let first = next
        var lineCount = 0
        var previousPosition = next
        var buffer = ""
        var seenArrow = false
        var cue: Block?
        var definition: String?
        while next < lines.count {
            let line = lines[next]
            lineCount += 1
            next += 1
            if NaiveTimings.hasArrow(line.bytes) {
                guard lineCount == 1 || lineCount == 2 && !seenArrow else {
                    next = previousPosition
                    break
                }
                seenArrow = true
                previousPosition = next
                cue = timing(line.bytes, identifier: buffer, first: lines[first])
                if cue != nil {
                    buffer = ""
                    hasSeenCue = true
                }
            } else if line.bytes.isEmpty {
                break
            } else {
                if lineCount == 2, !hasSeenCue {
                    for word in ["STYLE", "REGION"] where Self.isWord(buffer, word) {
                        definition = word
                        buffer = ""
                    }
                }
                if !buffer.isEmpty { buffer += "\n" }
                buffer += line.text
                previousPosition = next
            }
        }
        if var cue {
            cue.text = buffer
            return cue
        }
        let place = lines[first]
        if let definition {
            return Block(
                kind: definition == "STYLE" ? "style" : "region", position: place.position, line: place.number,
                text: buffer)
        }
        let texts = lines[first..<next].filter { !$0.bytes.isEmpty }.map(\.text)
        return leftOut(texts, seenArrow: seenArrow, at: place)
    }

    private func leftOut(_ texts: [String], seenArrow: Bool, at place: Line) -> Block {
        var text = texts.joined(separator: "\n")
        var kind = "noTiming"
        if seenArrow {
            kind = "malformedTiming"
        } else if texts[0] == "NOTE" {
            kind = "note"
            text = texts.dropFirst().joined(separator: "\n")
        } else if ["NOTE ", "NOTE\t"].contains(where: { texts[0].utf8.starts(with: $0.utf8) }) {
            kind = "note"
            text = String(text.unicodeScalars.dropFirst(5))
        } else if Self.isWord(texts[0], "STYLE") {
            kind = texts.count == 1 ? "emptyStyle" : "styleAfterCue"
        } else if Self.isWord(texts[0], "REGION") {
            kind = texts.count == 1 ? "emptyRegion" : "regionAfterCue"
        }
        return Block(kind: kind, position: place.position, line: place.number, text: text)
    }

    private func timing(_ line: [UInt8], identifier: String, first: Line) -> Block? {
        guard let times = NaiveTimings.timing(line) else { return nil }
        var cue = Block(kind: "cue", position: first.position, line: first.number)
        cue.identifier = identifier
        (cue.start, cue.end) = (times.start, times.end)
        cue.settings = NaiveWebVTT.decode(times.settings)
        return cue
    }

    private static func isWord(_ line: String, _ word: String) -> Bool {
        line.utf8.starts(with: word.utf8)
            && line.utf8.dropFirst(word.utf8.count).allSatisfy { [0x20, 0x09, 0x0C].contains($0) }
    }
}
