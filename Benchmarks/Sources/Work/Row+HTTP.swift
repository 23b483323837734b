import CReference
import Inputs

extension Row {
    /// Both questions of three exchanges, against finding the lines of their heads.
    static func decisions(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        func decide(times: Int) -> UInt64 { Deciding.editedBytes(in: bytes, times: times) }
        return Row(
            key: key, work: "HTTP, both questions", input: input, reference: "memchr, line by line", limit: limit,
            run: { decide(times: $0) },
            // A head comes whole.
            runInChunks: { decide(times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                let (words, expected) = (Deciding.words(of: bytes), Expected.decisions)
                if words != expected { return "decided \(words), expected \(expected)" }
                let edits = expected.flatMap { $0.split(separator: ", ").dropFirst() }
                let count = edits.reduce(0) { $0 + $1.utf8.count - ($1.hasSuffix(" removed") ? 8 : 1) }
                return decide(times: 1) == count ? nil : "what is timed is cut short"
            }
        )
    }
}

extension Expected {
    /// What is to be decided about the requests and responses of ``Input/exchanges``.
    static let decisions = [
        "likely, Accept-Encoding=identity",
        "hold(upTo: 65536), Accept-Ranges=none, Content-Length removed, "
            + "ETag=\"673f0c40-abe-surtitle-00000000075bcd15\", Last-Modified removed",
        "likely, Accept-Encoding=identity, If-Modified-Since removed, If-None-Match=\"673f0c40-abe\"",
        "pass, ETag=\"673f0c40-abe-surtitle-00000000075bcd15\"",
        "unlikely",
        "pass",
    ]
}
