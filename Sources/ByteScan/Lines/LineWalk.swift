public import CByteScan

/// A walk from one line of interest to the next, some lines at a time.
///
/// The lines of one tag may be plain: the walk finds out by itself that they need no closer look. See bytescan_playlists.h.
@safe
public struct LineWalk: ~Copyable {
    /// How many lines are met at once at most.
    @inlinable package static var capacity: Int { Int(bytescan_walk_capacity) }

    @usableFromInline let memory: UnsafeMutablePointer<LineWalkMemory>

    /// A walk on which no line is of interest.
    package init() {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: LineWalkMemory())
    }

    deinit { unsafe memory.deallocate() }

    /// Says what plain lines are like: they begin with `head`, have something behind it, lack `probe` and have `longest`
    /// bytes at most.
    package mutating func setPlainLines(_ head: LineHead, lacking probe: BytePair, longest: Int) {
        precondition(probe.distance <= 12, "probe reaches too far")
        // One byte for a CR, and one that is none.
        let shortest = head.count + 2
        unsafe memory.pointee.plain = longest < shortest ? .none : head
        unsafe memory.pointee.probe = probe
        unsafe memory.pointee.shortest = shortest
        unsafe memory.pointee.span = max(longest - shortest, 0)
    }

    /// Says how lines begin of which no more than one needs to be met, and which lines are of interest from there on.
    package mutating func setPassedLines(_ heads: (LineHead, LineHead), leaving interest: LineInterest) {
        Self.check(interest)
        unsafe memory.pointee.passed = heads
        unsafe memory.pointee.passing = interest
    }

    /// Says which lines are of interest.
    @inlinable @inline(__always)
    package mutating func setInterest(_ interest: LineInterest) {
        Self.check(interest)
        unsafe memory.pointee.interest = interest
    }

    @inlinable @inline(__always)
    static func check(_ interest: LineInterest) {
        precondition(interest.room > 0 && interest.room <= capacity, "no such room")
    }

    /// Meets the lines of interest behind line feeds at or after `offset` of `view`, in whole blocks, and tells how many.
    @inlinable @inline(__always)
    package mutating func meet(_ view: ByteView, from offset: Int) -> Int {
        precondition(offset >= 0, "offset outside the view")
        return unsafe walkLines(view.base, from: offset, last: Self.lastBlock(of: view), memory)
    }

    /// Whether there is a whole block of `view` at `offset`, behind which the walk can look at a line's head.
    @inlinable @inline(__always)
    package static func hasBlock(_ view: ByteView, at offset: Int) -> Bool { offset <= lastBlock(of: view) }

    @inlinable @inline(__always)
    static func lastBlock(of view: ByteView) -> Int { view.count &- ByteView.blockSize &- LineHead.longest }

    /// The line with `index`, one of those met last.
    @inlinable
    package subscript(index: Int) -> MetLine {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: Self.capacity), "index outside the walk")
            return unsafe walkedLine(memory, index)
        }
    }

    /// Where to go on: lines behind a line feed at or after this have not been met.
    @inlinable @inline(__always)
    package var next: Int { unsafe memory.pointee.next }
}

extension LineHead {
    /// How many bytes of a line are compared at most.
    @inlinable package static var longest: Int { 32 }

    /// How many bytes are compared.
    var count: Int {
        unsafe withUnsafeBytes(of: mask) { bytes in unsafe bytes.count { $0 != 0 } }
    }

    /// The head of no line but blank ones.
    package static var none: LineHead { LineHead([ASCII.lineFeed] + [UInt8](repeating: .max, count: longest - 1)) }

    /// The head of a line that begins with `bytes`, so far as ``longest`` allows.
    package init(_ bytes: [UInt8]) {
        self.init()
        for (offset, byte) in bytes.prefix(Self.longest).enumerated() {
            unsafe withUnsafeMutableBytes(of: &words) { unsafe $0[offset] = byte }
            unsafe withUnsafeMutableBytes(of: &mask) { unsafe $0[offset] = .max }
        }
    }
}
