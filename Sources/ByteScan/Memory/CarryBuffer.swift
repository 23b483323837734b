// What a scanner keeps of earlier chunks.
//
// A scanner of a stream counts offsets from the start of the chunk it scans; what came before has offsets below 0. At
// the end of a chunk it says which bytes it will need once more have come, a line that has not ended for instance, and
// asks for them later as if all chunks lay in one piece:
//
//     chunks       #EXTM3U⏎#EXT-X-V│ERSION:3⏎…
//     offsets              -8      0         9
//     carried              └──────┘            after keep(8..<16, of: the first chunk)
//     put together         └───────────────┘   by bytes(in: -8..<9, of: the second chunk), which copies the 9 new bytes
//
// The bytes carried are always one range of the stream. It may end before the chunk does: bytes that have been given up
// cannot be asked for again.

/// What a scanner keeps of earlier chunks, as one range of the stream.
///
/// Offsets count from the start of the chunk being scanned; those of earlier chunks are below 0. The memory is kept
/// when the bytes are forgotten, so a scanner that is reset and used again allocates nothing.
@usableFromInline
package struct CarryBuffer: ~Copyable {
    private var buffer = ReusableBuffer<UInt8>()

    /// The offset after the last byte kept.
    private var end = 0

    /// A buffer with nothing in it and no memory yet.
    package init() {}

    /// Whether nothing is carried.
    package var isEmpty: Bool { buffer.isEmpty }

    /// The offset of the first byte carried; 0 if there is none.
    package var start: Int { end &- buffer.count }

    /// All bytes carried, valid until the buffer next changes.
    package var view: ByteView { buffer.view }

    /// Forgets everything and keeps the memory.
    package mutating func removeAll() {
        buffer.removeAll()
        end = 0
    }

    /// Returns the bytes in `range` in one piece, valid until the buffer next changes.
    ///
    /// A range that begins in `chunk` is not copied. Of any other, the bytes before `chunk` must be carried, and those
    /// of `chunk` are copied to them, each only once however often it is asked for.
    @inlinable @inline(__always)
    package mutating func bytes(in range: Range<Int>, of chunk: ByteView) -> ByteView {
        range.lowerBound >= 0 ? chunk[range] : carriedBytes(in: range, of: chunk)
    }

    @usableFromInline
    mutating func carriedBytes(in range: Range<Int>, of chunk: ByteView) -> ByteView {
        extend(to: range.upperBound, of: chunk)
        return buffer.view[(range.lowerBound &- start)..<(range.upperBound &- start)]
    }

    /// Carries the bytes in `range` to the next chunk, from whose start offsets count after this, and forgets all
    /// others.
    ///
    /// - Complexity: O(*n*) in the bytes of `range` that are new, and in those carried if any before them are
    ///   forgotten.
    package mutating func keep(_ range: Range<Int>, of chunk: ByteView) {
        guard !range.isEmpty else { return removeAll() }
        if range.lowerBound >= end {
            buffer.removeAll()
            end = range.lowerBound
        }
        extend(to: range.upperBound, of: chunk)
        buffer.truncate(to: range.upperBound &- start)
        buffer.removeFirst(buffer.count &- range.count)
        end = range.upperBound &- chunk.count
    }

    /// Copies the bytes of `chunk` before offset `newEnd` that are not there yet.
    private mutating func extend(to newEnd: Int, of chunk: ByteView) {
        guard newEnd > end else { return }
        precondition(end >= 0, "bytes that have been given up")
        buffer.append(chunk[end..<newEnd])
        end = newEnd
    }
}
