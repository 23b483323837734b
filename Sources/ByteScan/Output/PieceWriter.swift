/// Appends slices to the pieces of an output during one call.
///
/// What is copied goes to the open piece, which becomes one of the output's when something else comes, or the call ends.
@safe
@usableFromInline
package struct PieceWriter {
    private let storage: PieceStorage
    @usableFromInline let threshold: Int

    /// The open piece, and what is left of its block.
    private var start: UnsafeMutableRawPointer
    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline var left = 0

    init(_ storage: PieceStorage, threshold: Int) {
        self.storage = storage
        self.threshold = threshold
        unsafe start = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
        unsafe next = start
    }

    /// Appends `slice`: a copy of it if it is short or the library's own, and else its range.
    @inlinable @inline(__always)
    package mutating func append(_ slice: OutputSlice) {
        let count = slice.count
        guard count < threshold, count <= left else { return appendApart(slice) }
        unsafe next.copyMemory(from: slice.view.base, byteCount: count)
        unsafe next += count
        left &-= count
    }

    /// The same for a slice that does not fit into the block, or is not merged with others.
    @usableFromInline @inline(never)
    mutating func appendApart(_ slice: OutputSlice) {
        if slice.chunkOffset >= 0, slice.count >= threshold {
            close()
            storage.append(chunkAt: slice.chunkOffset, count: slice.count)
        } else {
            copy(slice.view)
            if threshold == 0 { close() }
        }
    }

    /// Ends the call: the open piece is the output's last.
    package mutating func end() { close() }

    private mutating func copy(_ bytes: ByteView) {
        var rest = bytes
        while !rest.isEmpty {
            if left == 0 { openBlock() }
            let count = min(left, rest.count)
            unsafe next.copyMemory(from: rest.base, byteCount: count)
            unsafe next += count
            left &-= count
            rest = rest.suffix(from: count)
        }
    }

    private mutating func openBlock() {
        close()
        let block = storage.nextBlock()
        guard let base = unsafe block.baseAddress else { return }
        unsafe (start, next) = unsafe (base, base)
        left = block.count
    }

    private mutating func close() {
        unsafe storage.append(UnsafeRawBufferPointer(start: start, count: next - start))
        unsafe start = next
    }
}
