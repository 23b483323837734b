import Foundation

/// A WebVTT file of the conformance data with what the W3C parsing algorithm makes of it.
public struct WebVTTExpectation: Sendable, CustomStringConvertible {
    /// The file's name, or the number of its line in the corpus.
    public let name: String
    /// The file.
    public let bytes: [UInt8]
    /// Whether the file is WebVTT.
    public let hasSignature: Bool
    /// The end of the final cue, in milliseconds; nil if there is no cue.
    public let finalCueEnd: Int64?
    /// The latest end of any cue, in milliseconds; nil if it is not given or there is no cue.
    public let latestCueEnd: Int64?
    /// The metadata lines; nil if they are not given.
    public let header: [String]?
    /// The cues.
    public let cues: [Cue]
    /// The style sheets.
    public let styles: [String]
    /// The regions' identifiers.
    public let regionIdentifiers: [String]
    /// The regions' settings; nil if they are not given.
    public let regions: [Region]?

    /// The name, for the test's report.
    public var description: String { name }

    /// A cue.
    public struct Cue: Sendable, Equatable {
        /// When it is shown first, in milliseconds.
        public let start: Int64
        /// When it is no longer shown, in milliseconds.
        public let end: Int64
        /// Its identifier.
        public let identifier: String
        /// Its settings as they are written, without the white space around them.
        public let settings: String
        /// Its text.
        public let text: String
        /// Its settings as they are understood; nil if they are not given.
        public let parsed: Settings?

        /// A cue that a scanner found or the data hold.
        public init(
            start: Int64, end: Int64, identifier: String, settings: String, text: String, parsed: Settings?
        ) {
            (self.start, self.end, self.identifier) = (start, end, identifier)
            (self.settings, self.text, self.parsed) = (settings, text, parsed)
        }
    }

    /// A cue's settings, in the words of the data.
    public struct Settings: Sendable, Equatable, Decodable {
        /// The region's identifier, if there is such a region and the cue may be shown in it.
        public let region: String?
        /// `rl`, `lr` or nothing.
        public let vertical: String
        /// Whether ``line`` counts lines.
        public let snapToLines: Bool
        /// A number; nil for `auto`.
        public let line: Double?
        /// `start`, `center` or `end`.
        public let lineAlign: String
        /// A percentage; nil for `auto`.
        public let position: Double?
        /// `auto`, `line-left`, `center` or `line-right`.
        public let positionAlign: String
        /// A percentage.
        public let size: Double
        /// `start`, `center`, `end`, `left` or `right`.
        public let align: String

        private enum CodingKeys: CodingKey {
            case region, vertical, snapToLines, line, lineAlign, position, positionAlign, size, align
        }

        /// The settings that a parser understood.
        public init(
            region: String?, vertical: String, snapToLines: Bool, line: Double?, lineAlign: String, position: Double?,
            positionAlign: String, size: Double, align: String
        ) {
            (self.region, self.vertical, self.snapToLines, self.line) = (region, vertical, snapToLines, line)
            (self.lineAlign, self.position, self.positionAlign) = (lineAlign, position, positionAlign)
            (self.size, self.align) = (size, align)
        }

        /// The settings that the data hold.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            region = try values.decodeIfPresent(String.self, forKey: .region)
            vertical = try values.decode(String.self, forKey: .vertical)
            snapToLines = try values.decode(Bool.self, forKey: .snapToLines)
            line = try? values.decode(Double.self, forKey: .line)
            lineAlign = try values.decode(String.self, forKey: .lineAlign)
            position = try? values.decode(Double.self, forKey: .position)
            positionAlign = try values.decode(String.self, forKey: .positionAlign)
            size = try values.decode(Double.self, forKey: .size)
            align = try values.decode(String.self, forKey: .align)
        }
    }

    /// A region.
    public struct Region: Sendable, Equatable, Decodable {
        /// What cues name it by.
        public let id: String
        /// A percentage.
        public let width: Double
        /// A number of lines.
        public let lines: Double
        /// Two percentages.
        public let regionAnchor: [Double]
        /// Two percentages.
        public let viewportAnchor: [Double]
        /// `up` or nothing.
        public let scroll: String

        /// A region that a parser understood.
        public init(
            id: String, width: Double, lines: Double, regionAnchor: [Double], viewportAnchor: [Double], scroll: String
        ) {
            (self.id, self.width, self.lines, self.scroll) = (id, width, lines, scroll)
            (self.regionAnchor, self.viewportAnchor) = (regionAnchor, viewportAnchor)
        }
    }

    /// Every file under `webvtt` that has its answers beside it; the ones for segmenting have others.
    public static func files() throws -> [WebVTTExpectation] {
        try Conformance.files(in: "webvtt", withExtension: "vtt")
            .filter { !$0.path.contains("/hls-segment/") }
            .map { url in
                let answers = try JSONDecoder().decode(
                    FileAnswers.self, from: Data(contentsOf: url.deletingPathExtension().appendingPathExtension("json"))
                )
                return WebVTTExpectation(
                    name: "\(url.deletingLastPathComponent().lastPathComponent)/\(url.lastPathComponent)",
                    bytes: try Conformance.bytes(of: url), hasSignature: answers.signature_ok,
                    finalCueEnd: answers.last_cue_end_ms, latestCueEnd: answers.max_end_ms, header: answers.header,
                    cues: answers.cues.map {
                        Cue(
                            start: $0.start_ms, end: $0.end_ms, identifier: $0.id, settings: $0.settings, text: $0.text,
                            parsed: $0.parsed)
                    },
                    styles: answers.stylesheets, regionIdentifiers: answers.regions.map(\.id), regions: answers.regions)
            }
    }

    /// Every line of the fuzzing corpus.
    public static func corpus() throws -> [WebVTTExpectation] {
        guard let folder = Conformance.folder else { return [] }
        let corpus = folder.appendingPathComponent("webvtt/fuzz/corpus.jsonl")
        let lines = try Data(contentsOf: corpus).split(separator: 0x0A)
        guard !lines.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        return try lines.enumerated().map { number, line in
            let answers = try JSONDecoder().decode(LineAnswers.self, from: line)
            return WebVTTExpectation(
                name: "corpus line \(number + 1)", bytes: [UInt8](answers.b64), hasSignature: answers.signature_ok,
                finalCueEnd: answers.last_cue_end_ms, latestCueEnd: nil, header: nil,
                cues: answers.cues.map(\.cue), styles: answers.styles,
                regionIdentifiers: answers.regions, regions: nil)
        }
    }

    private struct FileAnswers: Decodable {
        struct Cue: Decodable {
            let start_ms: Int64
            let end_ms: Int64
            let id: String
            let settings: String
            let text: String
            let parsed: Settings
        }

        let signature_ok: Bool
        let last_cue_end_ms: Int64?
        let max_end_ms: Int64?
        let header: [String]
        let cues: [Cue]
        let stylesheets: [String]
        let regions: [Region]
    }

    private struct LineAnswers: Decodable {
        /// A cue as `[start, end, id, settings, text]`.
        struct Row: Decodable {
            let cue: Cue

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                cue = Cue(
                    start: try values.decode(Int64.self), end: try values.decode(Int64.self),
                    identifier: try values.decode(String.self), settings: try values.decode(String.self),
                    text: try values.decode(String.self), parsed: nil)
            }
        }

        let b64: Data
        let signature_ok: Bool
        let last_cue_end_ms: Int64?
        let cues: [Row]
        let styles: [String]
        let regions: [String]
    }
}
