public import CByteScan

/// A search for cues of SubRip that are plain in form, some at a time: see kernels/find_cues.h.
@safe
@usableFromInline
package struct CueFinder: ~Copyable {
    @usableFromInline let memory: UnsafeMutablePointer<CueFinderMemory>

    /// A finder that has found nothing.
    package init() {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: CueFinderMemory())
    }

    deinit { unsafe memory.deallocate() }

    /// Finds the cues that lie one after the other from `offset` of `view`, in whole blocks, and tells how many.
    @inlinable @inline(__always)
    package mutating func find(in view: ByteView, from offset: Int) -> Int {
        precondition(offset >= 0, "offset outside the view")
        return unsafe findCues(view.base, from: offset, last: LineFinder.lastBlock(of: view), memory)
    }

    /// The cue with `index`, one of those found last.
    @inlinable
    package subscript(index: Int) -> FoundCue {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: Int(bytescan_cues_capacity)), "no such cue")
            return unsafe foundCue(memory, index)
        }
    }
}
