internal import ByteScan
internal import CSurtitle
internal import M3U8
internal import Sideload

/// The output of a call, and the same as the caller gets it.
@safe
struct PieceList: ~Copyable {
    var output: OutputPieces
    private var pieces = unsafe ReusableBuffer<surtitle_piece>()

    init(_ output: OutputPieces) { self.output = output }

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

extension surtitle_report {
    /// What there is to say; `left` is how many bytes of the output the caller has not taken.
    init(_ report: PlaylistReport, outputLeft left: Int) {
        self.init(
            size: 0, verdict: RewriterReport.verdict(report.verdict), is_settled: report.isSettled && left == 0 ? 1 : 0,
            verdict_position: Int64(report.verdictPosition ?? -1), held_bytes: UInt64(report.heldBytes),
            output_left: UInt64(left), added_bytes: UInt64(report.addedBytes),
            uneditable_lines: UInt64(report.uneditableLines),
            first_uneditable_line: Int64(report.firstUneditableLine ?? -1), mapped_uris: UInt64(report.mappedURIs),
            dropped_variants: UInt64(report.droppedVariants),
            exceeded_limit: RewriterReport.limit(report.exceededLimit), reserved: 0,
            limit_position: Int64(report.exceededLimit?.position ?? -1))
    }
}

/// Verdicts and limits as surtitle.h has them.
enum RewriterReport {
    // Both are numbered in the order of surtitle.h, from 0.

    static func verdict(_ verdict: PlaylistVerdict) -> Int32 { Int32(verdict.rawValue) }

    static func limit(_ error: LimitError?) -> Int32 {
        guard let code = error?.limit.code else { return Int32(SURTITLE_LIMIT_NONE.rawValue) }
        let number = Int32(code) + Int32(SURTITLE_LIMIT_LONGEST_LINE.rawValue)
        return number <= SURTITLE_LIMIT_LONGEST_URI.rawValue ? number : Int32(SURTITLE_LIMIT_OTHER.rawValue)
    }
}
