internal import WebVTT

/// Reads a file of subtitles as WebVTT: WebVTT as it stands, SubRip as the WebVTT that it becomes.
///
/// What a file is its content decides before its name does:
///
///     WEBVTT, as the format's signature                      WebVTT, whatever the file is called
///     anything else, in a file called .srt                   SubRip
///     1⏎00:00:01,000 --> …, and no name that says otherwise  SubRip: standard input has no name
///     anything else                                          neither; it is handed on as it stands
final class SubtitleDecoder {
    /// What a file turned out to be.
    enum Format { case webVTT, subRip, neither }

    /// How many bytes at the head of a file decide.
    static let decidingByteCount = 256

    /// What the file is, once enough of it has come.
    private(set) var format: Format?

    /// What is said behind a place in what is handed out, where that is not a place in the file.
    var placeNote: String { format == .subRip ? " of the WebVTT that it becomes" : "" }

    /// How much of a file is held at most, where it has to be whole in memory.
    private static let largestWhole = 256 << 20

    /// What messages call the file.
    let name: String
    private var head: [UInt8] = []
    private var transcoder = SubRipTranscoder()

    /// A decoder of the file that messages call `name`.
    init(_ name: String) { self.name = name }

    /// Takes the next chunk, and hands `body` what is settled.
    ///
    /// - Throws: a refusal of SubRip that is not UTF-8. What came before has been handed out by then.
    func write(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
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
    /// - Throws: as ``write(_:_:)``, and a refusal of what is called SubRip and has no cue.
    func finish(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        if format == nil {
            format = Self.format(of: head, isWhole: true, name: name)
            try unsafe passHead(body)
        }
        guard format == .subRip else { return }
        do {
            try unsafe transcoder.finish(body)
        } catch {
            throw .refused(name, "\(error)")
        }
        if transcoder.cueCount == 0 {
            throw .refused(name, "at byte 0: no cue in the whole file, so this is hardly SubRip; give another file")
        }
    }

    private func passHead(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        let bytes = head
        head = []
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe pass(UnsafeRawBufferPointer(bytes), body)
        }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        guard format == .subRip else { return unsafe body(bytes) }
        do {
            try unsafe transcoder.write(bytes, body)
        } catch {
            throw .refused(name, "\(error)")
        }
    }
}

extension SubtitleDecoder {
    /// Hands `body` the WebVTT of `file`, which is read in chunks of up to `chunk` bytes.
    ///
    /// - Throws: as ``write(_:_:)`` and ``finish(_:)``, and what `body` throws.
    func forEachChunk(
        of file: borrowing InputFile, chunk: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        // A transcoder's sink does not throw.
        var failure: Failure?
        func take(_ bytes: UnsafeRawBufferPointer) {
            guard failure == nil else { return }
            do throws(Failure) {
                try unsafe body(bytes)
            } catch {
                failure = error
            }
        }
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            try unsafe write(bytes, take)
            if let failure { throw failure }
        }
        try unsafe finish(take)
        if let failure { throw failure }
    }

    /// All the WebVTT of `file`, which is refused with the advice `advice` where it is too much.
    func whole(_ file: borrowing InputFile, chunk: Int, otherwise advice: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        try unsafe forEachChunk(of: file, chunk: chunk) { (part) throws(Failure) in
            guard part.count <= Self.largestWhole - bytes.count else {
                let place = "at byte \(Self.largestWhole)\(placeNote)"
                throw .refused(name, "\(place): more than \(Self.largestWhole) bytes; \(advice)")
            }
            unsafe bytes.append(contentsOf: part)
        }
        return bytes
    }

    /// What `file` is, which can be read anywhere.
    static func format(of file: borrowing InputFile) throws(Failure) -> Format? {
        let memory = Memory(min(decidingByteCount, file.size ?? 0))
        try unsafe file.fill(memory.buffer, from: 0)
        return unsafe format(of: Array(memory.bytes(memory.buffer.count)), isWhole: true, name: file.name)
    }

    /// What the file called `name` is by its `head`; nil where it takes more than that to tell.
    static func format(of head: [UInt8], isWhole: Bool, name: String) -> Format? {
        let isWhole = isWhole || head.count >= decidingByteCount
        switch unsafe head.withUnsafeBytes({ unsafe WebVTTSignature(head: $0, isWholeFile: isWhole) }) {
        case .valid: return .webVTT
        case .needsMoreBytes: return nil
        case .invalid: break
        }
        let name = name.lowercased()
        if name.hasSuffix(".srt") { return .subRip }
        if name.hasSuffix(".vtt") || name.hasSuffix(".webvtt") { return .neither }
        return isWhole ? (beginsAsSubRip(head) ? .subRip : .neither) : nil
    }

    /// Whether the first line that is not blank is a number, and the second one has a time and an arrow.
    private static func beginsAsSubRip(_ head: [UInt8]) -> Bool {
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            .map { line in line.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } }
            .drop(while: \.isEmpty)
        guard let counter = lines.first, let timing = lines.dropFirst().first else { return false }
        return counter.allSatisfy(isDigit) && timing.first.map(isDigit) == true && timing.contains(Array("-->".utf8))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
