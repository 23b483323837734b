import Delivery
import Testing

/// What is asked of the origin.
@Suite struct RequestTests {
    /// A header, the edits it gets on its way to the origin, and why.
    struct Row: Sendable, CustomTestStringConvertible {
        let header: [String]
        let edits: [String]
        let clause: String

        init(_ header: [String], _ edits: [String], _ clause: String) {
            self.header = header
            self.edits = edits
            self.clause = clause
        }

        var testDescription: String { "\(header): \(clause)" }
    }

    static let mark = Exchange.mark
    static let asked = "Accept-Encoding: identity"

    static let rows: [Row] = [
        Row([], [asked], "9110 12.5.3: without the field any coding would do"),
        Row(["Accept-Encoding: gzip, br"], [asked], "9110 12.5.3"),
        Row(["accept-encoding: Identity "], [], "9110 8.4.1: codings in any case; nothing to change"),
        Row(["Accept-Encoding: identity", "Accept-Encoding: gzip"], [asked], "9110 5.3: two lines are one list"),
        Row(["Accept-Encoding: identity;q=0"], [asked], "9110 12.5.3: a weight makes it something else"),
        Row(["Range: bytes=0-1"], [asked, "-Range"], "9110 14.2: a part cannot be edited"),
        Row(["RANGE: bytes=0-1", "range: bytes=2-"], [asked, "-Range"], "9110 5.1: names in any case; both lines go"),
        Row(["Range: bytes=0-1", "If-Range: \"a\""], [asked, "-If-Range", "-Range"], "9110 13.1.5"),
        Row(["If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], [asked, "-If-Range"], "9110 13.1.5: means nothing alone"),
        Row(["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], [asked, "-If-Unmodified-Since"], "9110 13.1.4"),
        Row(["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], [asked, "-If-Modified-Since"], "9110 13.1.3"),
        Row(["Want-Content-Digest: sha-256=1"], [asked, "-Want-Content-Digest"], "9530 4"),
        Row(["Want-Repr-Digest: sha-256=1"], [asked, "-Want-Repr-Digest"], "9530 4"),
        Row(["Want-Digest: sha-256"], [asked, "-Want-Digest"], "3230 4.3.1"),
        Row(["A-IM: vcdiff"], [asked, "-A-IM"], "3229 10.5.3: a difference is a part"),
        Row(
            ["TE: trailers", "Connection: TE", "Upgrade: h2c", "Expect: 100-continue"], [asked], "9110 7.6.1, 7.8, 10.1"
        ),
        Row(["Accept: */*", "Cookie: a", "Cache-Control: no-cache", "X-Range: 1"], [asked], "nothing to do with it"),

        Row(
            ["If-None-Match: \"a\(mark)\""], [asked, "If-None-Match: \"a\""],
            "9110 13.1.2: ours, as the origin knows it"),
        Row(["If-None-Match: W/\"a\(mark)\""], [asked, "If-None-Match: W/\"a\""], "9110 8.8.3: weak stays weak"),
        Row(["If-None-Match: \"a\""], [asked, "-If-None-Match"], "foreign: 304 to it would keep old tracks for ever"),
        Row(["If-None-Match: \"a-surtitle-0000000000000001\""], [asked, "-If-None-Match"], "of other tracks"),
        Row(["If-None-Match: *"], [asked], "9110 13.1.2: whatever there is"),
        Row(
            ["If-None-Match: *, \"a\(mark)\""], [asked, "If-None-Match: \"a\""],
            "9110 13.1.2: a star among tags is no tag"),
        Row(
            ["If-None-Match: \"x\", \"a\(mark)\" ,,\tW/\"b,c\(mark)\", W/\"y\""],
            [asked, "If-None-Match: \"a\", W/\"b,c\""], "9110 5.6.1: empty elements, commas inside quotes"),
        Row(
            ["If-None-Match: \"a\(mark)\"", "if-none-match: \"b\(mark)\""], [asked, "If-None-Match: \"a\", \"b\""],
            "9110 5.3: repeated lines are one list"),
        Row(
            ["If-None-Match: \"a\(mark)\",\r\n \"b\(mark)\""], [asked, "If-None-Match: \"a\", \"b\""],
            "9112 5.2: a folded line"),
        Row(["If-None-Match: \"\(mark)\""], [asked, "If-None-Match: \"\""], "9110 8.8.3: an empty tag is one"),
        Row(["If-None-Match: \"a\(mark)\(mark)\""], [asked, "If-None-Match: \"a\(mark)\""], "two gateways in a row"),
        Row(
            ["If-None-Match: \"\u{E9}\\\(mark)\""], [asked, "If-None-Match: \"\u{E9}\\\""],
            "9110 8.8.3: obs-text, no escapes"),
        Row(
            ["If-None-Match: \"a\\\", \"b\(mark)\""], [asked, "If-None-Match: \"b\""],
            "9110 8.8.3: a backslash escapes nothing"),
        Row(["If-None-Match: a\(mark)"], [asked, "-If-None-Match"], "9110 8.8.3: quotes are not optional"),
        Row(["If-None-Match: w/\"a\(mark)\""], [asked, "-If-None-Match"], "9110 8.8.3: W is a capital"),
        Row(["If-None-Match: \"a\(mark)"], [asked, "-If-None-Match"], "no end"),
        Row(["If-None-Match: \"a\(mark)\"x, \"b\(mark)\""], [asked, "If-None-Match: \"b\""], "more after the quote"),
        Row(["If-None-Match: \"a b\(mark)\""], [asked, "-If-None-Match"], "9110 8.8.3: no spaces in tags"),
        Row(
            ["If-None-Match: \"a\r\nX: y\(mark)\""], [asked, "-If-None-Match"], "9110 5.5: no line break comes through"),
        Row(["If-None-Match: \"a\u{0}\(mark)\""], [asked, "-If-None-Match"], "9110 5.5: nor NUL"),
        Row(["If-None-Match: \"a-surtitle-00000000075BCD15\""], [asked, "-If-None-Match"], "not written here"),
        Row(["If-None-Match: "], [asked, "-If-None-Match"], "an empty list"),

        Row(["If-Match: \"a\(mark)\", \"b\""], [asked, "If-Match: \"a\""], "9110 13.1.1"),
        Row(["If-Match: \"b\""], [asked, "-If-Match"], "9110 13.1.1: an intermediary may ignore it"),
        Row(["If-Match: *"], [asked], "9110 13.1.1"),
        Row(
            ["If-None-Match: \"b\"", "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT"],
            [asked, "-If-Modified-Since", "-If-None-Match"], "9110 13.1.3"),
    ]

    @Test(arguments: rows)
    func isChanged(row: Row) {
        for method in ["GET", "HEAD"] {
            let answer = Exchange().request("/master.m3u8", row.header, method: method)
            #expect(answer.decision.standing == .likely && answer.decision.reason == .likelyPath)
            #expect(answer.edits == row.edits.sorted())
        }
    }

    /// Media needs its ranges, and origins their conditions.
    @Test(arguments: rows)
    func isNeverTouchedUnlessLikely(row: Row) {
        let hasOurs = row.header.contains { $0.contains("surtitle") }
        for target in ["/segment.ts", "/", "*", "/api?x=master.m3u8"] where !hasOurs {
            let answer = Exchange().request(target, row.header)
            #expect(answer.edits.isEmpty && answer.decision.standing == .unlikely)
            #expect(answer.decision.reason == .unlikelyPath)
        }
        for method in ["POST", "get", "OPTIONS", "CONNECT", "PUT", ""] {
            let answer = Exchange().request("/master.m3u8", row.header, method: method)
            #expect(answer.edits.isEmpty && answer.decision.standing == .excluded && answer.decision.reason == .method)
        }
    }

    /// 9111 5.2.1.6; 9110 5.6.1 and 5.6.4 for how the list is read.
    @Test(arguments: [
        (["Cache-Control: no-transform"], true), (["cache-control: No-Transform"], true),
        (["Cache-Control: max-age=0,no-transform"], true), (["Cache-Control: no-transform=\"x\""], true),
        (["Cache-Control: no-cache", "Cache-Control: , no-transform ,"], true),
        (["Cache-Control: private=\"a, no-transform\""], false),
        (["Cache-Control: private=\"a\\\", no-transform\""], false),
        (["Cache-Control: private=\"a\\\\\", no-transform"], true),
        (["Cache-Control: x-no-transform"], false), (["Pragma: no-transform"], false), ([], false),
    ])
    func noTransform(header: [String], forbids: Bool) {
        let range = header + ["Range: bytes=0-1"]
        let answer = Exchange().request("/a.m3u8", range)
        #expect((answer.decision.reason == .noTransform) == forbids)
        #expect((answer.decision.standing == .excluded) == forbids && answer.edits.isEmpty == forbids)
        let gateway = Exchange(rules: HTTPRules(noTransform: .ignored)).request("/a.m3u8", range)
        #expect(gateway.decision.standing == .likely && !gateway.edits.isEmpty)
    }

    /// A tag of ours tells that the client has a playlist, wherever it came from and whatever tracks it had.
    @Test(arguments: [
        ("If-None-Match: \"a\(mark)\"", "If-None-Match: \"a\""), ("If-Match: \"a\(mark)\"", "If-Match: \"a\""),
        ("If-None-Match: \"a-surtitle-0000000000000001\"", "-If-None-Match"), ("If-Range: \"a\(mark)\"", "-If-Range"),
    ])
    func derivedTagTells(line: String, edit: String) {
        let answer = Exchange().request("/play?id=1", ["Range: bytes=0-9", line])
        #expect(answer.decision.standing == .likely && answer.decision.reason == .derivedTag)
        #expect(answer.edits == ["-Range", Self.asked, edit].sorted())
    }

    /// 9110 13.1.3: the origin's answer is ours too if the tracks have not changed since.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", true),
        ("Sun, 06 Nov 1994 08:49:36 GMT", false), ("Sunday, 06-Nov-94 08:49:37 GMT", true),
        ("Sun Nov  6 08:49:37 1994", true), ("Sun Nov  6 08:49:36 1994", false), ("yesterday", false), ("", false),
        ("Sun, 06 Nov 1994 08:49:37 UTC", false),
    ])
    func modifiedSince(time: String, isKept: Bool) {
        var exchange = Exchange()
        exchange.tracks.modified = HTTPDate(secondsSinceEpoch: 784_111_777)
        let line = "If-Modified-Since: \(time)"
        let expected = isKept ? [Self.asked] : ["-If-Modified-Since", Self.asked]
        #expect(exchange.request("/a.m3u8", [line]).edits == expected)
        // Beside If-None-Match it counts for nothing, and would decide if that were dropped.
        let both = exchange.request("/a.m3u8", [line, "If-None-Match: \"b\""]).edits
        #expect(both == ["-If-Modified-Since", "-If-None-Match", Self.asked])
    }

    @Test func isAskedAgainWithoutConditions() {
        let header = [
            "Range: bytes=0-1", "If-None-Match: \"a\(Self.mark)\"", "If-Match: *", "Accept-Encoding: gzip",
            "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "Accept: */*", "If-Range: \"a\"",
        ]
        let first = Exchange().request("/video").decision
        let again = Exchange().again(header, after: first)
        #expect(again.decision.standing == .again && again.decision.reason == .secondRequest)
        #expect(
            again.edits == [
                "-If-Match", "-If-Modified-Since", "-If-None-Match", "-If-Range", "-Range", Self.asked,
            ])
    }

    @Test func whatIsTooLongStaysAsItIs() {
        for (limit, isOver) in [(37, true), (38, false)] {
            var fields = HeaderFields(limit: limit)
            Exchange.fill(&fields, ["Range: 12345"])
            let isOverfull = fields.isOverfull
            #expect(isOverfull == isOver, "a value of 6 bytes and 32 for the field")
            fields.append("Other", "never counts, however long it is")
            let isStillOverfull = fields.isOverfull
            #expect(isStillOverfull == isOver)
            fields.removeAll()
            let isOverfullWhenEmpty = fields.isOverfull
            #expect(!isOverfullWhenEmpty)
        }
        let long = ["Range: " + String(repeating: "9", count: 64 << 10)]
        let answer = Exchange().request("/a.m3u8", long)
        #expect(answer.edits.isEmpty && answer.decision.reason == .fieldsTooLong)
        let response = Exchange().response(200, ["Content-Type: audio/mpegurl", "ETag: \"a\""] + long)
        #expect(response.edits.isEmpty && response.decision.reason == .fieldsTooLong)
        #expect(response.decision.action == .pass)
    }
}
