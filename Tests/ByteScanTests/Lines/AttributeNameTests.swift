import ByteScan
import CByteScan
import Support
import Testing

/// The search for one attribute. Every form of its kernel is checked against a naive one in Tests/Kernels.
@Suite struct AttributeNameTests {
    @Test(arguments: [(0, false), (1, true), (2, true), (31, true), (32, false)])
    func namesHaveALongest(_ count: Int, _ isName: Bool) {
        let bytes = (0..<count).map { 0x41 + UInt8($0) }
        let name = bytes.withView { AttributeName($0) }
        #expect((name != nil) == isName && name?.count == (isName ? count : nil))
        #expect(name?.first == (isName ? bytes.first : nil) && name?.last == (isName ? bytes.last : nil))
    }

    @Test(
        arguments: [
            ("BB", ":A=1,BB=\"x,y\",C=3\n", [8, 13, 17, 17]), ("A", ":A=1,BB=\"x,y\",C=3\r\n", [3, 4, 17, 18]),
            ("C", ":A=1,BB=\"x,y\",C=3\r\n", [16, 17, 17, 18]), ("B", ":A=1,BB=2\n", [] as [Int]),
            ("A", ":A=1,A=2\n", nil), ("A", ":A=1 ,B=2\n", nil), ("A", ":A=\"1\n", nil),
        ] as [(String, String, [Int]?)])
    func whereItStands(_ name: String, _ list: String, _ places: [Int]?) throws {
        let name = try #require(Array(name.utf8).withView { AttributeName($0) })
        for (before, after) in [(0, 96), (5, 96), (64, 200)] {
            let bytes =
                [UInt8](repeating: 0x7A, count: before) + Array(list.utf8) + [UInt8](repeating: 0x7A, count: after)
            let guarded = GuardedBytes(bytes)
            let found = ByteView(guarded.buffer).findAttribute(name, from: before)
            #expect(found.isOdd == (places == nil) && found.isThere == (places?.isEmpty == false))
            if let places, !places.isEmpty {
                let all = [found.value, found.stop, found.listEnd, found.lineEnd]
                #expect(all == places.map { before + $0 })
            }
        }
    }

    /// Only whole blocks with 32 bytes after them are looked at; of anything else nothing is known.
    @Test(arguments: [(96, false), (95, true), (5, true)]) func whatIsNotLookedAt(_ count: Int, _ isOdd: Bool) throws {
        let name = try #require(AttributeName(ByteView("A")))
        let guarded = GuardedBytes(Array((":A=1\n" + String(repeating: "z", count: count - 5)).utf8))
        let view = ByteView(guarded.buffer)
        #expect(view.findAttribute(name, from: 0).isOdd == isOdd && view.findAttribute(name, from: count).isOdd)
    }

    @Test(arguments: [-1, 1]) func aListOutsideOfTheViewTraps(_ excess: Int) async {
        await #expect(processExitsWith: .failure) { [excess] in
            guard let name = AttributeName(ByteView("A")) else { return }
            _ = ByteView(":A=1").findAttribute(name, from: excess < 0 ? -1 : 5)
        }
    }

    @Test(
        arguments: [
            ("A=1", [[1, 3]], true, false), ("A=1,BB=\"x,y\"", [[1, 3], [6, 12]], true, false),
            ("A,B=1", [[1, 1], [3, 5]], false, false), ("A= 1,", [[1, 4], [5, 5]], false, false),
            ("A=\"1", [[1, 4]], false, true),
        ] as [(String, [[Int]], Bool, Bool)])
    func splits(_ list: String, _ items: [[Int]], _ arePlain: Bool, _ isOpen: Bool) {
        for (before, after) in [(0, 0), (3, 1), (0, 100), (70, 64)] {
            let bytes =
                [UInt8](repeating: 0x3D, count: before) + Array(list.utf8) + [UInt8](repeating: 0x2C, count: after)
            let guarded = GuardedBytes(bytes)
            var found = ListItems()
            ByteView(guarded.buffer).splitAttributes(from: before, to: before + list.utf8.count, &found)
            let places = (0..<found.count).map { listItem(&found, $0) }.map { [$0.equals - before, $0.stop - before] }
            #expect(places == items && found.endsInsideQuotes == isOpen, "\(list) after \(before), before \(after)")
            // Where whole blocks can be read, plain lists are seen to be so.
            if after == 100 { #expect(found.arePlain == arePlain, "\(list)") }
        }
    }

    @Test(arguments: 0...2) func aSplitOutsideOfTheViewTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            var items = ListItems()
            let (start, end) = [(-1, 2), (3, 2), (0, 4)][number]
            ByteView("A=1").splitAttributes(from: start, to: end, &items)
        }
    }
}
