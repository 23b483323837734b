import ByteScan
import CByteScan
import Support
import Testing

/// The search for URIs. Every form of its kernels is checked against a naive one in Tests/Kernels.
@Suite struct URIFinderTests {
    private static func finder() -> URIFinder { URIFinder(oddities: URIOddities(dots: true, at: true)) }

    @Test(
        arguments: [
            ("a.ts", [0, 4, 0], bytescan_uri_relative, false), ("/a.ts?q", [0, 7, 0], bytescan_uri_rooted, true),
            ("http://h/x", [0, 10, 8], bytescan_uri_http, false), ("https://h", [0, 9, 9], bytescan_uri_https, false),
            ("./a.ts", nil, bytescan_uri_odd, false), ("u@a", nil, bytescan_uri_odd, false),
            ("", nil, bytescan_uri_odd, false), ("#a", nil, bytescan_uri_odd, false),
        ] as [(String, [Int]?, URIForm, Bool)])
    func judges(_ line: String, _ places: [Int]?, _ form: URIForm, _ hasQuery: Bool) {
        let guarded = GuardedBytes(Array(line.utf8))
        var finder = Self.finder()
        let uri = finder.judge(ByteView(guarded.buffer))
        #expect(uri.form == form && uri.isOdd == (places == nil))
        // Of an odd one only where it begins is said.
        #expect([uri.start, uri.end, uri.path] == places ?? [0, 0, 0] && uri.hasQuery == hasQuery)
    }

    /// A line that does not end in the copy, with its line feed, is odd.
    @Test(arguments: [(191, false), (192, true), (193, true), (400, true)]) func longLines(_ count: Int, _ isOdd: Bool)
    {
        let guarded = GuardedBytes(Array("a/".utf8) + [UInt8](repeating: 0x62, count: count - 2))
        var finder = Self.finder()
        let uri = finder.judge(ByteView(guarded.buffer))
        #expect(
            uri.isOdd == isOdd && uri.end == (isOdd ? 0 : count) && [uri.start, uri.path] == [0, 0] && !uri.hasQuery)
    }

    /// URIs in lists: at any place, and if their line ends in the last bytes of a view, of which 192 are gone over.
    @Test(
        arguments: [
            (":URI=\"k\"\n", 0, [6, 7, 8]), (":URI=\"k\"\n", 100, [6, 7, 8]),
            (":A=1,URI=\"k/1\",B=2\r\n", 0, [10, 13, 19]),
            (":URI=\"k\",A=" + String(repeating: "a", count: 180) + "\n", 0, [6, 7, 191]),
            (":URI=\"k\",A=" + String(repeating: "a", count: 181) + "\n", 0, nil),
            (":URI=\"k\",A=" + String(repeating: "a", count: 181) + "\n", 100, [6, 7, 192]),
            (":URI=\"k\"", 0, nil), (":URI=k\n", 0, [-1, -1, 6]), (":A=1\n", 0, [-1, -1, 4]),
        ] as [(String, Int, [Int]?)])
    func values(_ list: String, _ after: Int, _ places: [Int]?) {
        for before in [0, 1, 64] {
            let bytes =
                [UInt8](repeating: 0x7A, count: before) + Array(list.utf8) + [UInt8](repeating: 0x7A, count: after)
            let guarded = GuardedBytes(bytes)
            let value = Self.finder().value(in: ByteView(guarded.buffer), from: before)
            let uri = value.uri.isOdd ? [-1, -1] : [value.uri.start - before, value.uri.end - before]
            #expect(
                uri + [value.lineEnd - before] == places ?? [-1, -1, 0], "\(list) after \(before), before \(after)")
        }
    }

    /// Tags are found by their hashes, and lines in turns.
    @Test func tagsAndTurns() {
        let text = "#EXTM3U\n#EXT-X-KEY:A=1\na.ts\n#EXT-X-MAP:A=1\nb.ts\n" + String(repeating: "\n", count: 150)
        let guarded = GuardedBytes(Array(text.utf8))
        let view = ByteView(guarded.buffer)
        let hash = UInt64(1) << UInt64(headHash(Array("-X-KEY:A".utf8).withView { $0.word(at: 0) }))
        for (hashes, most, expected) in [
            (0, 32, [23, 43]), (hash, 32, [8, 23, 43]), (hash, 2, [8, 23]), (hash, 1, [8]),
            (.max, 32, [8, 23, 28, 43]),
        ] as [(UInt64, Int, [Int])] {
            var finder = Self.finder()
            let count = finder.find(in: view, from: 0, hashes: hashes, most: most)
            let starts = (0..<count).map { finder[$0].start }
            #expect(starts == expected)
            let next = finder.next
            #expect(count < most ? next >= 49 : next == [8: 22, 23: 42][expected.last ?? 0])
        }
    }

    @Test(arguments: 0...8) func misuseTraps(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            var finder = Self.finder()
            var unfinished = 0
            let (view, tooMany) = (ByteView("a\nb\n"), URIFinder.capacity + 1)
            switch number {
            case 0: _ = finder.find(in: view, from: -1, hashes: 0, most: 1)
            case 1: _ = finder.find(in: view, from: 0, hashes: 0, most: 0)
            case 2: _ = finder.find(in: view, from: 0, hashes: 0, most: tooMany)
            case 3: _ = finder.findLast(in: view, from: 0, hashes: 0, most: 0, unfinished: &unfinished)
            case 4: _ = finder.findLast(in: view, from: 0, hashes: 0, most: tooMany, unfinished: &unfinished)
            case 5: _ = finder.value(in: view, from: 5)
            case 6: _ = finder.value(in: view, from: -1)
            case 7: _ = finder[URIFinder.capacity]
            default: _ = finder[-1]
            }
        }
    }
}
