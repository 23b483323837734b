internal import ByteScan
internal import Delivery

/// Cues that somebody writes while the stream goes on, to a file that grows or to standard input, and where they come
/// from.
final class FollowedFile {
    /// What messages call the file.
    let name: String
    /// The path; nil if it is standard input.
    private let path: String?
    private var file: FileDescriptor?
    /// Whether standard input has ended.
    private var isAtEnd = false
    private var cues: FollowedCues

    /// The cues of `operand`, a path or `-`.
    init(_ operand: String, _ configuration: GrowingConfiguration) {
        name = operand == "-" ? "standard input" : operand
        path = operand == "-" ? nil : operand
        cues = FollowedCues(configuration)
    }

    /// Whether something has been refused, which has been told of.
    var hasFailed: Bool { cues.hasFailed }

    /// Reads what has come since the last call.
    func read() throws(Failure) {
        try open()
        let memory = Memory(unsafe InputFile.chunk)
        while !isAtEnd, let count = try unsafe readNext(into: memory.buffer) {
            if count == 0 {
                // What comes through a pipe has ended; a file may grow.
                let isFile = (try? file?.status().size) != nil
                if !isFile, cues.position > 0 || path == nil { end() }
                return
            }
            unsafe cues.append(memory.bytes(count))
            tell()
        }
    }

    /// Opens the file if it is there, and another one than before.
    private func open() throws(Failure) {
        guard let path else {
            if file == nil { file = FileDescriptor.standardInput }
            return
        }
        guard let status = FileStatus(at: path) else { return }
        if status.isDirectory { throw .refused(path, SystemError(code: EISDIR).description) }
        let identity = FollowedCues.Identity(device: status.identity.device, number: status.identity.number)
        guard cues.isAnother(identity, size: status.size) else { return }
        tell()
        file = try Failure.refusing(path, try FileDescriptor(following: path))
    }

    /// Reads bytes that are there: 0 at the end; nil if none are there yet.
    private func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
        guard let isReady = file?.isReady(within: 0), isReady else { return nil }
        return try Failure.refusing(name, try unsafe file?.read(into: buffer))
    }

    /// Ends the writer: a last cue counts though nothing follows it.
    func end() {
        isAtEnd = path == nil
        cues.end()
        tell()
    }

    private func tell() { if let note = cues.takeNote() { Console.tell("\(name): \(note)") } }

    /// Seals the spans that the channel's last version has brought.
    func seal(_ channel: borrowing LiveChannel) { cues.seal(channel) }

    /// Collects the segment of `span` in `output`.
    func write(_ span: LiveSpan, into output: inout OutputPieces) { cues.write(span, into: &output) }
}
