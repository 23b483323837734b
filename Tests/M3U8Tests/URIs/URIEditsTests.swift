import ByteScan
import M3U8
import Testing

@Suite struct URIEditsTests {
    @Test(arguments: [
        ("http://a/b", "https://a/b"), ("HTTP:", "https:"), ("a/b", "a/b"), ("//a/b", "//a/b"), ("", ""),
        ("data:,a", "data:,a"), ("1:b", "1:b"), ("x:y:z", "https:y:z"),
    ])
    func replacesTheScheme(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(scheme: "https"))
    }

    @Test(arguments: [
        ("http://a/b", "http://c.example/b"), ("//a", "//c.example"),
        ("http://u:p@a:80/b?d#e", "http://u:p@c.example:80/b?d#e"),
        ("http://[::1]:80", "http://c.example:80"), ("file:///b", "file://c.example/b"),
        ("http://a:", "http://c.example:"),
        ("a/b", "a/b"), ("urn:a", "urn:a"), ("", ""), ("data://a/b", "data://a/b"),
        ("http://{$h}/b", "http://c.example/b"),
    ])
    func replacesTheHost(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(host: "c.example"))
    }

    @Test(arguments: [
        ("a", "a?k=v"), ("", "?k=v"), ("a?", "a?k=v"), ("a?b=c", "a?b=c&k=v"), ("a?b&", "a?b&k=v"), ("a#f", "a?k=v#f"),
        ("a?b#f?g", "a?b&k=v#f?g"), ("a?#", "a?k=v#"), ("http://a", "http://a?k=v"), ("data:,a", "data:,a"),
        ("a\u{FF}?\"", "a\u{FF}?\"&k=v"),
    ])
    func appendsAQueryItem(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(queryItem: "k=v"))
    }

    @Test(arguments: [
        ("http://u@a:8/b?c#d", "skd://u@[::1]:8/b?c&k=v#d"), ("//a", "//[::1]?k=v"), ("x:", "skd:?k=v"), ("a", "a?k=v"),
    ])
    func editsTogether(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(scheme: "skd", host: "[::1]", queryItem: "k=v"))
    }

    @Test(arguments: ["", "data:,a", "http://a/b?c#d"])
    func noEditsChangeNothing(_ uri: String) throws { try expect(uri, uri, URIEdits()) }

    @Test(arguments: [("", 0), ("1a", 0), ("a:", 1), ("a/", 1), ("http s", 4), ("é", 0), ("-a", 0)])
    func refusesSchemes(_ scheme: String, _ position: Int) {
        #expect(throws: URIEditError(.scheme, at: position)) { try URIEdits(scheme: scheme) }
    }

    @Test(arguments: [
        ("", 0), ("a:80", 1), ("u@a", 1), ("a/b", 1), ("a b", 1), ("a%zz", 1), ("a%2", 1), ("a\"", 1), ("[", 1),
        ("[]", 2),
        ("[::1", 3), ("[::1]:80", 4), ("a{$b}", 1), ("a\n", 1), ("é", 0), ("a#", 1), ("a?", 1),
    ])
    func refusesHosts(_ host: String, _ position: Int) {
        #expect(throws: URIEditError(.host, at: position)) { try URIEdits(host: host) }
    }

    @Test(arguments: ["a", "127.0.0.1", "[2001:db8::1]", "[v1.a:b]", "a%41b", "x_y~z.example."])
    func acceptsHosts(_ host: String) throws { try expect("//b", "//" + host, URIEdits(host: host)) }

    @Test(arguments: [
        ("", 0), ("a=b c", 3), ("a#b", 1), ("a\"", 1), ("a=%", 2), ("a=%4", 2), ("a={$b}", 2), ("a\r", 1), ("é=1", 0),
        ("a[0]", 1),
    ])
    func refusesQueryItems(_ item: String, _ position: Int) {
        #expect(throws: URIEditError(.queryItem, at: position)) { try URIEdits(queryItem: item) }
    }

    @Test(arguments: ["a", "a=", "=", "a=b&c=d", "a=/?:@!$'()*+,;%20~"])
    func acceptsQueryItems(_ item: String) throws { try expect("b", "b?" + item, URIEdits(queryItem: item)) }

    private func expect(_ uri: String, _ expected: String, _ edits: URIEdits) {
        withReference(uri) { reference in
            var output = ReusableBuffer<UInt8>()
            output.append(ASCII.hash)
            edits.write(reference, into: &output)
            #expect(String(decoding: output.view.buffer, as: UTF8.self) == "#" + expected)
            #expect(edits.apply(to: reference) == (uri != expected))
        }
    }
}
