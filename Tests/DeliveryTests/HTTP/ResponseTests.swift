import ByteScan
import Delivery
import Testing

/// What goes to the client.
@Suite struct ResponseTests {
    /// A status and a header; what is done with the body and why; the edits, and the clause.
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let header: [String]
        let action: ResponseDecision.Action
        let reason: DecisionReason
        let edits: [String]
        let clause: String

        init(
            _ status: Int, _ header: [String], _ answer: (ResponseDecision.Action, DecisionReason), _ edits: [String],
            _ clause: String
        ) {
            self.status = status
            self.header = header
            (action, reason) = answer
            self.edits = edits
            self.clause = clause
        }

        var testDescription: String { "\(status) \(header): \(clause)" }
    }

    static let mark = Exchange.mark
    static let type = "Content-Type: application/vnd.apple.mpegurl"
    static let held = (ResponseDecision.Action.hold(upTo: 65_536), DecisionReason.playlistType)
    static let streamed = (ResponseDecision.Action.stream, DecisionReason.playlistType)

    /// After a request for a likely path.
    static let likelyRows: [Row] = [
        Row(200, [type], held, [], "9110 8.3"),
        Row(203, [type], held, [], "9110 15.3.4: content that somebody else has changed"),
        Row(200, [type, "Content-Length: 65536"], held, ["-Content-Length"], "9110 8.6: the length changes"),
        Row(200, [type, "Content-Length: 65537"], streamed, ["-Content-Length"], "9112 6.3: no length, then"),
        Row(
            200, [type, "Content-Length: 99999999999999999999"], held, ["-Content-Length"], "nobody's length is unknown"
        ),
        Row(200, [type, "Content-Length: 70000, 70000"], streamed, ["-Content-Length"], "9110 8.6: the same twice"),
        Row(
            200, [type, "Content-Length: 7", "Content-Length: 70000"], held, ["-Content-Length"],
            "9112 6.3: contradictory"),
        Row(200, [type, "Content-Length: -1"], held, ["-Content-Length"], "9110 8.6: digits only"),
        Row(
            200, [type, "Content-Length: 70000", "Transfer-Encoding: chunked"], held, ["-Content-Length"],
            "9112 6.3: Transfer-Encoding counts; it is the proxy's"),
        Row(200, [type, "ETag: \"a\""], held, ["ETag: \"a\(mark)\""], "9110 8.8.3"),
        Row(200, [type, "ETag: W/\"a\""], held, ["ETag: W/\"a\(mark)\""], "9110 8.8.3: weak stays weak"),
        Row(200, [type, "ETag: \"\""], held, ["ETag: \"\(mark)\""], "9110 8.8.3: empty"),
        Row(
            200, [type, "etag: \"\u{E9},\\\""], held, ["ETag: \"\u{E9},\\\(mark)\""], "9110 8.8.3: what a tag may hold"),
        Row(200, [type, "ETag: a"], held, ["-ETag"], "9110 8.8.3: no quotes, no tag"),
        Row(200, [type, "ETag: w/\"a\""], held, ["-ETag"], "9110 8.8.3"),
        Row(200, [type, "ETag: \"a\"b\""], held, ["-ETag"], "9110 8.8.3: a quote inside"),
        Row(
            200, [type, "ETag: \"a\r\n b\""], held, ["-ETag"], "9110 5.5, 9112 5.2: folded, so there is a space inside"),
        Row(200, [type, "ETag: \"a\"", "ETag: \"b\""], held, ["-ETag"], "9110 5.3: one value, not a list"),
        Row(200, [type, "ETag: \"a\"", "ETag: \"a\""], held, ["ETag: \"a\(mark)\""], "the same twice"),
        Row(200, [type, "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], held, ["-Last-Modified"], "9110 8.8.2"),
        Row(200, [type, "Accept-Ranges: bytes"], held, ["Accept-Ranges: none"], "9110 14.3"),
        Row(200, [type, "Accept-Ranges: None"], held, [], "9110 14.3"),
        Row(200, [type, "Content-MD5: Q2hlY2s="], held, ["-Content-MD5"], "2616 14.15"),
        Row(200, [type, "Digest: md5=Q2hlY2s="], held, ["-Digest"], "3230 4.3.2"),
        Row(200, [type, "Content-Digest: sha-256=:AA==:"], held, ["-Content-Digest"], "9530 2"),
        Row(200, [type, "REPR-DIGEST: sha-256=:AA==:"], held, ["-Repr-Digest"], "9530 3"),
        Row(200, [type, "Content-Range: bytes 0-1/2"], held, ["-Content-Range"], "9110 14.4"),
        Row(200, [type, "Trailer: Repr-Digest"], held, ["-Trailer"], "9110 6.6.2"),
        Row(
            200,
            [
                type, "Vary: Accept-Encoding", "Cache-Control: max-age=2", "Age: 1", "Expires: 0",
                "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Content-Location: /a.m3u8", "Content-Language: en",
                "Connection: close", "Set-Cookie: a=b",
            ], held, [], "9110 8.7, 12.5.5, 9111 4.1, 5.1: stay"),

        Row(200, [type, "Content-Encoding: gzip"], (.pass, .encoded), [], "9110 8.4: though identity was asked for"),
        Row(200, ["Content-Encoding: br"], (.pass, .encoded), [], "9110 8.4: the first bytes would tell nothing"),
        Row(200, [type, "Content-Encoding: identity,"], held, [], "9110 8.4.1: no coding"),
        Row(200, [type, "Content-Encoding: identity, GZIP"], (.pass, .encoded), [], "9110 8.4.1: any case"),

        Row(200, ["Content-Type: text/plain"], (.look, .unknownContent), [], "8216 4: the first bytes tell"),
        Row(200, [], (.look, .unknownContent), [], "9110 8.3: no type"),
        Row(
            200, ["ETag: \"a\"", "Content-Length: 4"], (.look, .unknownContent), [],
            "nothing is changed before it is known"),

        Row(206, [type, "Content-Range: bytes 0-1/9", "ETag: \"a\""], (.pass, .partialContent), [], "9110 15.3.7"),
        Row(206, ["Content-Type: multipart/byteranges; boundary=a"], (.pass, .partialContent), [], "9110 14.6"),
        Row(304, ["ETag: \"a\""], (.pass, .notModified), ["ETag: \"a\(mark)\""], "9110 15.4.5: as the client knows it"),
        Row(
            304, ["ETag: W/\"a\"", "Content-Length: 9"], (.pass, .notModified),
            ["-Content-Length", "ETag: W/\"a\(mark)\""], "9110 8.6"),
        Row(304, [], (.pass, .notModified), [], "9110 15.4.5"),
        Row(
            304, ["Cache-Control: no-transform", "ETag: \"a\""], (.pass, .notModified), ["ETag: \"a\(mark)\""],
            "the client's is edited"),
        Row(100, [], (.pass, .noContent), [], "9110 15.2"),
        Row(103, ["ETag: \"a\""], (.pass, .noContent), [], "8297"),
        Row(204, [type, "ETag: \"a\""], (.pass, .noContent), [], "9110 15.3.5"),
        Row(205, [type], (.pass, .noContent), [], "9110 15.3.6"),
        Row(201, [type, "ETag: \"a\""], (.pass, .otherStatus), [], "9110 15.3.2"),
        Row(226, [type, "IM: vcdiff"], (.pass, .otherStatus), [], "3229 10.4.1: a difference"),
        Row(302, [type, "Location: /b.m3u8", "ETag: \"a\""], (.pass, .redirect), [], "9110 15.4"),
        Row(300, [type], (.pass, .redirect), [], "9110 15.4.1: a list of choices"),
        Row(404, [type, "ETag: \"a\"", "Content-Length: 5"], (.pass, .errorStatus), [], "9110 15.5"),
        Row(412, ["ETag: \"a\""], (.pass, .errorStatus), [], "9110 15.5.13"),
        Row(416, ["Content-Range: bytes */9"], (.pass, .errorStatus), [], "9110 15.5.17"),
        Row(503, ["Retry-After: 1"], (.pass, .errorStatus), [], "9110 15.6"),
        Row(0, [type], (.pass, .otherStatus), [], "no status"),
        Row(-1, [type], (.pass, .otherStatus), [], "no status"),
        Row(999, [type], (.pass, .otherStatus), [], "no status"),
        Row(
            200, [type, "Cache-Control: no-transform", "ETag: \"a\""], (.pass, .noTransform), [],
            "9110 7.7, 9111 5.2.2.6"),
    ]

    @Test(arguments: likelyRows)
    func afterALikelyRequest(row: Row) {
        let answer = Exchange().response(row.status, row.header)
        #expect(answer.decision.action == row.action && answer.decision.reason == row.reason)
        #expect(answer.edits == row.edits.sorted())
    }

    /// After a request that was not changed.
    static let unlikelyRows: [Row] = [
        Row(
            200, [type, "ETag: \"a\"", "Content-Length: 9"], held, ["-Content-Length", "ETag: \"a\(mark)\""],
            "whole: edited at once"),
        Row(
            200, ["Content-Type: text/plain", "ETag: \"a\""], (.pass, .otherType), [],
            "not likely, not a playlist's type"),
        Row(200, [], (.pass, .otherType), [], "9110 8.3"),
        Row(200, [type, "Content-Encoding: gzip"], (.askAgain, .encoded), [], "9110 8.4"),
        Row(200, ["Content-Type: video/mp4", "Content-Encoding: gzip"], (.pass, .otherType), [], "not a playlist"),
        Row(206, [type, "Content-Range: bytes 0-1/9"], (.askAgain, .partialContent), [], "9110 15.3.7"),
        Row(206, ["Content-Type: video/mp2t", "Content-Range: bytes 0-1/9"], (.pass, .partialContent), [], "media"),
        Row(
            304, [type, "ETag: \"a\""], (.askAgain, .notModified), [], "9110 15.4.5: the client has the origin's bytes"),
        Row(304, ["ETag: \"a\""], (.pass, .notModified), [], "9110 15.4.5: nobody knows what it is"),
        Row(206, [type, "Cache-Control: no-transform"], (.pass, .noTransform), [], "9110 7.7"),
        Row(
            200, [type, "Content-Encoding: gzip", "Cache-Control: no-transform"], (.pass, .noTransform), [], "9110 7.7"),
        Row(302, [type], (.pass, .redirect), [], "9110 15.4"),
        Row(500, [type], (.pass, .errorStatus), [], "9110 15.6"),
        Row(204, [type], (.pass, .noContent), [], "9110 15.3.5"),
    ]

    @Test(arguments: unlikelyRows)
    func afterAnUnlikelyRequest(row: Row) {
        let answer = Exchange().response(row.status, row.header, isLikely: false)
        #expect(answer.decision.action == row.action && answer.decision.reason == row.reason)
        #expect(answer.edits == row.edits.sorted())
    }

    /// Whatever comes back then, nobody asks a third time.
    @Test(arguments: unlikelyRows + likelyRows)
    func afterASecondRequest(row: Row) {
        let exchange = Exchange()
        let again = exchange.again([], after: exchange.request("/video").decision).decision
        let answer = exchange.response(row.status, row.header, after: again)
        #expect(answer.decision.action != .askAgain)
        let likely = exchange.response(row.status, row.header)
        #expect(answer.decision == likely.decision && answer.edits == likely.edits)
    }

    /// A request that is excluded has a response that is.
    @Test(arguments: likelyRows)
    func afterAnExcludedRequest(row: Row) {
        let request = Exchange().request("/a.m3u8", method: "POST").decision
        let answer = Exchange().response(row.status, row.header, after: request)
        #expect(answer.decision.action == .pass && answer.decision.reason == .method && answer.edits.isEmpty)
    }

    /// 9110 9.3.2: the same header, but for what only a body tells.
    @Test(arguments: likelyRows)
    func afterHead(row: Row) {
        let exchange = Exchange()
        let head = exchange.request("/master.m3u8", method: "HEAD").decision
        let answer = exchange.response(row.status, row.header, after: head)
        #expect(answer.decision.action == .pass, "no body, nothing to look at, nothing to hold")
        switch row.action {
        case .hold, .stream: #expect(answer.edits == row.edits.sorted() && answer.decision.reason == .head)
        case .look: #expect(answer.edits.allSatisfy { $0.hasPrefix("-") } && answer.decision.reason == .head)
        default: #expect(answer.edits == row.edits.sorted() && answer.decision.reason == row.reason)
        }
    }

    @Test func headOfWhatMayBeAPlaylistLeavesOut() {
        let exchange = Exchange()
        let head = exchange.request("/master.m3u8", method: "HEAD").decision
        let header = [
            "Content-Type: text/plain", "ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
            "Content-Length: 5", "Accept-Ranges: bytes", "Repr-Digest: sha-256=:AA==:",
        ]
        #expect(
            exchange.response(200, header, after: head).edits == [
                "-Content-Length", "-ETag", "-Last-Modified", "-Repr-Digest", "Accept-Ranges: none",
            ])
        let other = exchange.request("/video", method: "HEAD").decision
        #expect(exchange.response(200, header, after: other).edits.isEmpty)
    }

    /// 9110 8.3.1, 8216 4: types in any case, with parameters.
    @Test(arguments: [
        ("application/vnd.apple.mpegurl", true), ("Application/VND.Apple.MpegURL", true),
        ("application/x-mpegURL; charset=utf-8", true), ("audio/mpegurl;charset=\"utf-8\"", true),
        ("audio/x-mpegurl ;", true), ("\t audio/x-mpegurl \t", true), ("application/vnd.apple.mpegurlx", false),
        ("application/vnd.apple.mpegur", false), ("text/plain; a=audio/mpegurl", false), ("audio/mpeg", false),
        ("video/mp2t", false), ("", false), (";", false), ("audio/mpegurl, text/plain", false),
        ("application/dash+xml", false), ("audio/\u{4D}PEGURL", true),
    ])
    func types(type: String, isPlaylist: Bool) {
        let answer = Exchange().response(200, ["content-TYPE:\(type)"], isLikely: false)
        #expect(answer.decision.action == (isPlaylist ? Self.held.0 : .pass))
    }

    @Test func ofSeveralTypesTheLastCounts() {
        let lines = ["Content-Type: text/plain", Self.type]
        #expect(Exchange().response(200, lines, isLikely: false).decision.action == Self.held.0)
        #expect(Exchange().response(200, lines.reversed(), isLikely: false).decision.action == .pass)
    }

    @Test(arguments: [
        ("gzip", ContentCoding.gzip), ("X-GZIP", .gzip), ("br", .brotli), ("Zstd", .zstandard), ("deflate", .deflate),
        ("compress", .compress), ("x-compress", .compress), ("aws-chunked", .other), ("gzip, br", .other),
        ("identity, br", .brotli),
    ])
    func codings(name: String, coding: ContentCoding) {
        let header = [Self.type, "Content-Encoding: \(name)"]
        #expect(Exchange().response(200, header, isLikely: false).decision.coding == coding)
        #expect(Exchange().response(200, header).decision.coding == coding)
    }

    /// What the first bytes tell, and what follows from that.
    @Test(arguments: [
        ("#EXTM3U\n#EXT", ResponseHead.Content?.some(.playlist)), ("#EXTM3U\r\n", .playlist),
        ("\u{EF}\u{BB}\u{BF}#EXTM3U\n", .playlist), ("#EXTM3", nil), ("", nil), ("#EXTM3U", nil), ("#EXTM4", .other),
        ("<html>", .other), ("#EXTM3U8\n", .other), ("\u{EF}\u{BB}", nil), ("G@", .other),
    ])
    func firstBytes(text: String, content: ResponseHead.Content?) {
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        bytes.withUnsafeBytes { bytes in
            #expect(HTTPRules.content(of: ByteView(bytes), isWhole: false) == content)
            let whole = HTTPRules.content(of: ByteView(bytes), isWhole: true)
            #expect(whole == (content ?? (text == "#EXTM3U" ? .playlist : .other)))
        }
    }

    @Test func afterALook() {
        let exchange = Exchange()
        let header = ["Content-Type: text/plain", "Content-Length: 70000", "ETag: \"a\""]
        let request = exchange.request("/a.m3u8").decision
        let playlist = exchange.response(200, header, after: request, content: .playlist)
        #expect(playlist.decision.action == .stream && playlist.decision.reason == .playlistContent)
        #expect(playlist.edits == ["-Content-Length", "ETag: \"a\(Self.mark)\""])
        let other = exchange.response(200, header, after: request, content: .other)
        #expect(other.decision.action == .pass && other.decision.reason == .otherContent && other.edits.isEmpty)
    }

    @Test(arguments: [
        (0, "5", ResponseDecision.Action.stream), (0, "", .stream), (5, "5", .hold(upTo: 5)), (4, "5", .stream),
    ])
    func holding(limit: Int, length: String, action: ResponseDecision.Action) {
        let exchange = Exchange(rules: HTTPRules(longestHeld: limit))
        let header = [Self.type] + (length.isEmpty ? [] : ["Content-Length: \(length)"])
        #expect(exchange.response(200, header).decision.action == action)
    }

    /// 9110 8.8.2: the later of two times, if both are known.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:36 GMT", ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]),
        ("Sun, 06 Nov 1994 08:49:37 GMT", []), ("Sun, 06 Nov 1994 08:49:38 GMT", []),
        ("Sunday, 06-Nov-94 08:49:36 GMT", ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]),
        ("never", ["-Last-Modified"]), ("", ["-Last-Modified"]),
    ])
    func modified(time: String, edits: [String]) {
        var exchange = Exchange()
        exchange.tracks.modified = HTTPDate(secondsSinceEpoch: 784_111_777)
        for (status, header) in [(200, [Self.type]), (304, [])] {
            #expect(exchange.response(status, header + ["Last-Modified: \(time)"]).edits == edits)
            #expect(exchange.response(status, header).edits.isEmpty, "none is made up")
        }
    }

    @Test func noTransformIsAnOption() {
        let exchange = Exchange(rules: HTTPRules(noTransform: .ignored))
        let header = [Self.type, "Cache-Control: no-transform"]
        #expect(exchange.response(200, header).decision.action == Self.held.0)
        #expect(exchange.response(206, header, isLikely: false).decision.action == .askAgain)
    }

    @Test func theLengthIsSetOnce() {
        var edits = HeaderEdits()
        let fields = Exchange.fields([Self.type, "Content-Length: 9", "ETag: \"a\""])
        _ = Exchange().rules.decide(
            ResponseHead(status: 200), fields, after: Exchange().request("/a.m3u8").decision, into: &edits)
        edits.setContentLength(1234)
        #expect(Exchange.lines(edits) == ["Content-Length: 1234", "ETag: \"a\(Self.mark)\""])
        edits.setContentLength(0)
        #expect(Exchange.lines(edits) == ["Content-Length: 0", "ETag: \"a\(Self.mark)\""])
    }

    /// The tracks of the response are those of the request, though others are configured in between.
    @Test func tracksAreThoseOfTheRequest() {
        var exchange = Exchange()
        let request = exchange.request("/a.m3u8").decision
        exchange.tracks.fingerprint = 1
        let answer = exchange.response(200, [Self.type, "ETag: \"a\""], after: request)
        #expect(answer.edits == ["ETag: \"a\(Self.mark)\""])
    }

    @Test func everyReasonHasItsWords() {
        let rows = Self.likelyRows + Self.unlikelyRows
        for reason in rows.map(\.reason) + [.unlikelyPath, .method, .derivedTag, .secondRequest, .head, .otherContent] {
            #expect(!reason.description.isEmpty && !reason.description.hasPrefix("reason "))
        }
    }
}
