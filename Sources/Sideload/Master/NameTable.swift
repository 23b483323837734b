internal import ByteScan

/// Names in order of arrival, each found by its bytes, of equal ones the first. No name is ever removed alone.
///
/// A name takes 16 bytes and 24 in the tree. With the 24 that a group takes besides, that is the 64 bytes that a group
/// counts for (``SideloadLimits/heldRenditions``), so the table needs no limit of its own.
struct NameTable: ~Copyable {
    private var names = ReusableBuffer<TextArena.Span>()
    private var tree = NameTree()

    var count: Int { names.count }

    /// The name of that number.
    subscript(number: Int) -> TextArena.Span { names[number] }

    /// The number of the first name equal to `name`.
    func number(of name: ByteView, in text: borrowing TextArena) -> Int? {
        guard let number = tree.closest(to: name), text.view(names[number]) == name else { return nil }
        return number
    }

    /// Adds `name`; its number is the count before.
    mutating func append(_ name: TextArena.Span, in text: borrowing TextArena) {
        let bytes = text.view(name)
        let closest = tree.closest(to: bytes).map { text.view(names[$0]) }
        tree.insert(names.count, named: bytes, beside: closest)
        names.append(name)
    }

    mutating func removeAll() {
        names.removeAll()
        tree.removeAll()
    }
}
