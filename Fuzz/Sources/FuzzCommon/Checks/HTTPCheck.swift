import ByteScan
import Delivery
import Support

/// What a proxy does to the headers of an exchange.
///
/// The text is a request line, fields up to an empty line, a status, fields up to an empty line, and the body's first bytes. A line
/// that begins with white space belongs to the one before it.
///
/// 1. The naive form decides the same, and leaves the same headers.
/// 2. A request that is not likely, or excluded, is not changed; nor is a response that is to be looked at or asked for again.
/// 3. Nothing that goes out breaks out of its line, and no name is edited twice.
/// 4. A response that is edited has neither a length, a range nor a digest of the origin's, and asks for no second request twice.
/// 5. The tag that goes out comes back as the origin's, and with other tracks not at all.
/// 6. Containers that are used again are as new.
enum HTTPCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = Use(&input.choices)
        let text = ExchangeText(input.text)
        var hands = Hands()
        // What an earlier exchange has left behind.
        _ = use.request(ExchangeText(input.text.reversed()), &hands)

        let request = use.request(text, &hands)
        let expected = use.naive.request(text.method, text.target, text.request)
        let what = "\(text.method) \(text.target) \(text.request)"
        faults.expect("\(request.standing)", is: expected.standing, "law 1, \(what)")
        faults.expect(hands.edited(text.request, &faults), is: Self.sorted(expected.header), "law 1, \(what)")
        faults.expect(request.standing == .likely || hands.edits.isEmpty, "law 2, \(what)")

        let again = use.again(text, after: request, &hands)
        faults.expect(
            hands.edited(text.request, &faults), is: Self.sorted(use.naive.again(text.request)), "law 1, again \(what)")

        for before in [request, again] {
            check(use, text, after: before, &hands, &faults)
        }
        checkTag(use, text, &hands, &faults)
        let bytes = Array(text.body)
        let content = bytes.withUnsafeBytes { HTTPRules.content(of: ByteView($0), isWhole: false) }
        faults.expect(content != nil || bytes.count < 12, "law 1, content of \(bytes)")
    }

    private static func check(
        _ use: Use, _ text: ExchangeText, after request: RequestDecision, _ hands: inout Hands, _ faults: inout Faults
    ) {
        let content = text.content
        for content in content == .unseen ? [content] : [.unseen, content] {
            let response = use.response(text, content, after: request, &hands)
            let expected = use.naive.response(
                text.status, "\(content)", text.response, after: "\(request.standing)", isHead: text.method == "HEAD")
            let what = "\(text.status) \(text.response) \(content) after \(request.standing)"
            let edited = hands.edited(text.response, &faults)
            faults.expect(response.action.words, is: expected.action, "law 1, \(what)")
            faults.expect(edited, is: sorted(expected.header), "law 1, \(what)")
            faults.expect(!response.reason.description.isEmpty, "no words for \(response)")
            switch response.action {
            case .look, .askAgain:
                faults.expect(hands.edits.isEmpty, "law 2, \(what)")
                faults.expect(request.standing != .again || response.action == .look, "law 4, \(what)")
            case .hold, .stream:
                let origin = ["content-length", "content-range", "repr-digest", "content-digest", "digest", "trailer"]
                for name in origin { faults.expect(!edited.contains { $0.hasPrefix(name + ":") }, "law 4, \(what)") }
                faults.expect(request.standing != .excluded, "law 4, \(what)")
                hands.edits.setContentLength(text.body.count)
                let lengths = hands.edited(text.response, &faults).filter { $0.hasPrefix("content-length:") }
                faults.expect(lengths, is: ["content-length:\(text.body.count)"], "law 4, \(what)")
            case .pass: faults.expect(request.standing != .excluded || hands.edits.isEmpty, "law 2, \(what)")
            }
        }
    }

    /// Law 5, of a response that is edited for certain.
    private static func checkTag(_ use: Use, _ text: ExchangeText, _ hands: inout Hands, _ faults: inout Faults) {
        var exchange = ExchangeText([])
        exchange.method = "GET"
        exchange.target = "/a.m3u8"
        let request = use.request(exchange, &hands)
        exchange.response = [NaiveHTTP.Field("Content-Type", "audio/mpegurl")]
        exchange.response += text.response.filter { $0.key == "etag" }
        _ = use.response(exchange, .unseen, after: request, &hands)
        guard let derived = hands.value(of: "ETag") else { return }
        exchange.request = [NaiveHTTP.Field("If-None-Match", derived)]
        _ = use.request(exchange, &hands)
        let origin = NaiveHTTP.trimmed(NaiveHTTP.unfolded(exchange.response[1].value))
        faults.expect(hands.value(of: "If-None-Match"), is: origin, "law 5, \(derived)")
        var other = use
        other.tracks.fingerprint ^= 1
        _ = other.request(exchange, &hands)
        faults.expect(hands.value(of: "If-None-Match"), is: nil, "law 5, \(derived) with other tracks")
    }

    fileprivate static func sorted(_ header: [NaiveHTTP.Field]) -> [String] {
        header.map { "\($0.key):\($0.value)" }.sorted()
    }
}

/// The rules, and the naive form with the same.
private struct Use {
    var rules = HTTPRules()
    var tracks: TracksVersion
    var naive: NaiveHTTP

    init(_ choices: inout Choices) {
        tracks = TracksVersion(fingerprint: choices.pick(HTTPTokens.fingerprints))
        naive = NaiveHTTP(fingerprint: tracks.fingerprint)
        if choices.flag() {
            let time = 784_111_776 + choices.number(upTo: 2)
            tracks.modified = HTTPDate(secondsSinceEpoch: Int64(time))
            naive.modified = time
        }
        naive.longestHeld = choices.pick([65_536, 0, 5, 70_000])
        rules.longestHeld = naive.longestHeld
        if choices.flag() {
            rules.noTransform = .ignored
            naive.obeysNoTransform = false
        }
        let own = choices.pick([nil, ["*"], ["*a*m3u*", "/*/b"], []] as [[String]?])
        if let own {
            naive.patterns = own
            rules.paths = own.compactMap { try? PathPattern($0) }
        }
    }

    func request(_ text: ExchangeText, _ hands: inout Hands) -> RequestDecision {
        hands.fill(text.request)
        return NaiveHTTP.bytes(text.method).withUnsafeBytes { method in
            NaiveHTTP.bytes(text.target).withUnsafeBytes { target in
                let line = RequestLine(method: ByteView(method), target: ByteView(target))
                return rules.decide(line, hands.fields, for: tracks, into: &hands.edits)
            }
        }
    }

    func again(_ text: ExchangeText, after first: RequestDecision, _ hands: inout Hands) -> RequestDecision {
        hands.fill(text.request)
        return rules.decideAgain(hands.fields, after: first, into: &hands.edits)
    }

    func response(
        _ text: ExchangeText, _ content: ResponseHead.Content, after request: RequestDecision, _ hands: inout Hands
    ) -> ResponseDecision {
        hands.fill(text.response)
        let head = ResponseHead(status: text.status, content: content)
        return rules.decide(head, hands.fields, after: request, into: &hands.edits)
    }
}

/// The containers of a connection, used again and again.
private struct Hands: ~Copyable {
    var fields = HeaderFields()
    var edits = HeaderEdits()

    mutating func fill(_ header: [NaiveHTTP.Field]) {
        fields.removeAll()
        for field in header {
            NaiveHTTP.bytes(field.name).withUnsafeBytes { name in
                NaiveHTTP.bytes(field.value).withUnsafeBytes { value in
                    fields.append(ByteView(name), ByteView(value))
                }
            }
        }
    }

    func value(of name: String) -> String? {
        for index in 0..<edits.count {
            let edit = edits[index]
            if NaiveHTTP.text(edit.name) == name { return edit.value.map { NaiveHTTP.text($0) } }
        }
        return nil
    }

    /// `header` after the edits, in the order of names; law 3 on the way.
    func edited(_ header: [NaiveHTTP.Field], _ faults: inout Faults) -> [String] {
        var header = header
        var names: Set<String> = []
        for index in 0..<edits.count {
            let edit = edits[index]
            let name = NaiveHTTP.text(edit.name)
            faults.expect(names.insert(name).inserted, "law 3, \(name) twice")
            let isToken = edit.name.allSatisfy { byte in
                byte == ASCII.hyphen || ASCII.digit(byte) != nil || (byte | 0x20) &- UInt8(ascii: "a") < 26
            }
            faults.expect(isToken && !name.isEmpty, "law 3, the name \(name)")
            let key = NaiveHTTP.lower(name)
            header.removeAll { $0.key == key }
            guard let value = edit.value else { continue }
            faults.expect(!value.contains { $0 < 0x20 || $0 == 0x7F }, "law 3, \(name): \(value)")
            header.append(NaiveHTTP.Field(name, NaiveHTTP.text(value)))
        }
        return HTTPCheck.sorted(header)
    }
}

/// A request and a response, read from one text.
private struct ExchangeText {
    var method = ""
    var target = ""
    var request: [NaiveHTTP.Field] = []
    var status = 0
    var response: [NaiveHTTP.Field] = []
    var body: ArraySlice<UInt8> = []

    init(_ text: [UInt8]) {
        var rest = text[...]
        let first = Self.line(&rest).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        method = String(first[0])
        target = first.count > 1 ? String(first[1]) : ""
        request = Self.fields(&rest)
        status = Int(Self.line(&rest)) ?? 200
        response = Self.fields(&rest)
        body = rest
    }

    /// What the first bytes of the body tell.
    var content: ResponseHead.Content {
        let bytes = Array(body)
        return bytes.withUnsafeBytes { HTTPRules.content(of: ByteView($0), isWhole: true) ?? .unseen }
    }

    private static func line(_ rest: inout ArraySlice<UInt8>) -> String {
        let line = rest.prefix { $0 != 0x0A }
        rest = rest.dropFirst(line.count + 1)
        return NaiveHTTP.text(line)
    }

    private static func fields(_ rest: inout ArraySlice<UInt8>) -> [NaiveHTTP.Field] {
        var fields: [NaiveHTTP.Field] = []
        while !rest.isEmpty {
            let line = line(&rest)
            if line.isEmpty { break }
            if line.first == " " || line.first == "\t", !fields.isEmpty {
                fields[fields.count - 1].value += "\n" + line
            } else {
                let name = line.prefix { $0 != ":" }
                fields.append(NaiveHTTP.Field(String(name), String(line.dropFirst(name.count + 1))))
            }
        }
        return fields
    }
}

extension ResponseDecision.Action {
    fileprivate var words: String {
        switch self {
        case .pass: "pass"
        case .hold(let limit): "hold \(limit)"
        case .stream: "stream"
        case .look: "look"
        case .askAgain: "askAgain"
        }
    }
}
