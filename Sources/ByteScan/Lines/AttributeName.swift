public import CByteScan

extension AttributeName {
    /// The name for a search, of these bytes. Nil if there is none, or if it is longer than the search compares.
    package init?(_ name: ByteView) {
        guard let first = name.first, let last = name.last, name.count <= Int(bytescan_longest_name) else { return nil }
        self.init(prefix: LinePrefix(Array(name)), count: name.count, first: first, last: last)
    }
}

extension FoundAttribute {
    /// Whether the list has to be looked at in another way.
    @inlinable package var isOdd: Bool { @inline(__always) get { state == bytescan_attribute_odd } }

    /// Whether the attribute is there.
    @inlinable package var isThere: Bool { @inline(__always) get { state == bytescan_attribute_there } }
}

extension ByteView {
    /// Looks for an attribute in the list that begins at the colon at `start`: see kernels/find_attribute.h.
    @inlinable @inline(__always)
    package func findAttribute(_ name: AttributeName, from start: Int) -> FoundAttribute {
        precondition(start >= 0 && start <= count, "list outside the view")
        return unsafe withUnsafePointer(to: name) {
            unsafe CByteScan.findAttribute(base, from: start, last: LineFinder.lastBlock(of: self), $0)
        }
    }
}
