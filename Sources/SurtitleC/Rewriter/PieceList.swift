internal import ByteScan
internal import CSurtitle

/// The output of a call as the caller gets it: an array of `surtitle_piece`.
struct PieceList: ~Copyable {
    private var pieces = GrowingArray<CPiece>()

    /// A piece, laid out as the C struct is.
    @safe
    private struct CPiece {
        let piece: surtitle_piece
    }

    mutating func removeAll() { pieces.removeAll() }

    /// Takes the pieces of `output`, whose chunk is `chunk`.
    mutating func fill(_ output: OutputPieces, _ chunk: UnsafeRawBufferPointer) {
        pieces.removeAll()
        for piece in output { pieces.append(unsafe CPiece(piece: surtitle_piece(piece, in: chunk))) }
    }

    /// Tells the caller where the pieces are and how many.
    func give(to place: ArrayPlace) { pieces.give(to: place) }
}

extension surtitle_piece {
    /// A piece of what was made of `chunk`.
    init(_ piece: OutputPiece, in chunk: UnsafeRawBufferPointer) {
        let offset: Int? = if case .chunk(let range) = piece { range.lowerBound } else { nil }
        unsafe self.init(piece.bytes(in: chunk), chunkOffset: offset)
    }

    /// Bytes that lie at `chunkOffset` of the chunk, or are the library's own.
    init(_ bytes: UnsafeRawBufferPointer, chunkOffset: Int?) {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe self.init(bytes: start, count: bytes.count, chunk_offset: Int64(chunkOffset ?? -1))
    }
}
