internal import ByteScan

/// A file that is read: one named on the command line, standard input if the name is `-`, or what a URL names: that
/// is fetched, and is then a file like others (``WebFile``).
struct InputFile: ~Copyable {
    /// How many bytes are read at a time unless `--chunk` says otherwise. The command reads in one thread.
    nonisolated(unsafe) static var chunk = 64 << 10
    /// The largest chunk that `--chunk` may ask for.
    static let largestChunk = 1 << 30

    /// The name that messages call it by.
    let name: String
    /// Against what the references in it are resolved: its path, `-`, or the URL that it came from, after redirects.
    let place: String
    /// What the system knew of it when it was opened.
    let status: FileStatus

    private let descriptor: FileDescriptor
    /// The position that counts as the file's start, or nil if it cannot be read at any position. It is not 0 if
    /// another process has read a part of standard input before.
    private let start: Int?

    /// Refuses arguments of which more than one are standard input, each with what messages call it.
    static func requireOnePipe(_ operands: (name: String, operand: String?)...) throws(Failure) {
        let pipes = operands.filter { $0.operand == "-" }.map(\.name)
        guard pipes.count > 1 else { return }
        throw .usage("\(pipes[0]) and \(pipes[1]) cannot both be standard input; name a file for one of them")
    }

    /// Opens the file called `operand`. From now on ``OutputDirectory`` does not overwrite it.
    init(_ operand: String) throws(Failure) {
        let fetched = Web.isURL(operand) ? try WebFile.open(operand) : nil
        let name = operand == "-" ? "standard input" : operand
        let descriptor = try Self.open(operand, fetched)
        let status = try Failure.refusing(name, try descriptor.status())
        if status.isDirectory { throw .refused(name, SystemError(code: EISDIR).description) }
        if fetched == nil { ReadFiles.note(name, status, at: operand == "-" ? nil : operand) }
        start = status.size == nil ? nil : descriptor.readPosition
        place = fetched?.url ?? operand
        self.name = name
        self.descriptor = descriptor
        self.status = status
    }

    private static func open(_ operand: String, _ fetched: WebFile?) throws(Failure) -> FileDescriptor {
        if let fetched { return try fetched.rewound() }
        if operand == "-" { return .standardInput }
        return try Failure.refusing(operand, try FileDescriptor(reading: operand))
    }

    /// The size in bytes; nil unless the file can be read at any position.
    var size: Int? {
        guard let start, let size = status.size else { return nil }
        return max(size - start, 0)
    }

    /// Hands the file to `body` chunk by chunk.
    func forEachChunk(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        let memory = Memory(unsafe Self.chunk)
        while true {
            let count = try Failure.refusing(name, try unsafe descriptor.read(into: memory.buffer))
            if count == 0 { return }
            try unsafe body(memory.bytes(count))
        }
    }

    /// Fills `buffer` with the bytes at `position` of a file that can be read at any position.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from position: Int) throws(Failure) {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try Failure.refusing(
                name, try unsafe descriptor.read(into: rest, at: (start ?? 0) + position + filled))
            guard count > 0 else { throw .refused(name, "became shorter while it was read; try again") }
            filled += count
        }
    }

    /// Hands the bytes `range` of a file that can be read at any position to `body`, in chunks of at most `most` bytes,
    /// as long as it returns true.
    func forEachChunk(
        in range: Range<Int>, of most: Int = .max, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Bool
    ) throws(Failure) {
        let size = unsafe max(1, min(Self.chunk, most, range.count))
        let memory = Memory(size)
        var rest = range
        while !rest.isEmpty {
            let count = min(size, rest.count)
            try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: memory.buffer[..<count]), from: rest.lowerBound)
            guard try unsafe body(memory.bytes(count)) else { return }
            rest = (rest.lowerBound + count)..<rest.upperBound
        }
    }

    /// The whole file. If it has more than `limit` bytes it is refused, with the advice `advice`.
    func whole(upTo limit: Int, otherwise advice: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        if let size { bytes.reserveCapacity(min(size, limit)) }
        try unsafe forEachChunk { (chunk) throws(Failure) in
            guard chunk.count <= limit - bytes.count else {
                throw .refused(name, "at byte \(limit): more than \(limit) bytes; \(advice)")
            }
            unsafe bytes.append(contentsOf: chunk)
        }
        return bytes
    }
}
