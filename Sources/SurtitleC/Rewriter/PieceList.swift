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
        for piece in output {
            let offset: Int? = if case .chunk(let range) = piece { range.lowerBound } else { nil }
            unsafe append(piece.bytes(in: chunk), chunkOffset: offset)
        }
    }

    /// Takes `bytes` of the library's own, in pieces of at most `longest` bytes.
    mutating func fill(_ bytes: ByteView, longest: Int) {
        pieces.removeAll()
        var start = 0
        while start < bytes.count {
            let end = min(start + longest, bytes.count)
            unsafe append(bytes[start..<end].buffer, chunkOffset: nil)
            start = end
        }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, chunkOffset: Int?) {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let piece = unsafe surtitle_piece(bytes: start, count: bytes.count, chunk_offset: Int64(chunkOffset ?? -1))
        pieces.append(unsafe CPiece(piece: piece))
    }

    /// Tells the caller where the pieces are and how many.
    func give(to place: PiecePlace) {
        unsafe place.pieces.pointee = pieces.start(as: surtitle_piece.self)
        unsafe place.count.pointee = pieces.count
    }
}

/// Where a caller wants pieces to be told.
@safe
struct PiecePlace {
    fileprivate let pieces: UnsafeMutablePointer<UnsafePointer<surtitle_piece>?>
    fileprivate let count: UnsafeMutablePointer<Int>

    /// The caller's two places, where nothing is told yet.
    init(
        _ pieces: UnsafeMutablePointer<UnsafePointer<surtitle_piece>?>?, _ count: UnsafeMutablePointer<Int>?
    ) throws(Refusal) {
        unsafe self.pieces = try unsafe Arguments.place(pieces)
        unsafe self.count = try unsafe Arguments.place(count)
        unsafe self.pieces.pointee = nil
        unsafe self.count.pointee = 0
    }
}
