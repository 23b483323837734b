import ByteScan
import Delivery
import Testing

@testable import surtitle

/// Header fields that are given, and URLs that are written without a password.
@Suite struct WebAccessTests {
    @Test(arguments: [
        ("A: b", "A", "b"), ("A:\t b\tc ", "A", "b\tc"), ("A:", "A", ""), ("A:b:c", "A", "b:c"), ("A: é~", "A", "é~"),
        ("Ranges: x", "Ranges", "x"), ("!#$%&'*+-.^_`|~09: x", "!#$%&'*+-.^_`|~09", "x"),
    ])
    func fields(_ line: String, _ name: String, _ value: String) throws {
        var access = WebAccess()
        try access.add(line, "--header")
        try access.add("Z: z", "--header")
        #expect(access.headers.map { String(decoding: $0.name, as: UTF8.self) } == [name, "Z"])
        #expect(access.headers.map { String(decoding: $0.value, as: UTF8.self) } == [value, "z"])
    }

    @Test(
        arguments: ["", "A", ": b", "A b: c", "é: b"].map { ($0, "is no header field") }
            + ["A: b\u{1F}", "A: \u{7F}b", "A: b\0c"].map { ($0, "the value of A holds a control character") }
            + [
                "Range", "if-range", "ACCEPT-ENCODING", "Connection", "Content-Length", "Transfer-Encoding", "Expect",
                "host",
            ].map { ("\($0): b", "\($0) is said by surtitle itself") })
    func otherFieldsAreRefused(_ line: String, _ reason: String) {
        var access = WebAccess()
        let error = #expect(throws: Failure.self) { try access.add(line, "--header") }
        #expect(error?.message?.contains(reason) == true && error?.message?.hasPrefix("--header") == true)
        #expect(access.headers.isEmpty)
    }

    @Test(arguments: [
        ("http://h/a@b", "http://h/a@b"), ("http://me@h/a", "http://h/a"),
        ("https://me:x@y@h:8/a?b", "https://h:8/a?b"),
        ("http://@h", "http://h"), ("a@b/c", "a@b/c"), ("//me@h/a", "//h/a"),
    ])
    func credentialsAreNotWritten(_ url: String, _ written: String) {
        #expect(Web.withoutCredentials(url) == written)
    }

    @Test(arguments: [
        ("http://h", true), ("HTTPS://h/a", true), ("http:/a", false), ("http://", false), ("ftp://h/a", false),
        ("h/a", false), ("-", false), ("file:///a", false),
    ])
    func urlsAreThoseOfHTTP(_ text: String, _ isURL: Bool) { #expect(Web.isURL(text) == isURL) }

    /// Each request has two minutes, as the help says, unless the caller says otherwise.
    @Test func secondsUnlessSaid() throws {
        #expect(WebAccess().seconds == 120)
        let ran = try Ran("edit", "--help", in: Scratch())
        #expect(ran.text.contains("how long a request may take (120)"), "\(ran.text)")
    }
}

/// What curl is told.
@Suite struct CurlRequestTests {
    /// A connection gets as many seconds as the request, and 15 at most.
    @Test(arguments: [(1, 1), (15, 15), (16, 15), (120, 15)])
    func secondsAreBounded(_ seconds: Int, _ connecting: Int) throws {
        let fields = [HeaderLine("A", "b \"c\""), HeaderLine("E", "")]
        let request = try #require(CurlRequest(Array("http://h/".utf8), fields, seconds: seconds))
        let expected = """
            url = "http://h/"
            header = "A: b \\"c\\""
            header = "E;"
            proto = "=http,https"
            connect-timeout = "\(connecting)"
            max-time = "\(seconds)"
            globoff
            path-as-is
            include
            suppress-connect-headers
            no-buffer
            silent
            show-error

            """
        #expect(String(decoding: request.configuration, as: UTF8.self) == expected)
        for stray in ["\r", "\n", "\0"] {
            let field = HeaderLine(Array("A".utf8), Array("b\(stray)c".utf8))
            #expect(CurlRequest(Array("http://h/".utf8), [field], seconds: 9) == nil)
        }
    }
}
