/// Memory of the caller's that output is copied to, over any number of calls: the fastest form for whole small
/// playlists.
///
///     var output = unsafe OutputBuffer(memory)                   // an UnsafeMutableRawBufferPointer
///     try unsafe rewriter.write(chunk, into: &output)
///     try rewriter.finish(into: &output)
///     unsafe connection.send(output.bytes)
///
/// A call for which there may not be room throws ``OutputError/tooSmall(needed:available:)`` before anything is taken
/// or written: make room, or send what is there and give the call another buffer.
@safe
public struct OutputBuffer: ~Copyable {
    @usableFromInline let memory: UnsafeMutableRawBufferPointer

    /// How many bytes have been written.
    public private(set) var count = 0

    /// An output to `memory`, which must outlive it.
    public init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

    /// How many more bytes there is room for.
    public var available: Int { unsafe memory.count &- count }

    /// What has been written.
    public var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Starts again at the beginning of the memory.
    public mutating func removeAll() { count = 0 }

    /// Throws if there is less room than for `needed` bytes, for a call that may also fail with a `failure`.
    @usableFromInline
    package func require<Failure: Error>(_ needed: Int, or failure: Failure.Type) throws(OutputError<Failure>) {
        guard needed <= available else { throw OutputError.tooSmall(needed: needed, available: available) }
    }

    /// Begins a call, for which a bound has said that there is room.
    @usableFromInline
    package func begin() -> PieceWriter {
        unsafe PieceWriter(UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
    }

    /// Ends the call that `writer` has been for.
    @usableFromInline
    package mutating func end(_ writer: PieceWriter) { count &+= writer.openCount }

    /// Copies `bytes`, for which a bound has said that there is room.
    package mutating func append(_ bytes: ByteView) {
        guard !bytes.isEmpty else { return }
        var writer = begin()
        writer.append(OutputSlice(library: bytes))
        end(writer)
    }
}

/// Why a call has not written its output to the caller's memory, or has and failed.
public enum OutputError<Failure: Error>: Error {
    /// The output may need so many bytes, and so many are left. Nothing has been taken or written.
    case tooSmall(needed: Int, available: Int)
    /// The call has failed as it does in its other forms, with all output written that there is then.
    case failed(Failure)
}

extension OutputError: Equatable where Failure: Equatable {}

#if !hasFeature(Embedded)
extension OutputError: CustomStringConvertible {
    /// What happened, in words.
    public var description: String {
        switch self {
        case .tooSmall(let needed, let available):
            "the output may need \(needed) bytes, and there is room for \(available); make room, or send what is there first"
        case .failed(let failure): "\(failure)"
        }
    }
}
#endif
