#if canImport(AVFoundation) && !os(watchOS)
internal import Encodings
internal import Foundation

// Subtitles that are not UTF-8. A part of such a file tells nothing, so that all of it is asked for and decoded, and
// what reads it sees a file in UTF-8 whose origin serves no ranges.

extension TransportRequest {
    /// The request for all of it.
    func whole(upTo limit: Int) -> TransportRequest {
        var whole = self
        whole.fields = Self.ofWhole(fields)
        whole.byteLimit = limit
        if let redirection {
            whole.redirection = { target, source in redirection(target, source).map(Self.ofWhole) }
        }
        return whole
    }

    private static func ofWhole(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
        fields.filter { !["range", "if-range"].contains($0.name.lowercased()) }
    }
}

extension TransportResponse {
    /// Whether the body begins as UTF-16 does.
    var isUTF16: Bool { TextDecoder.encoding(of: Array(body.prefix(4))) != nil }

    /// The answer with its body in UTF-8, which is in `encoding` unless it begins with a byte order mark; and what of
    /// it is no character.
    ///
    /// - Throws: If the system's iconv cannot be asked.
    func decoded(from encoding: TextEncoding?) throws -> (response: TransportResponse, malformed: MalformedText?) {
        let text = try DecodedText([UInt8](body), in: encoding)
        guard text.encoding != nil else { return (self, text.malformed) }
        let lengths = ["content-length", "content-range", "content-encoding"]
        var response = TransportResponse(
            status: status, url: url, fields: fields.filter { !lengths.contains($0.name.lowercased()) },
            body: Data(text.bytes), isCutOff: isCutOff, isDecoded: true)
        response.wasEncoded = true
        return (response, text.malformed)
    }
}
#endif
