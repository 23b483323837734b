import ByteScan
import M3U8
import Support
import Testing

@Suite struct URIResolutionTests {
    /// RFC 3986 5.4.1.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
    ])
    func normalExample(_ reference: String, _ target: String) {
        #expect(resolve(reference, against: "http://a/b/c/d;p?q") == target)
    }

    /// RFC 3986 5.4.2.
    @Test(arguments: [
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func abnormalExample(_ reference: String, _ target: String) {
        #expect(resolve(reference, against: "http://a/b/c/d;p?q") == target)
    }

    @Test(arguments: [
        // A host without a path has its root.
        ("g", "http://a", "http://a/g"), ("?y", "http://a", "http://a?y"), ("../g", "http://a", "http://a/g"),
        ("", "http://a#s", "http://a"), ("", "http://a/b?", "http://a/b?"), ("#", "http://a/b?q#s", "http://a/b?q#"),
        // Slashes in the base's query are no path.
        ("g", "http://a/b?c/d/e", "http://a/g"), ("g", "http://a/b/#c/d", "http://a/b/g"),
        // Empty segments are segments.
        ("../g", "http://a/b//c", "http://a/b/g"), ("g//../h", "http://a/b/", "http://a/b/g/h"),
        // User information and port come along.
        ("/g", "http://u:p@a:8/b", "http://u:p@a:8/g"), ("//g/./h", "https://a/b", "https://g/h"),
        // The scheme's absolute references lose their dot segments, `data:` URIs lose nothing.
        ("x://h/a/../b", "http://a/b", "x://h/b"), ("data:,a/../b", "http://a/b", "data:,a/../b"),
        ("g", "file:///a/b", "file:///a/g"), ("b", "urn:a", "urn:b"), ("../b", "x:a/c", "x:/b"),
        // Bytes of no URI are bytes of the path.
        ("a b\"<é>%zz", "http://a/b/c", "http://a/b/a b\"<é>%zz"), ("{$p}/../x", "http://a/b", "http://a/{$p}/../x"),
        ("c/../{$p}/../x", "http://a/b/", "http://a/b/{$p}/../x"), ("../c{$p}", "http://a/b/", "http://a/c{$p}"),
        // What would turn into an authority or a scheme is kept from it.
        ("/.//g", "x:/a", "x:/.//g"), ("a/..//g", "x:b", "x:/.//g"), ("..//g", "x:a", "x:/g"), ("./a:b", "c", "./a:b"),
        ("./a:b", "x:c", "x:a:b"),
        ("/.//g", "http://a", "http://a//g"), ("x/../a:b", "c", "/a:b"), ("./a/b:c", "c", "a/b:c"),
    ])
    func resolves(_ reference: String, _ base: String, _ target: String) {
        #expect(resolve(reference, against: base) == target)
    }

    /// Every reference of up to five bytes of an alphabet of delimiters, against bases of every kind.
    @Test func agreesWithTheAlgorithmOfTheRFC() {
        let bases = ["http://a/b/c/d;p?q", "http://a", "x:a/b", "x:", "x:/", "a/b", "/a//", "", "//a/..", "?q#s"]
        let alphabet = Array("a./:?#".utf8)
        var texts: [[UInt8]] = [[]]
        for start in [0, 1, 7, 43, 259] { texts += texts[start...].flatMap { text in alphabet.map { text + [$0] } } }
        #expect(texts.count == 1 + 6 + 36 + 216 + 1296 + 7776)
        var output = ReusableBuffer<UInt8>()
        var differences: [String] = []
        for (index, text) in texts.enumerated() {
            // Six bases take turns with each reference of full length, to keep the time.
            for base in text.count < 5 ? bases : [bases[index % bases.count]] {
                let base = Array(base.utf8)
                output.removeAll()
                text.withUnsafeBytes { textBytes in
                    base.withUnsafeBytes { baseBytes in
                        URIReference(ByteView(textBytes))
                            .writeResolved(against: URIReference(ByteView(baseBytes)), into: &output)
                    }
                }
                let naive = NaiveURI(text).resolved(against: NaiveURI(base))
                // The algorithm's own text, unless it would be no URI or another one: then its path has a guard.
                var expected = naive
                let firstSegment = naive.path.prefix { $0 != UInt8(ascii: "/") }
                if naive.authority == nil, naive.path.starts(with: "//".utf8) {
                    expected.path = Array("/.".utf8) + naive.path
                } else if naive.authority == nil, naive.scheme == nil, firstSegment.contains(ASCII.colon) {
                    expected.path = Array("./".utf8) + naive.path
                }
                #expect(NaiveURI(expected.text) == expected)
                if Array(output.view.buffer) != expected.text {
                    differences.append(
                        "\(String(decoding: text, as: UTF8.self)) of \(String(decoding: base, as: UTF8.self))")
                }
            }
        }
        #expect(differences.prefix(20) == [])
    }

    /// The output is appended to what is there, whose slashes and dots are none of its path's.
    @Test func appends() {
        var output = ReusableBuffer<UInt8>()
        output.append(ByteView("/a/b/"))
        withReference("../../../c") { reference in
            withReference("d/e") { reference.writeResolved(against: $0, into: &output) }
        }
        #expect(output.view == "/a/b//c")
    }

    private func resolve(_ reference: String, against base: String) -> String {
        var output = ReusableBuffer<UInt8>()
        withReference(reference) { reference in
            withReference(base) { reference.writeResolved(against: $0, into: &output) }
        }
        return String(decoding: output.view.buffer, as: UTF8.self)
    }
}
