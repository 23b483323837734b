import ByteScan
import Support
import Testing

@Suite struct NameTreeTests {
    /// The number that the tree finds for `name` among `names`.
    private static func number(of name: [UInt8], in names: [[UInt8]], _ tree: borrowing NameTree) -> Int? {
        name.withUnsafeBytes { name in tree.closest(to: ByteView(name)) }.flatMap { names[$0] == name ? $0 : nil }
    }

    private static func add(_ name: [UInt8], to names: inout [[UInt8]], _ tree: inout NameTree) {
        let closest = name.withUnsafeBytes { tree.closest(to: ByteView($0)) }.map { names[$0] }
        name.withUnsafeBytes { bytes in
            if let closest {
                closest.withUnsafeBytes { tree.insert(names.count, named: ByteView(bytes), beside: ByteView($0)) }
            } else {
                tree.insert(names.count, named: ByteView(bytes), beside: nil)
            }
        }
        names.append(name)
    }

    /// Names of few different bytes, beginnings of each other and equal ones among them: the first equal one is found.
    @Test func findsTheFirstOfItsName() {
        var generator = SeededGenerator(seed: 12)
        var tree = NameTree()
        for _ in 0..<200 {
            tree.removeAll()
            var names: [[UInt8]] = []
            for _ in 0..<60 {
                let name = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    [0, 1, 0x80, 0xFF][Int.random(in: 0..<4, using: &generator)] as UInt8
                }
                #expect(Self.number(of: name, in: names, tree) == names.firstIndex(of: name))
                Self.add(name, to: &names, &tree)
                #expect(Self.number(of: name, in: names, tree) == names.firstIndex(of: name))
            }
            for name in names { #expect(Self.number(of: name, in: names, tree) == names.firstIndex(of: name)) }
        }
    }

    @Test func anEmptyTreeFindsNothing() {
        let tree = NameTree()
        #expect(tree.closest(to: ByteView("a")) == nil)
    }
}
