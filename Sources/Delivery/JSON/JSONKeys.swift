internal import ByteScan

/// The keys of all objects of a text, to tell one that an object has twice.
///
/// A key is found together with the number of its object, so that one tree serves all objects. No choice of keys makes
/// it slow.
struct JSONKeys: ~Copyable {
    private var bytes = ReusableBuffer<UInt8>()
    /// Where the bytes of each key end.
    private var ends = ReusableBuffer<Int>()
    private var tree = NameTree()

    /// Notes a key of the object with this number; false if the object has it already.
    mutating func insert(_ key: ByteView, ofObject number: Int) -> Bool {
        let start = bytes.count
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        bytes.append(key)
        let name = bytes.view.suffix(from: start)
        let closest = tree.closest(to: name).map { self.name(at: $0) }
        if let closest, closest == name {
            bytes.truncate(to: start)
            return false
        }
        tree.insert(ends.count, named: name, beside: closest)
        ends.append(bytes.count)
        return true
    }

    private func name(at index: Int) -> ByteView { bytes.view[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}
