import ByteScan

/// Collects a rewriter's output in pieces, and reports pieces that are not as promised.
///
/// Ranges lie inside the chunk of their call, in order and without overlap. Own bytes lie outside, and no piece of them is longer than
/// the output allows. None is empty. What lies together in a block is one piece.
public struct PieceLog {
    /// The output so far.
    public private(set) var bytes: [UInt8] = []
    /// What was wrong, in words.
    public private(set) var faults: [String] = []

    private let longestPiece: Int
    private let lentRoom: Int

    /// A log of an output whose own pieces have at most `longestPiece` bytes, to each of whose calls `lentRoom` bytes are
    /// lent.
    public init(longestPiece: Int, lentRoom: Int = 0) {
        self.longestPiece = longestPiece
        self.lentRoom = lentRoom
    }

    /// Writes `text` cut as `split` by `write`, each chunk next to a page that cannot be read, and then calls `finish`.
    ///
    /// Returns the error that was thrown, which may not happen twice.
    @discardableResult
    public mutating func collect<Failure: Error>(
        _ text: [UInt8], _ split: [Range<Int>], in window: GuardedWindow, isLeading: Bool,
        into output: inout OutputPieces,
        write: (UnsafeRawBufferPointer, inout OutputPieces) throws(Failure) -> Void,
        finish: (inout OutputPieces) -> Void
    ) -> Failure? {
        var failure: Failure?
        for range in split {
            window.with(text[range], isLeading: isLeading) { chunk in
                do throws(Failure) {
                    try write(chunk, &output)
                } catch {
                    if failure != nil { faults.append("thrown twice") }
                    failure = error
                }
                record(output, of: chunk)
            }
        }
        finish(&output)
        record(output, of: UnsafeRawBufferPointer(start: nil, count: 0))
        return failure
    }

    /// Notes what a call has left in `output`, which was given `chunk`.
    public mutating func record(_ output: OutputPieces, of chunk: UnsafeRawBufferPointer) {
        var (end, count, number) = (0, 0, 0)
        var ownEnd: UnsafeRawPointer?
        for piece in output {
            if piece.count == 0 { faults.append("an empty piece") }
            switch piece {
            case .chunk(let range):
                if range.lowerBound < end { faults.append("\(range) overlaps what ended at \(end)") }
                if range.upperBound > chunk.count {
                    faults.append("\(range) is outside the chunk of \(chunk.count)")
                    return
                }
                if range.count < output.mergingThreshold { faults.append("\(range) should have been copied") }
                end = range.upperBound
                ownEnd = nil
            case .own(let own):
                if let base = chunk.baseAddress, let start = own.baseAddress, start >= base, start < base + chunk.count
                {
                    faults.append("a range of the chunk is said to be the output's own")
                }
                if own.count > longestPiece { faults.append("a piece of \(own.count) bytes") }
                if output.mergingThreshold > 0, own.baseAddress == ownEnd {
                    faults.append("two pieces that could be one")
                }
                ownEnd = own.baseAddress.map { $0 + own.count }
            }
            bytes += piece.bytes(in: chunk)
            count += piece.count
            number += 1
        }
        if output.lentCount != min(count, lentRoom) {
            faults.append("\(output.lentCount) bytes of \(count) are in what is lent")
        }
        if count != output.byteCount { faults.append("\(output.byteCount) bytes were counted of \(count)") }
        if number != output.count { faults.append("\(output.count) pieces were counted of \(number)") }
    }
}
