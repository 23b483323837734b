#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation

// The head of a request to the loopback listener, judged strictly: whatever a player would not send is refused, and
// nothing of it is guessed at (RFC 9112 2.2, 3, 5).
//
//     GET /TOKEN/HANDLE.vtt HTTP/1.1⏎      origin form alone, and no byte but visible ASCII in it
//     Host: 127.0.0.1:49152⏎               one, exactly this: a name that leads here is not ours (DNS rebinding)
//     Range: bytes=0-1⏎
//     ⏎

/// A request whose head can be answered.
struct LoopbackHead: Equatable, Sendable {
    /// The most bytes of a head.
    static let byteLimit = 8 << 10

    let isHead: Bool
    let path: [UInt8]
    /// Names and values, as they came.
    let fields: [(name: String, value: String)]

    static func == (one: LoopbackHead, other: LoopbackHead) -> Bool {
        one.isHead == other.isHead && one.path == other.path
            && one.fields.elementsEqual(other.fields) { $0 == $1 }
    }

    /// What comes of the bytes so far.
    enum Judgement: Equatable, Sendable {
        case needsMore
        case good(LoopbackHead)
        /// A status, and the connection ends.
        case refused(Int)
    }

    /// Judges the bytes of a connection to a listener at `port`.
    static func judge(_ bytes: [UInt8], port: UInt16) -> Judgement {
        guard let end = end(of: bytes) else { return bytes.count < byteLimit ? .needsMore : .refused(431) }
        // Bytes behind the head would be a body, or another request: neither is for a file.
        guard end <= byteLimit else { return .refused(431) }
        guard end == bytes.count else { return .refused(400) }
        guard let lines = lines(of: bytes[..<(end - 4)]), let first = lines.first else { return .refused(400) }
        let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ $0.allSatisfy { 0x21...0x7E ~= $0 } }) else { return .refused(400) }
        guard words[2].elementsEqual("HTTP/1.1".utf8), words[1].first == UInt8(ascii: "/") else { return .refused(400) }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let field = field(line) else { return .refused(400) }
            fields.append(field)
        }
        let named = { (name: String) in fields.filter { $0.name.lowercased() == name } }
        guard named("host").map(\.value) == ["127.0.0.1:\(port)"] else { return .refused(400) }
        // A page in a browser asks so; a player does not.
        let isOfPage = fields.contains { field in
            let name = field.name.lowercased()
            return name == "origin" || name.hasPrefix("sec-fetch-")
        }
        if isOfPage { return .refused(403) }
        guard named("transfer-encoding").isEmpty, named("content-length").allSatisfy({ $0.value == "0" }),
            named("range").count < 2
        else { return .refused(400) }
        let isHead = words[0].elementsEqual("HEAD".utf8)
        guard isHead || words[0].elementsEqual("GET".utf8) else { return .refused(405) }
        return .good(LoopbackHead(isHead: isHead, path: Array(words[1]), fields: fields))
    }

    /// Where the empty line ends.
    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual("\r\n\r\n".utf8) }
    }

    /// The lines, each of which ends with CR LF; nil if a CR stands alone. An LF that does so, and a line that goes on in
    /// the next one, are no words, names or values.
    private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var (lines, rest) = ([ArraySlice<UInt8>](), bytes)
        while let end = rest.firstIndex(of: 0x0D) {
            guard end + 1 < rest.endIndex, rest[end + 1] == 0x0A else { return nil }
            lines.append(rest[..<end])
            rest = rest[(end + 2)...]
        }
        return lines + [rest]
    }

    /// A field line: a token, a colon at once, a value without controls.
    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        let name = line[..<colon]
        let value = line[(colon + 1)...]
        guard name.allSatisfy(HeaderLine.isNameByte),
            value.allSatisfy({ $0 == 0x09 || 0x20...0x7E ~= $0 || $0 >= 0x80 })
        else { return nil }
        let text = String(decoding: value, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        return (String(decoding: name, as: UTF8.self), text)
    }
}
#endif
