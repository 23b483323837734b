public import CByteScan

/// A search for the lines of a playlist that a filter names, some at a time.
///
/// The lines of one tag may be simple: the finder sees by itself that they need no closer look. See
/// bytescan_playlists.h.
@safe
@usableFromInline
package struct LineFinder: ~Copyable {
    /// How many lines are reported at once at most.
    @inlinable package static var capacity: Int { Int(bytescan_found_capacity) }

    @usableFromInline let memory: UnsafeMutablePointer<LineFinderMemory>

    /// A finder that reports no line.
    package init() {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: LineFinderMemory())
    }

    /// A finder that looks for what `other` does, but for simple lines of `longest` bytes at most.
    package init(copying other: borrowing LineFinder, longest: Int) {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: other.memory.pointee)
        let room = unsafe longest &- memory.pointee.shortest
        if room < 0 { unsafe memory.pointee.simple = .none }
        unsafe memory.pointee.span = min(memory.pointee.span, max(room, 0))
    }

    deinit { unsafe memory.deallocate() }

    /// Says what simple lines are like: they begin with `prefix`, have something after it, lack `pair` and have
    /// `longest` bytes at most.
    package mutating func setSimpleLines(_ prefix: LinePrefix, lacking pair: BytePair, longest: Int) {
        precondition(pair.distance <= 12, "pair too far apart")
        // One byte for a CR, and one that is none.
        let shortest = prefix.count + 2
        unsafe memory.pointee.simple = longest < shortest ? .none : prefix
        unsafe memory.pointee.pair = pair
        unsafe memory.pointee.shortest = shortest
        unsafe memory.pointee.span = max(longest - shortest, 0)
    }

    /// Says how lines begin of which no more than one needs to be reported, and which lines are from there on.
    package mutating func setSkippedLines(_ prefixes: (LinePrefix, LinePrefix), leaving filter: LineFilter) {
        Self.check(filter)
        unsafe memory.pointee.skipped = prefixes
        unsafe memory.pointee.successor = filter
    }

    /// Says which lines are reported.
    @inlinable @inline(__always)
    package mutating func setFilter(_ filter: LineFilter) {
        Self.check(filter)
        unsafe memory.pointee.filter = filter
    }

    @inlinable @inline(__always)
    static func check(_ filter: LineFilter) {
        precondition(filter.capacity > 0 && filter.capacity <= capacity, "no such capacity")
    }

    /// Finds lines that begin after line feeds at or after `offset` of `view`, in whole blocks, and tells how many.
    @inlinable @inline(__always)
    package mutating func find(in view: ByteView, from offset: Int) -> Int {
        precondition(offset >= 0, "offset outside the view")
        return unsafe findLines(view.base, from: offset, last: Self.lastBlock(of: view), memory)
    }

    /// Finds lines in the last bytes of `view`, from `offset` on, where no whole block is left: those that end there.
    ///
    /// - Parameter unfinished: Where the last line begins if it does not end in the view, and a line feed stands before
    ///   it at or after `offset`; the view's count if that line is empty. It stays what it is otherwise.
    @inlinable @inline(__always)
    package mutating func findLast(in view: ByteView, from offset: Int, unfinished: inout Int) -> Int {
        guard view.endsLine(from: offset, unfinished: &unfinished) else {
            unsafe memory.pointee.next = view.count
            return 0
        }
        return findLastLines(in: view, from: offset, unfinished: &unfinished)
    }

    /// Finds lines in the last bytes of `view`, of which at least one ends there, by a copy of them.
    @usableFromInline
    mutating func findLastLines(in view: ByteView, from offset: Int, unfinished: inout Int) -> Int {
        unsafe CByteScan.findLastLines(view.base, from: offset, to: view.count, memory, unfinished: &unfinished)
    }

    /// Whether there is a whole block of `view` at `offset`, with as much after it as a line's prefix needs.
    @inlinable @inline(__always)
    package static func hasBlock(_ view: ByteView, at offset: Int) -> Bool { offset <= lastBlock(of: view) }

    @inlinable @inline(__always)
    static func lastBlock(of view: ByteView) -> Int { view.count &- ByteView.blockSize &- LinePrefix.capacity }

    /// The line with `index`, one of those found last.
    @inlinable
    package subscript(index: Int) -> FoundLine {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: Self.capacity), "index outside the finder")
            return unsafe foundLine(memory, index)
        }
    }

    /// The first `count` lines of those found last. They stay until the next search.
    @unsafe @inlinable @inline(__always)
    package func lines(_ count: Int) -> UnsafeBufferPointer<FoundLine> {
        precondition(count >= 0 && count <= Self.capacity, "more lines than the finder has")
        return unsafe UnsafeBufferPointer(start: foundLines(memory), count: count)
    }

    /// Where to go on: lines after a line feed at or after this have not been looked at.
    @inlinable @inline(__always)
    package var next: Int { unsafe memory.pointee.next }
}

// It alone has its memory, and changes it in mutating calls alone.
extension LineFinder: @unchecked Sendable {}

extension FoundLine {
    /// Whether the filter has given way to its successor at this line.
    @inlinable package var isSwitching: Bool { @inline(__always) get { end == bytescan_end_switching } }

    /// Whether the line begins as a simple one does, and goes on after the whole blocks that have been searched.
    @inlinable package var goesOn: Bool { @inline(__always) get { end == bytescan_end_beyond } }
}

extension ByteView {
    /// Whether a line may begin after a line feed at or after `offset` and end in the view, which has a few bytes from
    /// there on. Mostly none does: then `unfinished` is where one begins that does not end, if there is one.
    @usableFromInline
    func endsLine(from offset: Int, unfinished: inout Int) -> Bool {
        precondition(offset >= 0 && offset <= count && count &- offset <= Self.tailCapacity, "no tail")
        let last = count &- Self.blockSize
        guard last >= 0, last &- offset <= Self.blockSize else {
            return firstOffset(of: ASCII.lineFeed, from: offset) != nil
        }
        // A whole block if there is more than one, and what is left of the last 64 bytes.
        let isLong = offset < last
        let head = isLong ? unsafe ByteBlock(loading: base + offset).equal(to: ASCII.lineFeed).bits : 0
        let middle = isLong ? offset &+ Self.blockSize : offset
        let end = unsafe ByteBlock(loading: base + last).equal(to: ASCII.lineFeed).bits
        let tail = middle < count ? end &>> (middle &- last) : 0
        let feeds = head != 0 ? head : tail
        if feeds & (feeds &- 1) != 0 || head != 0 && tail != 0 { return true }
        if feeds != 0 { unfinished = (head != 0 ? offset : middle) &+ feeds.trailingZeroBitCount &+ 1 }
        return false
    }
}

extension LinePrefix {
    /// How many bytes of a line are compared at most.
    @inlinable package static var capacity: Int { 32 }

    /// How many bytes are compared.
    var count: Int { unsafe withUnsafeBytes(of: mask) { bytes in unsafe bytes.count { $0 != 0 } } }

    /// The prefix of no line but blank ones.
    package static var none: LinePrefix { LinePrefix([ASCII.lineFeed] + [UInt8](repeating: .max, count: capacity - 1)) }

    /// The prefix of a line that begins with `bytes`, as far as ``capacity`` allows.
    package init(_ bytes: [UInt8]) {
        self.init()
        for (offset, byte) in bytes.prefix(Self.capacity).enumerated() {
            unsafe withUnsafeMutableBytes(of: &words) { unsafe $0[offset] = byte }
            unsafe withUnsafeMutableBytes(of: &mask) { unsafe $0[offset] = .max }
        }
    }
}
