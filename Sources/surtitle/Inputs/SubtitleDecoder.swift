internal import ByteScan
internal import Encodings
internal import WebVTT

/// Reads a file of subtitles as WebVTT: WebVTT unchanged, SubRip as the WebVTT that it becomes, and both as UTF-8, with the cues
/// shifted if that is asked for. Which of the two it is, `SubtitleDecoder+Format.swift` says.
final class SubtitleDecoder {
    /// What a file turned out to be.
    enum Format { case webVTT, subRip, neither }

    /// How many bytes at the head of a file decide, at most.
    static let decidingByteCount = 256

    /// What the file is; nil until enough of it has been read.
    private(set) var format: Format?

    /// What a file that is neither is, if its first bytes tell.
    private(set) var foreign: ForeignFormat?

    /// A refusal of the file, which is neither WebVTT nor SubRip.
    var notSubtitles: Failure { .notSubtitles(name, foreign) }

    /// What a message adds to a location in the WebVTT, unless that is a location in the file as well.
    var locationNote: String {
        format != .subRip && reading.shift != .none ? " of the text after --shift" : unshiftedNote
    }

    /// What a message adds to a location in the WebVTT before it is shifted.
    private var unshiftedNote: String {
        format == .subRip ? " of the WebVTT that it becomes" : encoding == nil ? "" : " of its text in UTF-8"
    }

    /// The encoding from which the file is converted; nil if it is not, or not known yet.
    var encoding: TextEncoding? { text.encoding }

    /// The largest WebVTT, in bytes, that is kept as a whole.
    private static let largestWhole = 256 << 20

    /// What messages call the file.
    let name: String
    private let reading: SubtitleReading
    private let text: TextDecoder
    /// The first bytes of the text, until they decide the format.
    private var head: [UInt8] = []
    private var transcoder = SubRipTranscoder()
    private var shifter: CueShifter
    /// Why the cues cannot be shifted, once it is known.
    private var shiftError: CueShiftError?

    /// A decoder of the file that messages call `name`.
    init(_ name: String, _ reading: SubtitleReading = SubtitleReading()) throws(Failure) {
        self.name = name
        self.reading = reading
        do {
            text = try TextDecoder(in: reading.encoding, reading.use)
        } catch {
            throw .refused(name, "\(error)")
        }
        shifter = CueShifter(byMilliseconds: reading.shift.milliseconds)
    }

    /// Decodes the next chunk, and hands `body` the WebVTT that is certain.
    ///
    /// - Throws: A refusal of SubRip that is not UTF-8. The WebVTT before that has been handed out by then.
    func write(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        try unsafe text.write(chunk) { (bytes) throws(Failure) in try unsafe writeText(bytes, body) }
    }

    private func writeText(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        var rest = unsafe chunk
        if format == nil {
            let count = min(Self.decidingByteCount - head.count, chunk.count)
            unsafe head.append(contentsOf: chunk[..<count])
            unsafe rest = UnsafeRawBufferPointer(rebasing: chunk[count...])
            format = Self.format(of: head, isWhole: false, name: name)
            if format == nil { return }
            try unsafe passHead(body)
        }
        if rest.count > 0 { try unsafe pass(rest, body) }
    }

    /// Ends the file, and hands out the rest.
    ///
    /// - Throws: As ``write(_:_:)``, and a refusal of SubRip without a cue.
    func finish(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        try unsafe text.finish { (bytes) throws(Failure) in try unsafe writeText(bytes, body) }
        if format == nil {
            format = Self.format(of: head, isWhole: true, name: name)
            try unsafe passHead(body)
        }
        if format == .subRip { try unsafe finishSubRip(body) }
        guard format != .neither else { return }
        shifter.finish { unsafe body($0.bytes) }
        tellOfEncoding()
        tellOfShift()
    }

    private func finishSubRip(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        do {
            try unsafe transcoder.finish { unsafe shift($0, body) }
        } catch {
            throw refusal(error)
        }
        try checkShift()
        if let leftOut {
            let note =
                "\(leftOut.location): left out for a broken arrow, such as - >: \(leftOut.count) in all; write -->"
            if transcoder.cueCount == 0 { throw .refused(name, note) }
            Console.note("\(name): \(note)")
        } else if transcoder.cueCount == 0 {
            throw .refused(name, "at byte 0: no cue in the whole file, so this is hardly SubRip; give another file")
        }
    }

    /// The cues of SubRip that are left out for their arrows: how many, and where the first is.
    var leftOut: (count: Int, location: String)? {
        transcoder.firstBrokenArrow.map { (transcoder.brokenArrowCount, location($0)) }
    }

    /// Tells what of the file was no text.
    private func tellOfEncoding() {
        // Of SubRip only what is converted gets this far.
        guard let malformed = text.malformed else { return }
        // WebVTT is UTF-8, so that no option for all files counts for it.
        let advice =
            encoding != nil
            ? "if they are many, name another encoding"
            : "if it is in another encoding, convert it, or give the track its encoding=, such as \(TextEncoding.examples)"
        Console.note("\(name): \(malformed); \(advice)")
    }

    private func passHead(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        let bytes = head
        head = []
        if format == .neither { foreign = Self.foreign(head: bytes) }
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe pass(UnsafeRawBufferPointer(bytes), body)
        }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        guard format == .subRip else {
            guard format == .webVTT else { return unsafe body(bytes) }
            unsafe shift(bytes, body)
            return try checkShift()
        }
        do {
            try unsafe transcoder.write(bytes) { unsafe shift($0, body) }
        } catch {
            throw refusal(error)
        }
        try checkShift()
    }

    /// Hands `body` what the next chunk of WebVTT becomes.
    private func shift(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard reading.shift != .none else { return unsafe body(bytes) }
        guard shiftError == nil else { return }
        do throws(CueShiftError) {
            try unsafe shifter.write(bytes) { unsafe body($0.bytes) }
        } catch {
            shiftError = error
        }
    }

    private func checkShift() throws(Failure) {
        guard let error = shiftError else { return }
        throw .refused(
            name,
            "at byte \(error.position)\(unshiftedNote): the line is longer than the limit of \(error.longestLine) bytes "
                + "for --shift; break it up")
    }

    /// Tells how many cues the shift has left out.
    private func tellOfShift() {
        guard shifter.leftOutCount > 0 else { return }
        let what = shifter.leftOutCount == 1 ? "1 cue ends" : "\(shifter.leftOutCount) cues end"
        let were = shifter.leftOutCount == 1 ? "was" : "were"
        Console.note("\(name): \(what) at or before 0 after --shift and \(were) left out")
    }

    /// A location in the text, which is the file itself unless it is converted.
    private func location(_ position: Int) -> String {
        "at byte \(position)\(encoding == nil ? "" : " of its text in UTF-8")"
    }

    /// A refusal of the file for `error`, with the option that helps.
    private func refusal(_ error: SubRipError) -> Failure {
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
    /// Hands `body` the WebVTT of `file`, which is read in chunks of at most `chunk` bytes.
    ///
    /// - Throws: As ``write(_:_:)`` and ``finish(_:)``, and what `body` throws.
    func forEachChunk(
        of file: borrowing InputFile, chunk: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // A transcoder's sink does not throw.
        var failure: Failure?
        func handOn(_ bytes: UnsafeRawBufferPointer) {
            guard failure == nil else { return }
            do throws(Failure) {
                try unsafe body(bytes)
            } catch {
                failure = error
            }
        }
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            try unsafe write(bytes, handOn)
            if let failure { throw failure }
        }
        try unsafe finish(handOn)
        if let failure { throw failure }
    }

    /// All the WebVTT of `file`. If it is too much, the file is refused with the advice `advice`.
    func whole(_ file: borrowing InputFile, chunk: Int, otherwise advice: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        try unsafe forEachChunk(of: file, chunk: chunk) { (part) throws(Failure) in
            guard part.count <= Self.largestWhole - bytes.count else {
                let location = "at byte \(Self.largestWhole)\(locationNote)"
                throw .refused(name, "\(location): more than \(Self.largestWhole) bytes; \(advice)")
            }
            unsafe bytes.append(contentsOf: part)
        }
        return bytes
    }
}
