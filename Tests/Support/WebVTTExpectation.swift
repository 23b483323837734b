import Foundation

/// A WebVTT file of the conformance data with what the W3C parsing algorithm makes of it.
public struct WebVTTExpectation: Sendable, CustomStringConvertible {
    /// The file's name, or the number of its line in the corpus.
    public let name: String
    /// The file.
    public let bytes: [UInt8]
    /// Whether the file is WebVTT.
    public let hasSignature: Bool
    /// The end of the final cue, in milliseconds; nil where there is no cue.
    public let finalCueEnd: Int64?

    /// The name, for the test's report.
    public var description: String { name }

    /// Every file under `webvtt` that has its answers beside it; the ones for segmenting have others.
    public static func files() throws -> [WebVTTExpectation] {
        try Conformance.files(in: "webvtt", withExtension: "vtt")
            .filter { !$0.path.contains("/hls-segment/") }
            .map { url in
                let answers = try JSONDecoder().decode(
                    Answers.self, from: Data(contentsOf: url.deletingPathExtension().appendingPathExtension("json")))
                return WebVTTExpectation(
                    name: "\(url.deletingLastPathComponent().lastPathComponent)/\(url.lastPathComponent)",
                    bytes: [UInt8](try Data(contentsOf: url)), hasSignature: answers.signature_ok,
                    finalCueEnd: answers.last_cue_end_ms)
            }
    }

    /// Every line of the fuzzing corpus.
    public static func corpus() throws -> [WebVTTExpectation] {
        guard let folder = Conformance.folder else { return [] }
        let corpus = folder.appendingPathComponent("webvtt/fuzz/corpus.jsonl")
        let lines = try Data(contentsOf: corpus).split(separator: 0x0A)
        guard !lines.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        return try lines.enumerated().map { number, line in
            let answers = try JSONDecoder().decode(Answers.self, from: line)
            return WebVTTExpectation(
                name: "corpus line \(number + 1)", bytes: [UInt8](answers.b64 ?? Data()),
                hasSignature: answers.signature_ok, finalCueEnd: answers.last_cue_end_ms)
        }
    }

    private struct Answers: Decodable {
        let b64: Data?
        let signature_ok: Bool
        let last_cue_end_ms: Int64?
    }
}
