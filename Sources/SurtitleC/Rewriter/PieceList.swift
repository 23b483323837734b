internal import ByteScan
internal import CSurtitle

/// The output of a call, and the same as the caller gets it.
@safe
struct PieceList: ~Copyable {
    var output: OutputPieces
    private var pieces = unsafe ReusableBuffer<surtitle_piece>()

    init(_ output: OutputPieces) { self.output = output }

    mutating func removeAll() {
        output.removeAll()
        unsafe pieces.removeAll()
    }

    /// Tells the caller of the pieces of `output`, which has been made of `chunk`, or of the end if that is nil.
    mutating func give(_ chunk: UnsafeRawBufferPointer?, to place: ArrayPlace<surtitle_piece>) {
        unsafe pieces.removeAll()
        for piece in output { unsafe pieces.append(surtitle_piece(piece, in: chunk)) }
        unsafe place.give(pieces.elements)
    }
}

extension surtitle_piece {
    /// A piece of what was made of `chunk`.
    init(_ piece: OutputPiece, in chunk: UnsafeRawBufferPointer?) {
        let bytes = unsafe ByteView(piece.bytes(in: chunk ?? UnsafeRawBufferPointer(start: nil, count: 0)))
        let offset = if case .chunk(let range) = piece { range.lowerBound } else { -1 }
        unsafe self.init(bytes: bytes.start, count: bytes.count, chunk_offset: Int64(offset))
    }
}
