internal import ByteScan
internal import Delivery

// Cues that somebody writes while the stream goes on: to a file that grows, or to standard input.
//
//     the first byte that is no white space     form
//     {                                         JSON lines; one that is no cue is left out, and told of
//     W, or a byte order mark                   WebVTT
//     any other                                 SubRip
//
// What is broken in WebVTT or SubRip ends the track's cues: nobody knows where the next one begins. A file that is
// replaced, or becomes shorter, has another writer, whose cues come behind those before.

/// Cues that grow, and where they come from.
final class FollowedCues {
    /// What messages call the file.
    let name: String
    /// The path; nil if it is standard input.
    let path: String?
    private let track: [UInt8]
    private let latency: Int64?
    private let chunk: Int

    private var file: FileDescriptor?
    private var identity: FileStatus.Identity?
    /// How many bytes have come from this writer.
    private var position = 0
    private var isAtEnd = false
    private var form: GrowingConfiguration.Format?
    /// That of the first writer, which all others must have.
    private var firstForm: GrowingConfiguration.Format?
    private var cues: GrowingCues?
    /// The line that is not whole, of JSON lines.
    private var line: [UInt8] = []
    /// Whether something has been refused, which has been told of.
    private(set) var hasFailed = false

    /// The cues of `operand`, a path or `-`, for the track called `track`. With a latency they show so many
    /// milliseconds before they come, and else when their times say.
    init(_ operand: String, track: [UInt8], latency: Int64?, chunk: Int) {
        name = operand == "-" ? "standard input" : operand
        path = operand == "-" ? nil : operand
        self.track = track
        self.latency = latency
        self.chunk = chunk
    }

    /// Reads what has come since the last call, beside the segments that `channel` has by now.
    func read(beside channel: borrowing LiveChannel) throws(Failure) {
        try open()
        let memory = Memory(chunk)
        while !isAtEnd, let count = try unsafe readNext(into: memory.buffer) {
            if count == 0 {
                // What comes through a pipe has ended; a file may grow.
                let isFile = (try? file?.status().size) != nil
                if !isFile, position > 0 || path == nil { end() }
                return
            }
            take(unsafe Array(memory.bytes(count)), channel)
            position += count
        }
    }

    /// Opens the file if it is there, and another one than before.
    private func open() throws(Failure) {
        guard let path else {
            if file == nil { file = FileDescriptor.standardInput }
            return
        }
        guard let status = FileStatus(at: path) else { return }
        if status.isDirectory { throw .refused(path, SystemError(code: EISDIR).reason) }
        let isShorter = status.size.map { $0 < position } ?? false
        if status.identity == identity, !isShorter { return }
        if identity != nil { end() }
        file = try SystemError.refusing(path) { () throws(SystemError) in try FileDescriptor(following: path) }
        (identity, position, form, isAtEnd) = (status.identity, 0, nil, false)
    }

    /// Reads bytes that are there: 0 at the end; nil if none are there yet.
    private func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        guard let isReady = file?.isReady(within: 0), isReady else { return nil }
        return try SystemError.refusing(name) { () throws(SystemError) in try unsafe file?.read(into: buffer) }
    }

    /// Ends the writer: a last cue counts though nothing follows it.
    func end() {
        isAtEnd = true
        if !line.isEmpty { takeLine(endingAt: position) }
        do throws(GrowingError) { try cues?.finish() } catch {
            if form != .jsonLines { refuse("at byte \(error.position): \(error.reason)") }
        }
    }

    /// Seals the spans that the channel's last version has brought.
    func seal(_ channel: borrowing LiveChannel) { cues?.seal(channel) }

    /// Collects the segment of `span` in `output`.
    ///
    /// Returns whether there is one: there is none before the first cue.
    func write(_ span: LiveSpan, into output: inout OutputPieces) -> Bool {
        cues?.write(span, into: &output)
        return cues != nil
    }
}

// What has come.
extension FollowedCues {
    private func take(_ bytes: [UInt8], _ channel: borrowing LiveChannel) {
        var rest = bytes[...]
        if form == nil {
            // A byte order mark of SubRip or JSON lines may stay: it is part of a first line.
            guard let first = rest.first(where: { $0 > ASCII.space }) else { return }
            begin(Self.form(first), channel)
        }
        guard !hasFailed || form == .jsonLines else { return }
        guard form == .jsonLines else { return append(bytes) }
        while let end = rest.firstIndex(of: ASCII.lineFeed) {
            line += rest[...end]
            rest = rest[(end + 1)...]
            takeLine(endingAt: position + end + 1)
        }
        line += rest
        // Whatever comes of it, it is refused: its end is not waited for.
        if line.count > GrowingLimits().block { takeLine(endingAt: position + bytes.count) }
    }

    /// The form of what begins with `first`.
    private static func form(_ first: UInt8) -> GrowingConfiguration.Format {
        switch first {
        case UInt8(ascii: "{"): .jsonLines
        case UInt8(ascii: "W"), 0xEF: .webVTT
        default: .subRip
        }
    }

    /// Begins a writer of this form.
    private func begin(_ form: GrowingConfiguration.Format, _ channel: borrowing LiveChannel) {
        if let known = self.form ?? firstForm, known != form {
            refuse("is \(form.words) now, and was \(known.words) before; begin surtitle live anew")
            return
        }
        (self.form, firstForm) = (form, form)
        guard cues == nil else { return }
        cues = GrowingCues(GrowingConfiguration(name: track, format: form, latency: latency))
        // Segments that players may have stay as they are.
        cues?.seal(channel)
    }

    private func append(_ bytes: [UInt8]) {
        do throws(GrowingError) { try bytes.withView { (bytes) throws(GrowingError) in try cues?.append(bytes) } } catch
        {
            refuse("at byte \(error.position): \(error.reason); no cue counts from there on")
        }
    }

    /// Takes a line of JSON, which ends at `end` in the file. One that is no cue is left out.
    private func takeLine(endingAt end: Int) {
        do throws(GrowingError) { try line.withView { (line) throws(GrowingError) in try cues?.append(line) } } catch {
            cues?.abandon()
            refuse("at byte \(end - line.count): \(error.reason); the line is left out")
        }
        line.removeAll(keepingCapacity: true)
    }

    private func refuse(_ reason: String) {
        // It goes on for hours, perhaps.
        if !hasFailed { Console.tell("\(name): \(reason)") }
        hasFailed = true
    }
}

extension GrowingConfiguration.Format {
    /// What messages call it.
    fileprivate var words: String {
        switch self {
        case .webVTT: "WebVTT"
        case .subRip: "SubRip"
        case .jsonLines: "JSON lines"
        }
    }
}
