public import CByteScan

/// A search for the URIs of a playlist, some at a time, and for the lines of tags that may matter: see
/// kernels/find_uris.h.
@safe
@usableFromInline
package struct URIFinder: ~Copyable {
    /// How many lines are reported at once at most.
    @inlinable package static var capacity: Int { Int(bytescan_uris_capacity) }

    @usableFromInline let memory: UnsafeMutablePointer<URIFinderMemory>

    /// A finder that takes what `oddities` name for odd.
    package init(oddities: URIOddities) {
        var empty = URIFinderMemory()
        empty.oddities = oddities
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: empty)
    }

    deinit { unsafe memory.deallocate() }

    /// Finds URIs, and tags with one of `hashes`, whose lines begin after line feeds at or after `offset` of `view`, in
    /// whole blocks, and tells how many: `most` at most.
    @inlinable @inline(__always)
    package mutating func find(in view: ByteView, from offset: Int, hashes: UInt64, most: Int) -> Int {
        precondition(offset >= 0 && most > 0 && most <= Self.capacity, "offset outside the view, or no such capacity")
        unsafe memory.pointee.hashes = hashes
        unsafe memory.pointee.capacity = most
        return unsafe findURIs(view.base, from: offset, last: LineFinder.lastBlock(of: view), memory)
    }

    /// Finds the same in the last bytes of `view`, from `offset` on, where no whole block is left: of the lines that
    /// end there.
    ///
    /// - Parameter unfinished: As of ``LineFinder/findLast(in:from:unfinished:)``.
    package mutating func findLast(
        in view: ByteView, from offset: Int, hashes: UInt64, most: Int, unfinished: inout Int
    ) -> Int {
        precondition(most > 0 && most <= Self.capacity, "no such capacity")
        guard view.endsLine(from: offset, unfinished: &unfinished) else {
            unsafe memory.pointee.next = view.count
            return 0
        }
        unsafe memory.pointee.hashes = hashes
        unsafe memory.pointee.capacity = most
        return unsafe findLastURIs(view.base, from: offset, to: view.count, memory, unfinished: &unfinished)
    }

    /// Judges the URI of `line`, which is whole and ends before a line feed. A long one is odd.
    package mutating func judge(_ line: ByteView) -> FoundURI {
        guard line.count <= ByteView.tailCapacity else {
            return FoundURI(start: 0, end: 0, path: 0, form: bytescan_uri_odd, hasQuery: false)
        }
        return unsafe judgeLine(line.base, count: line.count, memory)
    }

    /// Finds the URI in the attribute `URI` of the list that begins at the colon at `start`, and the end of its line.
    @inlinable @inline(__always)
    package func value(in view: ByteView, from start: Int) -> FoundValue {
        precondition(start >= 0 && start <= view.count, "list outside the view")
        let oddities = unsafe memory.pointee.oddities
        let value = unsafe findValue(view.base, from: start, last: LineFinder.lastBlock(of: view), oddities)
        return value.lineEnd == start && view.count &- start <= ByteView.tailCapacity
            ? unsafe findLastValue(view.base, from: start, to: view.count, oddities) : value
    }

    /// The line with `index`, one of those found last.
    @inlinable
    package subscript(index: Int) -> FoundURI {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: Self.capacity), "index outside the finder")
            return unsafe foundURI(memory, index)
        }
    }

    /// Where to go on: lines after a line feed at or after this have not been looked at.
    @inlinable @inline(__always)
    package var next: Int { unsafe memory.pointee.next }
}

extension FoundURI {
    /// Whether no more is known of it than where its line begins.
    @inlinable package var isOdd: Bool { @inline(__always) get { form == bytescan_uri_odd } }
}
