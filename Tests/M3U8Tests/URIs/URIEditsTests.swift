import ByteScan
import M3U8
import Testing

@Suite struct URIEditsTests {
    @Test(arguments: [
        ("http://a/b", "https://a/b"), ("HTTP:", "https:"), ("a/b", "a/b"), ("//a/b", "//a/b"), ("", ""),
        ("data:,a", "data:,a"), ("1:b", "1:b"), ("x:y:z", "x:y:z"), ("skd://k/1", "skd://k/1"),
        ("urn:uuid:1", "urn:uuid:1"), ("hTTps://a", "ftp://a"), ("httpx://a", "httpx://a"), ("htt://a", "htt://a"),
    ])
    func replacesTheScheme(_ uri: String, _ expected: String) throws {
        let scheme = expected.hasPrefix("ftp") ? "ftp" : "https"
        try expect(uri, expected, URIEdits(scheme: scheme))
    }

    /// What the caller names is replaced in the stead of http and https, and has its host and its query changed like theirs.
    @Test(arguments: [
        ("skd://k/1?a", "https://c/1?a&k=v"), ("SKD://k", "https://c?k=v"), ("skd:k", "https:k?k=v"),
        ("http://a/b", "http://c/b?k=v"), ("a", "a?k=v"), ("urn:a", "urn:a"), ("skd2://k", "skd2://k"),
        ("data:,a", "data:,a"),
    ])
    func replacesASchemeThatIsNamed(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(scheme: "https", replacing: "sKd", host: "c", queryItem: "k=v"))
    }

    @Test(arguments: ["skd://k/1", "urn:uuid:1", "SKD://k", "data://a/b", "ftp://a/b", "x-app:y"])
    func otherSchemesAreLeftAlone(_ uri: String) throws {
        try expect(uri, uri, URIEdits(scheme: "http", host: "c", queryItem: "k=v"))
        try expect("data:,a", "data:,a", URIEdits(scheme: "http", replacing: "data", host: "c", queryItem: "k=v"))
    }

    @Test(arguments: [
        ("http://a/b", "http://c.example/b"), ("//a", "//c.example"),
        ("http://u:p@a:80/b?d#e", "http://u:p@c.example/b?d#e"),
        ("http://[::1]:80", "http://c.example"), ("file:///b", "file:///b"), ("http:///b", "http://c.example/b"),
        ("http://a:", "http://c.example"), ("http://[::1", "http://c.example"), ("skd://a:1/b", "skd://a:1/b"),
        ("a/b", "a/b"), ("urn:a", "urn:a"), ("", ""), ("data://a/b", "data://a/b"),
        ("http://{$h}/b", "http://c.example/b"),
    ])
    func replacesTheHost(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(host: "c.example"))
    }

    /// A port comes in with the host, and the old one goes.
    @Test(arguments: [
        ("http://a/b", "http://c:8080/b"), ("https://u@a:80?d", "https://u@c:8080?d"), ("//a:", "//c:8080"),
        ("a:80", "a:80"),
    ])
    func replacesTheHostAndThePort(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(host: "c:8080"))
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
        ("http://u@a:8/b?c#d", "skd://u@[::1]/b?c&k=v#d"), ("//a", "//[::1]?k=v"), ("http:", "skd:?k=v"),
        ("a", "a?k=v"),
        ("x:", "x:"),
    ])
    func editsTogether(_ uri: String, _ expected: String) throws {
        try expect(uri, expected, URIEdits(scheme: "skd", host: "[::1]", queryItem: "k=v"))
    }

    /// What is put in the place of http:// and https:// tells which of them it was.
    @Test(arguments: [
        ("http://a/b?c#d", "x-http://a/b?c#d"), ("https://u@a:1", "http://h/https/u@a:1"),
        ("HTTPS://a", "http://h/https/a"), ("HTTP:///a", "x-http:///a"), ("http:a", "http:a"), ("//a/b", "//a/b"),
        ("a/b", "a/b"), ("skd://a", "skd://a"), ("httpsx://a", "httpsx://a"), ("data:,http://a", "data:,http://a"),
        ("", ""),
    ])
    func replacesHTTP(_ uri: String, _ expected: String) throws {
        let edits = try URIEdits(replacingHTTP: Array("x-http://".utf8), https: Array("http://h/https/".utf8))
        expect(uri, expected, edits)
    }

    @Test(arguments: [("", 0), ("a", 1), ("1:", 0), ("a_b://", 1), ("a://b c", 5), ("a://{", 4), (":", 0)])
    func refusesAddresses(_ address: String, _ position: Int) {
        let (right, wrong) = (Array("a:".utf8), Array(address.utf8))
        #expect(throws: URIEditError(.address, at: position)) { try URIEdits(replacingHTTP: wrong, https: right) }
        #expect(throws: URIEditError(.address, at: position)) { try URIEdits(replacingHTTP: right, https: wrong) }
    }

    @Test(arguments: ["", "data:,a", "http://a/b?c#d"])
    func noEditsChangeNothing(_ uri: String) throws { try expect(uri, uri, URIEdits()) }

    @Test(arguments: [("", 0), ("1a", 0), ("a:", 1), ("a/", 1), ("http s", 4), ("é", 0), ("-a", 0)])
    func refusesSchemes(_ scheme: String, _ position: Int) {
        #expect(throws: URIEditError(.scheme, at: position)) { try URIEdits(scheme: scheme) }
    }

    @Test(arguments: [
        ("", 0), ("a:", 2), ("a:8x", 3), ("a:-1", 2), ("a:65536", 6), ("a:8:8", 3), (":80", 0), ("u@a", 1),
        ("u:p@a", 2), ("a/b", 1), ("a b", 1), ("a%zz", 1), ("a%2", 1), ("a\"", 1), ("[", 1),
        ("[]", 2),
        ("[::1", 3), ("[::1]:", 6), ("[::1]80", 5), ("[]:80", 2), ("a{$b}", 1), ("a\n", 1), ("é", 0), ("a#", 1),
        ("a?", 1),
    ])
    func refusesHosts(_ host: String, _ position: Int) {
        #expect(throws: URIEditError(.host, at: position)) { try URIEdits(host: host) }
    }

    @Test(arguments: [
        "a", "127.0.0.1", "[2001:db8::1]", "[v1.a:b]", "a%41b", "a:0", "a:65535", "[::1]:443", "a%41:1",
        "x_y~z.example.",
    ])
    func acceptsHosts(_ host: String) throws { try expect("//b", "//" + host, URIEdits(host: host)) }

    /// Each place between brackets has what an IPv6 address may have.
    @Test(arguments: 1...4)
    func faultsInBrackets(place: Int) throws {
        var host = Array("[abcd]:80".utf8)
        host[place] = ASCII.slash
        #expect(throws: URIEditError(.host, at: place)) { try URIEdits(host: String(decoding: host, as: UTF8.self)) }
    }

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
