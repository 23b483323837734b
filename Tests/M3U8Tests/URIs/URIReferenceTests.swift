import ByteScan
import M3U8
import Support
import Testing

@Suite struct URIReferenceTests {
    @Test(arguments: [
        Parts("", path: ""),
        Parts("a/b.ts", path: "a/b.ts"),
        Parts("https://a.example/b?c#d", "https", "a.example", path: "/b", "c", "d", host: "a.example"),
        Parts("https://a.example", "https", "a.example", path: "", host: "a.example"),
        Parts("//a.example/b", nil, "a.example", path: "/b", host: "a.example"),
        Parts("file:///b", "file", "", path: "/b", host: ""),
        Parts("urn:a:b", "urn", path: "a:b"),
        Parts("?", path: "", ""),
        Parts("#", path: "", nil, ""),
        Parts("?#", path: "", "", ""),
        Parts("a?b?c#d#e?f", path: "a", "b?c", "d#e?f"),
        Parts("a#b?c", path: "a", nil, "b?c"),
        Parts("http://a?b/c", "http", "a", path: "", "b/c", host: "a"),
        Parts("http://a#b/c", "http", "a", path: "", nil, "b/c", host: "a"),
        Parts("/a//b", path: "/a//b"),
        Parts("a//b", path: "a//b"),
        Parts("http:a//b", "http", path: "a//b"),
        Parts("http:/a//b", "http", path: "/a//b"),
        Parts("z39.50+x-y:a", "z39.50+x-y", path: "a"),
        Parts("1a:b", path: "1a:b"),
        Parts(":a", path: ":a"),
        Parts("{$base}:a", path: "{$base}:a"),
        Parts("a_b:c", path: "a_b:c"),
        Parts("a/b:c", path: "a/b:c"),
        Parts("http://u:p@h:80/", "http", "u:p@h:80", path: "/", host: "h"),
        Parts("http://u@v@h/", "http", "u@v@h", path: "/", host: "h"),
        Parts("http://@h:", "http", "@h:", path: "", host: "h"),
        Parts("http://:80/", "http", ":80", path: "/", host: ""),
        Parts("http://u@/", "http", "u@", path: "/", host: ""),
        Parts("http://[2001:db8::1]:80/", "http", "[2001:db8::1]:80", path: "/", host: "[2001:db8::1]"),
        Parts("http://u@[::1]", "http", "u@[::1]", path: "", host: "[::1]"),
        Parts("http://[::1/", "http", "[::1", path: "/", host: "[::1"),
        Parts("http://h:{$port}/a", "http", "h:{$port}", path: "/a", host: "h"),
    ])
    func isTakenApart(_ parts: Parts) {
        withReference(parts.text) { reference in
            let bytes = reference.bytes
            #expect(text(bytes, reference.scheme) == parts.scheme)
            #expect(text(bytes, reference.authority) == parts.authority)
            #expect(text(bytes, reference.path) == parts.path)
            #expect(text(bytes, reference.query) == parts.query)
            #expect(text(bytes, reference.fragment) == parts.fragment)
            #expect(text(bytes, reference.host) == parts.host)
        }
    }

    @Test(arguments: [
        ("data:text/plain,a", true), ("DaTa:,", true), ("data:", true), ("data", false), ("datas:a", false),
        ("dat:a", false), ("./data:a", false), ("http://data:80/", false), ("$ata:a", false),
    ])
    func dataIsKnown(_ uri: String, _ isData: Bool) {
        withReference(uri) { #expect($0.isData == isData) }
    }

    @Test(arguments: [
        ("{$a}", true), ("https://{$host}/a", true), ("a?b={{$c}", true), ("{$", true), ("{", false), ("{a$}", false),
        ("${a}", false), ("", false), ("a{", false),
    ])
    func variablesAreKnown(_ uri: String, _ holdsVariable: Bool) {
        withReference(uri) { #expect($0.holdsVariable == holdsVariable) }
    }

    /// No byte string traps, none is read outside of, and the ranges cover it in order.
    @Test func everyByteIsCarried() {
        var generator = SeededGenerator(seed: 3986)
        let delimiters = Array("a:/?#@[]{$%.".utf8) + [0, 0x0A, 0xFF, 0x80]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...90, using: &generator)
            let bytes = (0..<count).map { _ in delimiters.randomElement(using: &generator) ?? 0 }
            let guarded = GuardedBytes(bytes)
            for buffer in [guarded.buffer, guarded.leadingBuffer] {
                let reference = URIReference(ByteView(buffer))
                let naive = NaiveURI(bytes)
                #expect(naive.text == bytes)
                #expect(reference.scheme.map { Array(bytes[$0]) } == naive.scheme)
                #expect(reference.authority.map { Array(bytes[$0]) } == naive.authority)
                #expect(Array(bytes[reference.path]) == naive.path)
                #expect(reference.query.map { Array(bytes[$0]) } == naive.query)
                #expect(reference.fragment.map { Array(bytes[$0]) } == naive.fragment)
                if let host = reference.host, let authority = reference.authority {
                    #expect(host.clamped(to: authority) == host)
                }
                _ = (reference.isData, reference.holdsVariable)
            }
        }
    }

    struct Parts: Sendable, CustomTestStringConvertible {
        let text, path: String
        let scheme, authority, query, fragment, host: String?
        var testDescription: String { text }

        init(
            _ text: String, _ scheme: String? = nil, _ authority: String? = nil, path: String, _ query: String? = nil,
            _ fragment: String? = nil, host: String? = nil
        ) {
            (self.text, self.path, self.scheme, self.authority) = (text, path, scheme, authority)
            (self.query, self.fragment, self.host) = (query, fragment, host)
        }
    }
}

/// The reference of `text`, against a guard page.
func withReference<Result>(_ text: String, _ body: (URIReference) -> Result) -> Result {
    withReference(Array(text.utf8), body)
}

func withReference<Result>(_ bytes: [UInt8], _ body: (URIReference) -> Result) -> Result {
    let guarded = GuardedBytes(bytes)
    return withExtendedLifetime(guarded) { body(URIReference(ByteView(guarded.buffer))) }
}

private func text(_ bytes: ByteView, _ range: Range<Int>?) -> String? {
    range.map { String(decoding: bytes[$0].buffer, as: UTF8.self) }
}
