// Names that are kept elsewhere, each found by its bytes.
//
// A tree of the bits in which names differ. An inner node says which bit tells its two sides apart; a leaf is the
// number of a name. Going down looks at one bit a node and never back, and ends at the only name that can be the one
// searched: the caller compares the two.
//
//     nodes      bit 2 of byte 0 ─┬─ "audio"
//                                 └─ bit 0 of byte 4 ─┬─ "subs"
//                                                     └─ "subs1"
//
// A byte has nine bits, of which the highest says that there is one: so a name and its beginning differ too. Bits come
// in order from the root down, so no way is longer than a name has bits, whatever names somebody chooses. A hash table
// has no such bound without a secret, and there is no source of secrets in Embedded Swift.
//
// A name costs 24 bytes, its own bytes aside.

/// Finds byte strings that are kept elsewhere by numbers.
package struct NameTree: ~Copyable {
    /// Where a way leads: to a node or to a name.
    package struct Link: BitwiseCopyable {
        fileprivate enum Target {
            case node(Int)
            case name(Int)
        }

        private let code: Int32

        fileprivate init(_ target: Target) {
            switch target {
            case .node(let index): code = Int32(truncatingIfNeeded: index)
            case .name(let number): code = ~Int32(truncatingIfNeeded: number)
            }
        }

        fileprivate var target: Target { code >= 0 ? .node(Int(code)) : .name(Int(~code)) }
    }

    /// The names on its left have the bit clear, those on its right have it set.
    ///
    /// Not private, because other modules free the buffer of nodes in line, and so refer to the type.
    package struct Node: BitwiseCopyable {
        fileprivate let offset: Int
        fileprivate let bit: UInt16
        fileprivate var left: Link
        fileprivate var right: Link

        fileprivate func isRight(_ name: ByteView) -> Bool { NameTree.symbol(of: name, at: offset) & bit != 0 }

        /// Whether the node stands above one that looks at `otherBit` of the byte at `otherOffset`.
        fileprivate func isAbove(_ otherOffset: Int, _ otherBit: UInt16) -> Bool {
            offset < otherOffset || (offset == otherOffset && bit > otherBit)
        }
    }

    private var nodes = ReusableBuffer<Node>()
    private var root: Link?

    package init() {}

    /// Forgets all names, and keeps the memory.
    package mutating func removeAll() {
        nodes.removeAll()
        root = nil
    }

    /// The number of the only name that can be equal to `name`; nil if there is no name at all.
    ///
    /// - Complexity: O(*n*) for a name of *n* bytes.
    package func closest(to name: ByteView) -> Int? {
        guard var link = root else { return nil }
        while true {
            switch link.target {
            case .name(let number): return number
            case .node(let index): link = nodes[index].isRight(name) ? nodes[index].right : nodes[index].left
            }
        }
    }

    /// Adds a name; `closest` is the one that ``closest(to:)`` gives for it. Of equal names the first stays.
    package mutating func insert(_ number: Int, named name: ByteView, beside closest: ByteView?) {
        guard let closest, let link = root else { return root = Link(.name(number)) }
        var offset = 0
        while offset < min(name.count, closest.count), name[offset] == closest[offset] { offset &+= 1 }
        let difference = Self.symbol(of: name, at: offset) ^ Self.symbol(of: closest, at: offset)
        guard difference != 0 else { return }
        let bit = UInt16(1) << UInt16(15 &- difference.leadingZeroBitCount)
        insert(Link(.name(number)), named: name, from: link, Node(offset: offset, bit: bit, left: link, right: link))
    }

    /// Puts a node like `model` in its place on the way of `name` from the root, `top`.
    private mutating func insert(_ new: Link, named name: ByteView, from top: Link, _ model: Node) {
        var parent: Int?
        var link = top
        while case .node(let index) = link.target, nodes[index].isAbove(model.offset, model.bit) {
            parent = index
            link = nodes[index].isRight(name) ? nodes[index].right : nodes[index].left
        }
        let isRight = model.isRight(name)
        nodes.append(
            Node(offset: model.offset, bit: model.bit, left: isRight ? link : new, right: isRight ? new : link))
        let added = Link(.node(nodes.count &- 1))
        guard let parent else { return root = added }
        if nodes[parent].isRight(name) { nodes[parent].right = added } else { nodes[parent].left = added }
    }

    /// The byte at `offset`, with a higher bit set; 0 if there is none.
    fileprivate static func symbol(of name: ByteView, at offset: Int) -> UInt16 {
        offset < name.count ? 0x100 | UInt16(name[offset]) : 0
    }
}
