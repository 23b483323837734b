public import CByteScan

/// Appends slices to an output during one call: to pieces, or to memory of the caller's.
///
/// What is copied goes to the open piece, which becomes one of the output's when something else comes, or the call
/// ends. Both kinds of output are written by this one type, so that the core of a rewriter is compiled for one closure
/// of the library's own.
@safe
public struct PieceWriter {
    /// Where pieces go; nil if all is copied to the caller's memory. The output keeps it: a writer lives for one call.
    ///
    /// Unmanaged, because to retain and release it four times took a tenth of the time that 2.8 KB take.
    private let storage: Unmanaged<PieceStorage>?
    @usableFromInline let threshold: Int

    /// The open piece, and what is left of its block.
    private var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var next: UnsafeMutablePointer<UInt8>
    @usableFromInline var left = 0

    @inline(__always)
    init(_ storage: PieceStorage, threshold: Int) {
        unsafe self.storage = .passUnretained(storage)
        self.threshold = threshold
        unsafe start = UnsafeMutablePointer(bitPattern: 1).unsafelyUnwrapped
        unsafe next = start
        if storage.hasLoan {
            unsafe open(storage.takeLoan())
        } else if storage.hasBlocks {
            openBlock()
        }
    }

    /// A writer to `memory`, in which all that comes has room.
    init(_ memory: UnsafeMutableRawBufferPointer) {
        unsafe storage = nil
        threshold = .max
        let base = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe start = base ?? UnsafeMutablePointer(bitPattern: 1).unsafelyUnwrapped
        unsafe next = start
        left = memory.count
    }

    /// How many bytes the open piece has.
    var openCount: Int { unsafe next - start }

    /// Appends `slice`: a copy of it if it is short or the library's own, and else its range.
    @inlinable @inline(__always)
    package mutating func append(_ slice: OutputSlice) {
        let count = slice.count
        guard count < threshold, count <= left else { return appendApart(slice) }
        unsafe copyBytes(next, from: slice.view.base, count)
        unsafe next += count
        left &-= count
    }

    /// Appends a copy of `bytes`, of the chunk, and of `own` after it, of neither of which there is nothing, if that is
    /// what becomes of them and there is room for both, and tells whether it is so.
    @inlinable @inline(__always)
    package mutating func appendShort(_ bytes: ByteView, _ own: ByteView) -> Bool {
        let count = bytes.count &+ own.count
        guard bytes.count < threshold, count <= left else { return false }
        unsafe copyBytes(next, from: bytes.base, bytes.count)
        unsafe copyBytes(next + bytes.count, from: own.base, own.count)
        unsafe next += count
        left &-= count
        return true
    }

    /// The same for a slice that does not fit into the block, or is not merged with others.
    @usableFromInline @inline(never)
    mutating func appendApart(_ slice: OutputSlice) {
        guard let storage = unsafe storage else { preconditionFailure("more output than the bound allows") }
        if slice.chunkOffset >= 0, slice.count >= threshold {
            close()
            unsafe storage._withUnsafeGuaranteedRef { $0.append(chunkAt: slice.chunkOffset, count: slice.count) }
        } else {
            copy(slice.view)
            if threshold == 0 { close() }
        }
    }

    /// Closes the open piece, and returns how many pieces there are so far.
    package mutating func cut() -> Int {
        close()
        return unsafe storage?._withUnsafeGuaranteedRef { $0.count } ?? 0
    }

    /// Ends the call: the open piece is the output's last.
    @usableFromInline
    package mutating func end() { close() }

    private mutating func copy(_ bytes: ByteView) {
        var rest = bytes
        while !rest.isEmpty {
            if left == 0 { openBlock() }
            let count = min(left, rest.count)
            unsafe copyBytes(next, from: rest.base, count)
            unsafe next += count
            left &-= count
            rest = rest.suffix(from: count)
        }
    }

    private mutating func openBlock() {
        close()
        guard let storage = unsafe storage else { return }
        unsafe open(storage._withUnsafeGuaranteedRef { unsafe $0.nextBlock() })
    }

    private mutating func open(_ block: UnsafeMutableRawBufferPointer) {
        guard let base = block.baseAddress else { return }
        unsafe start = base.assumingMemoryBound(to: UInt8.self)
        unsafe next = start
        left = block.count
    }

    private mutating func close() {
        guard unsafe next > start else { return }
        let piece = unsafe UnsafeRawBufferPointer(start: start, count: next - start)
        unsafe storage?._withUnsafeGuaranteedRef { unsafe $0.append(piece) }
        unsafe start = next
    }
}
