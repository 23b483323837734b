import Testing

@testable import SideloadAVFoundation

/// What is judged of bytes that have come so far.
struct LoopbackHeadTests {
    private static let start = "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n"

    private func judge(_ text: String) -> LoopbackHead.Judgement { LoopbackHead.judge(Array(text.utf8), port: 80) }

    @Test func theHeadOfAGoodRequest() {
        let fields = [("Host", "127.0.0.1:80"), ("A", "b: c"), ("B", "")]
        let good = LoopbackHead(isHead: false, path: Array("/a".utf8), fields: fields)
        #expect(judge(Self.start + "A: \t b: c \t\r\nB:\r\n\r\n") == .good(good))
        // One that differs in anything is another.
        let others = [
            LoopbackHead(isHead: true, path: good.path, fields: fields),
            LoopbackHead(isHead: false, path: Array("/b".utf8), fields: fields),
            LoopbackHead(isHead: false, path: good.path, fields: [("Host", "127.0.0.1:80"), ("a", "b: c"), ("B", "")]),
            LoopbackHead(isHead: false, path: good.path, fields: [("Host", "127.0.0.1:80"), ("A", "b: C"), ("B", "")]),
        ]
        for other in others { #expect(good != other) }
        #expect(good == LoopbackHead(isHead: false, path: good.path, fields: fields))
    }

    /// Of every head that goes on a part is too little, byte by byte.
    @Test func aPartOfAHead() {
        let head = Array((Self.start + "\r\n").utf8)
        for count in 0..<head.count {
            #expect(LoopbackHead.judge(Array(head[..<count]), port: 80) == .needsMore, "\(count) bytes")
        }
        #expect(LoopbackHead.judge(head, port: 80) != .needsMore)
    }

    @Test func emptyLinesAreNoHead() {
        for text in ["", "\r", "\r\n", "\r\n\r"] { #expect(judge(text) == .needsMore) }
        #expect(judge("\r\n\r\n") == .refused(400))
        #expect(judge("\r\n\r\n\r\n") == .refused(400))
    }

    /// 8 KiB, the empty line included.
    @Test func theLongestHead() {
        let fixed = (Self.start + "A: \r\n\r\n").utf8.count
        func head(_ count: Int) -> String { Self.start + "A: \(String(repeating: "x", count: count - fixed))\r\n\r\n" }
        #expect(head(8192).utf8.count == 8192)
        guard case .good = judge(head(8192)) else {
            Issue.record("it is as long as may be")
            return
        }
        #expect(judge(head(8193)) == .refused(431))
        #expect(LoopbackHead.judge(Array(head(8193).utf8.prefix(8191)), port: 80) == .needsMore)
        #expect(judge(String(repeating: "x", count: 8191)) == .needsMore)
        #expect(judge(String(repeating: "x", count: 8192)) == .refused(431))
    }

    @Test(arguments: [
        "GET\r\nHost: 127.0.0.1:80\r\n\r\n", "GET /a\r\nHost: 127.0.0.1:80\r\n\r\n",
        "GET /a HTTP/1.1 \r\nHost: 127.0.0.1:80\r\n\r\n", "GET /a\t HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", "GET /a\r HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
        "GET /a HTTP/1.1\nHost: 127.0.0.1:80\r\nHost: 127.0.0.1:80\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nA: b\rC: d\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nA: b\nC: d\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nA\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n", "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\tb: c\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n",
    ])
    func whatIsNoRequestOfAPlayer(_ text: String) { #expect(judge(text) == .refused(400)) }

    @Test(arguments: ["Origin: null", "oRIGIN:", "Sec-Fetch-Mode: cors", "SEC-FETCH-A: b"])
    func aPageInABrowser(_ field: String) { #expect(judge("\(Self.start)\(field)\r\n\r\n") == .refused(403)) }

    @Test(arguments: ["X-Origin: a", "Origins: a", "Sec-Fetc: a", "Content-Length: 0", "Range: bytes=0-1"])
    func fieldsOfNoPage(_ field: String) {
        guard case .good(let head) = judge("\(Self.start)\(field)\r\n\r\n") else {
            Issue.record("a player may send it")
            return
        }
        #expect(head.fields.count == 2)
    }

    @Test func theTokenOfGivenBits() {
        let token = LoopbackToken([0x0123_4567_89AB_CDEF, 0x0000_0000_0000_00F0])
        let path = "/0123456789abcdef00000000000000f0/"
        #expect(token.path == Array(path.utf8))
        #expect(token.handle(in: Array("\(path)1.vtt".utf8)) == Array("1.vtt".utf8))
        #expect(token.handle(in: token.path) == [])
        for other in ["", "/", String(path.dropLast()), "/0123456789abcdef00000000000000f1/1", "/\(path)"] {
            #expect(token.handle(in: Array(other.utf8)) == nil, "\(other)")
        }
        #expect(LoopbackToken().path != LoopbackToken().path)
    }
}
