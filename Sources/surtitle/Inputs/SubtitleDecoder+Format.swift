internal import ByteScan
internal import Encodings
internal import WebVTT

// The content of a file decides what it is, and then its name:
//
//     WEBVTT, as the format's signature                      WebVTT, whatever the file is called
//     what is known to be something else, such as TTML       neither
//     anything else, in a file called .srt                   SubRip
//     1⏎00:00:01,000 --> …, and no name that says otherwise  SubRip: standard input has no name
//     anything else                                          neither; it is handed on unchanged
extension SubtitleDecoder {
    /// Whether `file`, which must be one that can be read at any position, is handed on byte for byte.
    static func isVerbatim(_ file: borrowing InputFile, _ reading: SubtitleReading) throws(Failure) -> Bool {
        let memory = Memory(min(decidingByteCount, file.size ?? 0))
        try unsafe file.fill(memory.buffer, from: 0)
        return unsafe isVerbatim(head: Array(memory.bytes(memory.buffer.count)), name: file.name, reading)
    }

    /// Whether the file called `name` is handed on byte for byte, by its `head`: as many bytes as decide, or all of a shorter
    /// file.
    static func isVerbatim(head: [UInt8], name: String, _ reading: SubtitleReading) -> Bool {
        reading.shift == .none && TextDecoder.encoding(of: head, in: reading.encoding, reading.use) == nil
            && format(of: head, isWhole: true, name: name) != .subRip
    }

    /// What the file called `name` is, by its `head`; nil if more of it is needed.
    static func format(of head: [UInt8], isWhole: Bool, name: String) -> Format? {
        let isWhole = isWhole || head.count >= decidingByteCount
        switch unsafe head.withUnsafeBytes({ unsafe WebVTTSignature(head: $0, isWholeFile: isWhole) }) {
        case .valid: return .webVTT
        case .needsMoreBytes: return nil
        case .invalid: break
        }
        let name = name.lowercased()
        let foreign = foreign(head: head)
        if name.hasSuffix(".srt") {
            switch foreign {
            case .subRip: return .subRip
            case nil: return isWhole || !ForeignFormat.mayBe(head: head) ? .subRip : nil
            default: return .neither
            }
        }
        if name.hasSuffix(".vtt") || name.hasSuffix(".webvtt") { return isWhole || foreign != nil ? .neither : nil }
        return isWhole ? (beginsAsSubRip(head) ? .subRip : .neither) : nil
    }

    /// What a file without the signature is that begins with `head`, if it tells.
    static func foreign(head: [UInt8]) -> ForeignFormat? {
        ForeignFormat(head: head, beginsAsSubRip: beginsAsSubRip(head))
    }

    /// Whether the first line that is not blank is a number, and the next begins with a digit and contains an arrow.
    private static func beginsAsSubRip(_ head: [UInt8]) -> Bool {
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            .map { line in line.filter { !ASCII.isBlank($0) } }
            .drop(while: \.isEmpty)
        guard let counter = lines.first, let timing = lines.dropFirst().first else { return false }
        return counter.allSatisfy(ASCII.isDigit) && timing.first.map(ASCII.isDigit) == true
            && timing.contains(Array("-->".utf8))
    }
}
