import Testing

@testable import Delivery
@testable import surtitle

/// The beginning of an answer as curl hands it out.
@Suite struct CurlHeadTests {
    /// A head as it was read: its status, where Location leads, Content-Length and how long it is itself.
    private struct Read: Equatable {
        var status: Int
        var location: String?
        var contentLength: Int?
        var count: Int
    }

    /// What `text` begins with; nil if it has not ended.
    private func read(_ text: String) throws -> Read? {
        var count = -1
        guard let head = try CurlHead(Array(text.utf8), count: &count) else { return nil }
        let location = head.location.map { String(decoding: $0, as: UTF8.self) }
        return Read(status: head.status, location: location, contentLength: head.fields.contentLength, count: count)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\n", 200, nil, nil), ("HTTP/2 206 \n\n", 206, nil, nil),
        ("HTTP/1.1 302 Found\r\nLOCATION: \t/a b \r\nlocation: /c\r\n\r\n", 302, "/a b", nil),
        ("HTTP/1.1 200 OK\nno field\nContent-Length: 5 \nLocation:\n\n", 200, "", 5),
        // What comes before the answer itself is passed over, with its fields.
        (
            "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 199 E\r\nLocation: /a\r\nContent-Length: 9\r\n\r\nHTTP/2 200 \r\n\r\n", 200,
            nil, nil
        ),
        ("HTTP/1.1 099 \n\n", 99, nil, nil),
    ])
    func heads(_ head: String, _ status: Int, _ location: String?, _ contentLength: Int?) throws {
        for body in ["", "b", "\nHTTP/1.1 100 C\n\n"] {
            let expected = Read(
                status: status, location: location, contentLength: contentLength, count: head.utf8.count)
            #expect(try read(head + body) == expected)
        }
        for count in 0..<head.utf8.count { #expect(try read(String(head.prefix(utf8: count))) == nil) }
    }

    @Test(arguments: [
        "h", "HTTPS", "HTTP:", "\n", "\r\n", "nonsense\n\n", "HTTP/1.1\n\n", "HTTP/1.1 20 OK\n\n",
        "HTTP/1.1 2000 OK\n\n",
        "HTTP/1.1 2x0 OK\n\n", "HTTP 200 OK\n\n", "HTTP/1.1 100 C\n\nx", "HTTP/1.1 100 C\n\n\n",
    ])
    func whatIsNone(_ text: String) { #expect(throws: CurlHead.Malformed.self) { try read(text) } }

    /// A head that has not ended after 256 KiB is none.
    @Test func aHeadIsBounded() throws {
        let start = "HTTP/1.1 200 OK\r\nA: b\r\nHTTP/"
        let longest = start + String(repeating: "x", count: 262_144 - start.utf8.count)
        #expect(try read(longest) == nil)
        #expect(throws: CurlHead.Malformed.self) { try read(longest + "x") }
    }
}

extension String {
    /// The first `count` bytes of a text in ASCII.
    fileprivate func prefix(utf8 count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }
}
