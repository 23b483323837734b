// How output is collected, to be sent after the call.
//
// A rewriter hands out slices: thousands of a large playlist, of a hundred bytes or so. To hand them on one by one
// costs a proxy many times what the rewriting does. So short slices are copied together, and long ones stay where they
// are, in the caller's chunk:
//
//     slices   chunk 0..<81 │ own 17 │ chunk 81..<90 │ chunk 90..<9000 │ own 17 │ chunk 9000..<9040
//     pieces   own 107 ─────────────────────────────── chunk 90..<9000   own 57 ─────────────────────
//
// What is copied lies in blocks of one size, one after the other. A piece never reaches over a block's end, so none is
// longer than a block. The blocks are used again for the next call.
//
// Ranges say nothing without their chunk, so pieces of two calls never stand together: a call begins by dropping what
// is there. Nothing that is being read can be overwritten, though. An iterator keeps the storage, as a copy of the
// output does, and a call that finds it kept by somebody else takes a new one. So whoever sends may come back to the
// rewriter in the middle of the loop.
//
//     PieceStorage   the blocks and the list of pieces
//     PieceWriter    what a call appends with: the open piece, in registers

/// What one call of a rewriter has handed out, in few pieces, to be sent after the call.
///
///     var output = OutputPieces()                                // one for each worker, used again
///     try rewriter.write(chunk, into: &output)
///     for piece in output {
///         switch piece {
///         case .chunk(let range): connection.forward(range)
///         case .own(let bytes): unsafe connection.send(bytes)
///         }
///     }
///
/// **Each call replaces what the one before it has left**, so send before the next one. Ranges are of the chunk of the
/// call, and of no other. A copy of the output keeps its pieces as they are, whatever is written to the original.
///
/// Once it has grown to the largest output it allocates nothing, unless a copy or an iterator of it is kept through a
/// call.
public struct OutputPieces: Sendable {
    /// Slices of the chunk of fewer bytes are copied, together with the library's own; longer ones stay ranges of it.
    ///
    /// With 0 every slice is a piece, and nothing is copied but the library's own. With `Int.max` everything is copied,
    /// and there are no ranges.
    public let mergingThreshold: Int

    private var storage: PieceStorage

    /// An output in which slices of fewer than `mergingThreshold` bytes are copied together, into pieces of at most
    /// `longestPiece` bytes.
    ///
    /// Pieces of 32 KiB were cheaper to send than longer ones. Ranges of the chunk may be longer. No memory is taken
    /// before it is needed; `longestPiece` is at least 64.
    public init(mergingThreshold: Int = 1024, longestPiece: Int = 32 << 10) {
        self.mergingThreshold = Swift.max(mergingThreshold, 0)
        storage = PieceStorage(blockSize: Swift.max(longestPiece, 64))
    }

    /// How many bytes the pieces have together.
    public var byteCount: Int { storage.byteCount }

    /// How many pieces there are.
    public var count: Int { storage.count }

    /// Whether there are none.
    public var isEmpty: Bool { storage.count == 0 }

    /// Drops the pieces, and keeps the memory.
    public mutating func removeAll() {
        let storage = prepare()
        storage.removeAll()
        unsafe storage.lend(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    /// Lends `memory` to the next call, which copies to it first, as far as there is room, and only then to blocks of
    /// its own.
    ///
    /// With a merging threshold of `Int.max` all that it takes is one piece, the first. The memory must outlive the
    /// call, and its pieces.
    public mutating func lend(_ memory: UnsafeMutableRawBufferPointer) { unsafe prepare().lend(memory) }

    /// How many bytes of the output are in memory that was lent for the call.
    public var lentCount: Int { storage.lentCount }

    /// Begins a call, which replaces what is there. All slices are copied if they are of other memory than the caller's
    /// chunk.
    @usableFromInline
    package mutating func begin(copiesAll: Bool = false) -> PieceWriter {
        let storage = prepare()
        storage.removeAll()
        return PieceWriter(storage, threshold: copiesAll ? .max : mergingThreshold)
    }

    /// The storage, which nobody else keeps.
    @inline(__always)
    private mutating func prepare() -> PieceStorage {
        if !isKnownUniquelyReferenced(&storage) { storage = PieceStorage(blockSize: storage.blockSize) }
        return storage
    }
}

extension OutputPieces: Sequence {
    /// Goes over the pieces in their order, and keeps them as they are while it exists.
    public struct Iterator: IteratorProtocol {
        private let storage: PieceStorage
        private var index = 0

        init(_ storage: PieceStorage) { self.storage = storage }

        /// The next piece, or nil after the last.
        public mutating func next() -> OutputPiece? {
            guard index < storage.count else { return nil }
            defer { index += 1 }
            return storage[index]
        }
    }

    /// An iterator over the pieces.
    public func makeIterator() -> Iterator { Iterator(storage) }

    /// How many pieces there are, exactly.
    public var underestimatedCount: Int { count }
}
