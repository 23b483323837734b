internal import ByteScan

// Names in order of arrival, each found by a hash table.
//
// A slot of the table has the number of a name, or is free. There are a power of two of them, at least twice as many as
// names. A search begins at the slot that the hash gives and ends at the first free one. Of equal names the first is
// found, because it came into the table first. No name is ever removed alone.
//
// A name takes 16 bytes and 8 to 16 in slots. With the 24 that a group takes besides, that is within the 64 bytes that
// a group counts for (SideloadLimits.heldRenditions), so the table needs no limit of its own. The hash has no seed.
// Names made to collide are found as slowly as without a table: with the default limit there are 4,096 at most, and a
// playlist of them passes at 23 MB/s instead of 237 (measured with 3,300 groups).
struct NameTable: ~Copyable {
    /// The number of a name, or nothing.
    private struct Slot: BitwiseCopyable {
        private let code: UInt32

        static var free: Slot { Slot(code: 0) }

        private init(code: UInt32) { self.code = code }

        init(number: Int) { code = UInt32(number + 1) }

        var number: Int? { code == 0 ? nil : Int(code) - 1 }
    }

    private var names = ReusableBuffer<TextArena.Span>()
    private var slots = ReusableBuffer<Slot>()

    var count: Int { names.count }

    /// The name of that number.
    subscript(number: Int) -> TextArena.Span { names[number] }

    /// The number of the first name equal to `name`.
    func number(of name: ByteView, in text: borrowing TextArena) -> Int? {
        guard !names.isEmpty else { return nil }
        var index = Self.hash(name)
        while let number = slots[index & (slots.count - 1)].number {
            if text.view(names[number]) == name { return number }
            index &+= 1
        }
        return nil
    }

    /// Adds `name`; its number is the count before.
    mutating func append(_ name: TextArena.Span, in text: borrowing TextArena) {
        names.append(name)
        if names.count * 2 > slots.count { grow(text) } else { fillSlot(for: names.count - 1, text) }
    }

    mutating func removeAll() {
        names.removeAll()
        slots.removeAll()
    }

    private mutating func grow(_ text: borrowing TextArena) {
        let count = max(16, slots.count * 2)
        slots.removeAll()
        for _ in 0..<count { slots.append(.free) }
        for number in 0..<names.count { fillSlot(for: number, text) }
    }

    private mutating func fillSlot(for number: Int, _ text: borrowing TextArena) {
        var index = Self.hash(text.view(names[number]))
        while slots[index & (slots.count - 1)].number != nil { index &+= 1 }
        slots[index & (slots.count - 1)] = Slot(number: number)
    }

    /// Eight bytes a step; the high bits, which depend on all of them, come down at the end.
    private static func hash(_ name: ByteView) -> Int {
        var hash = UInt64(truncatingIfNeeded: name.count)
        var offset = 0
        while offset < name.count {
            let word = name.suffix(from: offset).paddedWord
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash &>> 32
            offset += 8
        }
        return Int(truncatingIfNeeded: hash)
    }
}
