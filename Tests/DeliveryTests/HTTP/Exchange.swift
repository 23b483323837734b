import ByteScan
import Delivery
import Support

/// Asks the rules about requests and responses that are written as texts, a character for each byte.
struct Exchange {
    /// A decision, and its edits as lines in the order of names: `-Range` is removed, `ETag: "a"` is set.
    struct Answer<Decision> {
        let decision: Decision
        let edits: [String]
    }

    static let fingerprint: UInt64 = 0x075b_cd15
    /// What the fingerprint becomes at the end of a tag.
    static let mark = "-surtitle-00000000075bcd15"

    var rules = HTTPRules()
    var tracks = TracksVersion(fingerprint: fingerprint)

    /// `GET target` unless said otherwise.
    func request(_ target: String, _ header: [String] = [], method: String = "GET") -> Answer<RequestDecision> {
        var edits = HeaderEdits()
        let fields = Self.fields(header)
        let decision = Self.view(method) { method in
            Self.view(target) { target in
                rules.decide(RequestLine(method: method, target: target), fields, for: tracks, into: &edits)
            }
        }
        return Answer(decision: decision, edits: Self.lines(edits))
    }

    func again(_ header: [String], after first: RequestDecision) -> Answer<RequestDecision> {
        var edits = HeaderEdits()
        let decision = rules.decideAgain(Self.fields(header), after: first, into: &edits)
        return Answer(decision: decision, edits: Self.lines(edits))
    }

    func response(
        _ status: Int, _ header: [String], after request: RequestDecision, content: ResponseHead.Content = .unseen
    ) -> Answer<ResponseDecision> {
        var edits = HeaderEdits()
        let head = ResponseHead(status: status, content: content)
        let decision = rules.decide(head, Self.fields(header), after: request, into: &edits)
        return Answer(decision: decision, edits: Self.lines(edits))
    }

    /// What comes after `GET /master.m3u8`, or after a path that is none of a playlist.
    func response(_ status: Int, _ header: [String], isLikely: Bool = true) -> Answer<ResponseDecision> {
        response(status, header, after: request(isLikely ? "/master.m3u8" : "/video").decision)
    }

    static func fields(_ header: [String]) -> HeaderFields {
        var fields = HeaderFields()
        fill(&fields, header)
        return fields
    }

    static func fill(_ fields: inout HeaderFields, _ header: [String]) {
        for field in header.map(field) {
            view(field.name) { name in view(field.value) { value in fields.append(name, value) } }
        }
    }

    /// `Name: value`; what comes after the first colon is the value as it is, with the space.
    static func field(_ line: String) -> NaiveHTTP.Field {
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        return NaiveHTTP.Field(String(line[..<colon]), String(line[colon...].dropFirst()))
    }

    static func lines(_ edits: borrowing HeaderEdits) -> [String] {
        var lines: [String] = []
        for index in 0..<edits.count {
            let edit = edits[index]
            let name = NaiveHTTP.text(edit.name)
            lines.append(edit.value.map { "\(name): \(NaiveHTTP.text($0))" } ?? "-\(name)")
        }
        return lines.sorted()
    }

    private static func view<Result>(_ text: String, _ body: (ByteView) -> Result) -> Result {
        NaiveHTTP.bytes(text).withUnsafeBytes { body(ByteView($0)) }
    }
}
