internal import ByteScan
internal import Encodings
internal import WebVTT

/// Reads a file of subtitles as WebVTT: WebVTT unchanged, another format as the WebVTT that it becomes, and both as
/// UTF-8, with the cues shifted if that is asked for. What the file is, `SubtitleDecoder+Format.swift` says.
final class SubtitleDecoder {
    /// How many bytes at the head of a file decide, at most.
    static let decidingByteCount = 256

    /// What the file is, as far as enough of it has been read.
    private(set) var format = FormatReader.Form.undecided

    /// What a file of no known format is, if its first bytes tell.
    private(set) var foreign: ForeignFormat?

    /// A refusal of the file, which is of no known format.
    var notSubtitles: Failure { .notSubtitles(name, foreign) }

    /// What a message adds to a location in the WebVTT, unless that is a location in the file as well.
    var locationNote: String {
        !format.isConverted && reading.shift != 0 ? " of the text after --shift" : unshiftedNote
    }

    /// What a message adds to a location in the WebVTT before it is shifted.
    private var unshiftedNote: String {
        format.isConverted ? " of the WebVTT that it becomes" : encoding == nil ? "" : " of its text in UTF-8"
    }

    /// The encoding from which the file is converted; nil if it is not, or not known yet.
    var encoding: TextEncoding? { text.encoding }

    /// The largest WebVTT, in bytes, that is kept as a whole.
    private static let largestWhole = 256 << 20

    /// What messages call the file.
    let name: String
    private let reading: SubtitleReading
    private let text: TextDecoder
    private var reader: ShiftingReader

    /// A decoder of the file that messages call `name`.
    init(_ name: String, _ reading: SubtitleReading = SubtitleReading()) throws(Failure) {
        self.name = name
        self.reading = reading
        text = try Failure.refusing(name, try TextDecoder(in: reading.encoding, reading.use))
        reader = ShiftingReader(decidingBy: Self.decidingByteCount, shiftedBy: reading.shift)
    }

    /// Decodes the next chunk, and hands `body` the WebVTT that is certain.
    ///
    /// - Throws: A refusal of what is converted and not UTF-8. The WebVTT before that has been handed out by then.
    func write(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        try unsafe text.write(chunk) { (bytes) throws(Failure) in try unsafe writeText(bytes, body) }
    }

    private func writeText(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        try refusing(try unsafe reader.read(ByteView(chunk), decide) { unsafe body($0.buffer) }, refusal)
    }

    /// Ends the file, and hands out the rest.
    ///
    /// - Throws: As ``write(_:_:)``, and a refusal of what is converted without a cue.
    func finish(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        try unsafe text.finish { (bytes) throws(Failure) in try unsafe writeText(bytes, body) }
        try refusing(try reader.read(nil, decide) { unsafe body($0.buffer) }, refusal)
        guard case .known(let format) = format else { return }
        if format.isConverted { try checkCues(in: format) }
        tellOfEncoding()
        tellOfShift()
    }

    /// Notes what the file is that begins with `head`, if that tells.
    private func decide(_ head: ByteView, isWhole: Bool) -> FormatReader.Form {
        let head = Array(head)
        format = Self.format(of: head, isWhole: isWhole, name: name)
        if format == .neither { foreign = ForeignFormat(head: head) }
        return format
    }

    /// Throws if there is no cue in a file that is converted, and tells of those that are left out.
    private func checkCues(in format: SubtitleFormat) throws(Failure) {
        if let leftOut = reader.source.leftOut {
            let note =
                "\(location(leftOut.position)): left out for \(leftOut.cause): \(leftOut.count) in all; \(leftOut.advice)"
            if reader.source.convertedCues == 0 { throw .refused(name, note) }
            Console.note("\(name): \(note)")
        } else if reader.source.convertedCues == 0 {
            throw .refused(
                name, "at byte 0: no cue in the whole file, so this is hardly \(format.title); give another file")
        }
    }

    /// The cues that are left out of what is converted: how many, and where the first is.
    var leftOut: (count: Int, location: String)? { reader.source.leftOut.map { ($0.count, location($0.position)) } }

    /// Tells what of the file was no text.
    private func tellOfEncoding() {
        // Of what becomes WebVTT only text in UTF-8 gets this far.
        guard let malformed = text.malformed else { return }
        // WebVTT is UTF-8, so that no option for all files counts for it.
        let conversion =
            reading.isTracks
            ? "convert it, or give the track its encoding=, such as \(TextEncoding.examples)" : "convert it to UTF-8"
        let advice =
            encoding != nil
            ? "if they are many, name another encoding" : "if it is in another encoding, \(conversion)"
        Console.note("\(name): \(malformed); \(advice)")
    }

    /// Tells how many cues the shift has left out.
    private func tellOfShift() {
        let count = reader.leftOutCount
        guard count > 0 else { return }
        let (what, were) = count == 1 ? ("1 cue ends", "was") : ("\(count) cues end", "were")
        Console.note("\(name): \(what) at or before 0 after --shift and \(were) left out")
    }

    /// A location in the text, which is the file itself unless it is converted.
    private func location(_ position: Int) -> String {
        "at byte \(position)\(encoding == nil ? "" : " of its text in UTF-8")"
    }

    /// A refusal of the file for `fault`, with the option that helps.
    private func refusal(_ fault: ShiftingReader.Fault) -> Failure {
        let error: TranscodingError
        switch fault {
        case .transcoding(let found): error = found
        case .shift(let error):
            return .refused(
                name,
                "at byte \(error.position)\(unshiftedNote): the line is longer than the limit of \(error.longestLine) bytes "
                    + "for --shift; break it up")
        }
        guard case .encoding(let found) = error.reason else { return .refused(name, "\(error)") }
        let location = location(error.position)
        if found == .eightBit {
            return .refused(
                name, "\(location): not UTF-8 but \(found); name it: --from-encoding \(TextEncoding.examples)")
        }
        return .refused(name, "\(location): not UTF-8; looks like \(found); if it is, give --from-encoding \(found)")
    }
}

extension SubtitleDecoder {
    /// Hands `body` the WebVTT of `file`.
    ///
    /// - Throws: As ``write(_:_:)`` and ``finish(_:)``, and what `body` throws.
    func forEachChunk(
        of file: borrowing InputFile, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // A reader's sink does not throw.
        var failure: Failure?
        func handOn(_ bytes: UnsafeRawBufferPointer) {
            if failure == nil { failure = fault(of: try unsafe body(bytes)) }
        }
        try unsafe file.forEachChunk { (bytes) throws(Failure) in
            try unsafe write(bytes, handOn)
            if let failure { throw failure }
        }
        try unsafe finish(handOn)
        if let failure { throw failure }
    }

    /// All the WebVTT of `file`. If it is too much, the file is refused with the advice `advice`.
    func whole(_ file: borrowing InputFile, otherwise advice: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        try unsafe forEachChunk(of: file) { (part) throws(Failure) in
            guard part.count <= Self.largestWhole - bytes.count else {
                let location = "at byte \(Self.largestWhole)\(locationNote)"
                throw .refused(name, "\(location): more than \(Self.largestWhole) bytes; \(advice)")
            }
            unsafe bytes.append(contentsOf: part)
        }
        return bytes
    }
}
