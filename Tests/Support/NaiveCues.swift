/// The cues of a WebVTT file with their identifiers, settings and text, found by looking at lines around timing lines.
///
/// It depends on the same fact as ``NaiveTimings``: a cue is a timing line. Its identifier is the line before, if that
/// is the first of its block; its text are the lines after, up to a blank line or an arrow (W3C WebVTT, section 6.1).
public enum NaiveCues {
    /// A cue; times are in milliseconds.
    public struct Cue: Equatable, Sendable, CustomStringConvertible {
        /// The identifier, empty if there is none.
        public var identifier: String
        /// The start.
        public var start: Int64
        /// The end.
        public var end: Int64
        /// What follows the times on their line, without white space around it.
        public var settings: String
        /// The lines, joined by line feeds.
        public var text: String

        /// A cue.
        public init(_ identifier: String, _ start: Int64, _ end: Int64, _ text: String, _ settings: String = "") {
            (self.identifier, self.start, self.end) = (identifier, start, end)
            (self.text, self.settings) = (text, settings)
        }

        /// The cue in one line.
        public var description: String {
            "\(identifier.debugDescription) \(start) --> \(end) \(settings.debugDescription) \(text.debugDescription)"
        }
    }

    /// The cues of `file`, or nil if it has no signature.
    public static func cues(in file: [UInt8]) -> [Cue]? {
        guard let lines = NaiveTimings.lines(of: file), NaiveTimings.hasSignature(lines[0]) else { return nil }
        return lines.indices.dropFirst().compactMap { index in
            let line = lines[index]
            guard NaiveTimings.hasArrow(line), let times = NaiveTimings.timing(line) else { return nil }
            let isNamed =
                index >= 3 && !lines[index - 1].isEmpty && !NaiveTimings.hasArrow(lines[index - 1])
                && lines[index - 2].isEmpty
            let text = lines[(index + 1)...].prefix { !$0.isEmpty && !NaiveTimings.hasArrow($0) }
            return Cue(
                isNamed ? decode(lines[index - 1]) : "", times.start, times.end,
                text.map(decode).joined(separator: "\n"), decode(settings(line)))
        }
    }

    /// What follows the second time of a timing line.
    private static func settings(_ line: [UInt8]) -> [UInt8] {
        guard let arrow = line.indices.first(where: { line[$0...].starts(with: "-->".utf8) }) else { return [] }
        var rest = line[(arrow + 3)...]
        NaiveTimings.skipSpace(&rest)
        _ = NaiveTimings.timestamp(&rest)
        NaiveTimings.skipSpace(&rest)
        while let last = rest.last, [0x20, 0x09, 0x0C].contains(last) { rest.removeLast() }
        return Array(rest)
    }

    private static func decode(_ line: [UInt8]) -> String {
        String(decoding: line.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }, as: UTF8.self)
    }
}
