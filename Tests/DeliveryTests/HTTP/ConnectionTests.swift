import ByteScan
import Delivery
import Testing

/// A proxy's use of the rules from a request to the body, as the README shows it.
@Suite struct ConnectionTests {
    /// A list of header fields as a server has it.
    struct Headers {
        var lines: [(name: String, value: String)]

        mutating func apply(_ edit: HeaderEdit) {
            let name = "\(edit.name)"
            lines.removeAll { $0.name.lowercased() == name.lowercased() }
            if let value = edit.value { lines.append((name, "\(value)")) }
        }
    }

    /// An origin that knows `tag` and answers conditions, ranges and encodings as one does.
    static func origin(_ request: Headers, tag: String) -> (status: Int, headers: Headers) {
        func has(_ name: String, _ value: String) -> Bool {
            request.lines.contains { $0.name.lowercased() == name && $0.value.contains(value) }
        }
        if has("if-none-match", tag) { return (304, Headers(lines: [("ETag", tag)])) }
        var headers = Headers(lines: [
            ("content-type", "application/x-mpegURL; charset=utf-8"), ("ETag", tag), ("Accept-Ranges", "bytes"),
        ])
        if has("accept-encoding", "gzip") { headers.lines.append(("Content-Encoding", "gzip")) }
        if has("range", "bytes=") { return (206, headers) }
        headers.lines.append(("Content-Length", "40"))
        return (200, headers)
    }

    /// What a client gets: the status, the header, and how often the origin was asked.
    static func exchange(_ target: String, _ client: Headers, _ tracks: TracksVersion) -> (Int, Headers, asked: Int) {
        let rules = HTTPRules()
        var fields = HeaderFields()
        var edits = HeaderEdits()
        for (name, value) in client.lines { fields.append(name, value) }
        var decision = RequestLine.with("GET", target) { line in
            rules.decide(line, fields, for: tracks, into: &edits)
        }
        for asked in 1...3 {
            var request = client
            for index in 0..<edits.count { request.apply(edits[index]) }
            var (status, headers) = origin(request, tag: "\"v1\"")
            fields.removeAll()
            for (name, value) in headers.lines { fields.append(name, value) }
            let answer = rules.decide(ResponseHead(status: status), fields, after: decision, into: &edits)
            if answer.action == .askAgain {
                fields.removeAll()
                for (name, value) in client.lines { fields.append(name, value) }
                decision = rules.decideAgain(fields, after: decision, into: &edits)
                continue
            }
            if case .hold = answer.action { edits.setContentLength(99) }
            for index in 0..<edits.count { headers.apply(edits[index]) }
            return (status, headers, asked)
        }
        return (0, client, 3)
    }

    static func value(_ name: String, _ headers: Headers) -> String? {
        headers.lines.first { $0.name.lowercased() == name }?.value
    }

    /// By a likely path once, by another twice; then revalidated, and fetched whole when the tracks have changed.
    @Test(arguments: [("/master.m3u8", 1), ("/play?id=7", 2)])
    func playsAndRevalidates(target: String, asked: Int) {
        let tracks = TracksVersion(fingerprint: 0x075b_cd15)
        let client = Headers(lines: [("Range", "bytes=0-1"), ("Accept-Encoding", "gzip, br")])
        let first = Self.exchange(target, client, tracks)
        #expect(first.0 == 200 && first.asked == asked)
        #expect(Self.value("content-length", first.1) == "99" && Self.value("accept-ranges", first.1) == "none")
        let tag = Self.value("etag", first.1)
        #expect(tag == "\"v1-surtitle-00000000075bcd15\"")

        let again = Headers(lines: client.lines + [("If-None-Match", "\"v1\", \(tag ?? "")")])
        let second = Self.exchange(target, again, tracks)
        #expect(second.0 == 304 && second.asked == 1 && Self.value("etag", second.1) == tag)

        let changed = Self.exchange(target, again, TracksVersion(fingerprint: 1))
        #expect(changed.0 == 200 && Self.value("etag", changed.1) == "\"v1-surtitle-0000000000000001\"")
    }

    /// The origin's own tag, from before there were tracks, brings no 304.
    @Test func oldCopiesAreNotKept() {
        let client = Headers(lines: [("If-None-Match", "\"v1\"")])
        let answer = Self.exchange("/master.m3u8", client, TracksVersion(fingerprint: 1))
        #expect(answer.0 == 200 && answer.asked == 1)
    }
}
