internal import ByteScan
internal import Encodings
internal import WebVTT

// The content of a file decides what it is, and then its name:
//
//     WEBVTT, as the format's signature                      WebVTT, whatever the file is called
//     what is known to be something else, such as TTML       neither
//     anything else, in a file called .srt                   SubRip, and so for the other formats that are converted
//     1⏎00:00:01,000 --> …, and no name that says otherwise  SubRip, and so for the others: standard input has no name
//     anything else                                          neither; it is handed on unchanged
extension SubtitleDecoder {
    /// Whether `file`, which must be one that can be read at any position, is handed on byte for byte.
    static func isVerbatim(_ file: borrowing InputFile, _ reading: SubtitleReading) throws(Failure) -> Bool {
        let head = try head(of: file)
        return reading.shift == 0 && TextDecoder.encoding(of: head, in: reading.encoding, reading.use) == nil
            && !format(of: head, isWhole: true, name: file.name).isConverted
    }

    /// The first bytes of `file`, which can be read at any position, by which it is told what it is.
    static func head(of file: borrowing InputFile) throws(Failure) -> [UInt8] {
        let memory = Memory(min(decidingByteCount, file.size ?? 0))
        try unsafe file.fill(memory.buffer, from: 0)
        return unsafe Array(memory.bytes(memory.buffer.count))
    }

    /// What the file called `name` is, by its `head`.
    static func format(of head: [UInt8], isWhole: Bool, name: String) -> FormatReader.Form {
        let isWhole = isWhole || head.count >= decidingByteCount
        switch unsafe head.withUnsafeBytes({ unsafe WebVTTSignature(head: $0, isWholeFile: isWhole) }) {
        case .valid: return .known(.webVTT)
        case .needsMoreBytes: return .undecided
        case .invalid: break
        }
        let foreign = ForeignFormat(head: head)
        switch SubtitleFormat(fileName: name) {
        case let named? where named.isConverted:
            if foreign == .subtitles(named) { return .known(named) }
            if foreign != nil { return .neither }
            return isWhole || !ForeignFormat.mayBe(head: head) ? .known(named) : .undecided
        case .webVTT?: return isWhole || foreign != nil ? .neither : .undecided
        default:
            guard isWhole else { return .undecided }
            if case .subtitles(let format)? = foreign { return .known(format) }
            return .neither
        }
    }
}

extension SubtitleFormat {
    /// The format of files called `name`, by its end; nil if that does not tell.
    init?(fileName name: String) {
        guard let period = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let suffix = Array(name.utf8[name.utf8.index(after: period)...])
        guard let format = suffix.withView({ SubtitleFormat(suffix: $0) }) else { return nil }
        self = format
    }

    /// What reports call files of the format: `webvtt`, `subrip`.
    var kind: String { "\(title)".lowercased() }

    /// What files of subtitles may be: `WebVTT or SubRip`.
    static var files: Message { Message(choiceOf: ofFiles.map { $0.title }) }

    /// What becomes WebVTT: `SubRip`.
    static var converted: Message { Message(choiceOf: allCases.filter(\.isConverted).map { $0.title }) }
}
