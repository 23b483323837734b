internal import ByteScan
internal import CSurtitle
internal import Delivery

/// A request and its response, which a caller of the C interface keeps.
final class ExchangeHandle: Handle {
    /// An edit, laid out as the C struct is.
    @safe
    private struct CField {
        let field: surtitle_field
    }

    private let rules: HTTPRules
    private var fields = HeaderFields()
    private var edits = HeaderEdits()
    private var list = GrowingArray<CField>()

    /// What was decided about the request; nil before the first.
    private var request: RequestDecision?

    init(_ rules: HTTPRules) { self.rules = rules }

    func decide(_ line: RequestLine, _ lines: FieldLines, for tracks: TracksVersion) throws(Refusal) -> Decision {
        try read(lines)
        let decision = rules.decide(line, fields, for: tracks, into: &edits)
        request = decision
        return Decision(of: decision)
    }

    func decideAgain(_ lines: FieldLines) throws(Refusal) -> Decision {
        guard let request else { throw Refusal(SURTITLE_INVALID_VALUE) }
        try read(lines)
        let decision = rules.decideAgain(fields, after: request, into: &edits)
        self.request = decision
        return Decision(of: decision)
    }

    func decide(_ response: ResponseHead, _ lines: FieldLines) throws(Refusal) -> Decision {
        guard let request else { throw Refusal(SURTITLE_INVALID_VALUE) }
        try read(lines)
        return Decision(of: rules.decide(response, fields, after: request, into: &edits))
    }

    func setContentLength(_ count: Int) { edits.setContentLength(count) }

    private func read(_ lines: FieldLines) throws(Refusal) {
        fields.removeAll()
        try lines.append(to: &fields)
    }

    /// Where the edits are, and how many, until the next call.
    func makeList() -> (start: UnsafePointer<surtitle_field>?, count: Int) {
        list.removeAll()
        for index in 0..<edits.count {
            let edit = edits[index]
            let name = unsafe edit.name.buffer
            let value = unsafe edit.value?.buffer
            unsafe list.append(
                CField(
                    field: surtitle_field(
                        name: name.baseAddress?.assumingMemoryBound(to: CChar.self), name_count: name.count,
                        value: value?.baseAddress?.assumingMemoryBound(to: CChar.self), value_count: value?.count ?? 0))
            )
        }
        return unsafe (list.start(as: surtitle_field.self), list.count)
    }
}

/// The header field lines of a caller.
@safe
struct FieldLines {
    private let fields: UnsafePointer<surtitle_field>?
    private let count: Int

    init(_ fields: UnsafePointer<surtitle_field>?, _ count: Int) throws(Refusal) {
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard unsafe fields != nil || count == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        unsafe self.fields = fields
        self.count = count
    }

    func append(to headers: inout HeaderFields) throws(Refusal) {
        guard let fields = unsafe fields else { return }
        for index in 0..<count {
            let name = try unsafe Self.view(fields[index].name, fields[index].name_count)
            headers.append(name, try unsafe Self.view(fields[index].value, fields[index].value_count))
        }
    }

    /// The lines, to be kept, without white space around their values.
    func kept() throws(Refusal) -> [HeaderLine] {
        guard let fields = unsafe fields else { return [] }
        var lines: [HeaderLine] = []
        for index in 0..<count {
            let name = try unsafe Self.view(fields[index].name, fields[index].name_count)
            let value = try unsafe Self.view(fields[index].value, fields[index].value_count)
            lines.append(HeaderLine(Array(name), Array(value.trimmed)))
        }
        return lines
    }

    /// A text of a message, which may be any bytes.
    static func view(_ bytes: UnsafePointer<CChar>?, _ count: Int) throws(Refusal) -> ByteView {
        let bytes = unsafe bytes.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
        return try unsafe ByteView(Arguments.bytes(bytes, count))
    }
}

/// What was decided, as a `surtitle_decision` tells it.
struct Decision {
    let action: surtitle_http_action
    let reason: UInt8
    var heldBytes = 0

    init(of decision: RequestDecision) {
        action =
            switch decision.standing {
            case .likely: SURTITLE_REQUEST_LIKELY
            case .unlikely: SURTITLE_REQUEST_UNLIKELY
            case .again: SURTITLE_REQUEST_AGAIN
            case .excluded: SURTITLE_REQUEST_EXCLUDED
            }
        reason = decision.reason.rawValue
    }

    init(of decision: ResponseDecision) {
        switch decision.action {
        case .pass: action = SURTITLE_RESPONSE_PASS
        case .hold(let count):
            action = SURTITLE_RESPONSE_HOLD
            heldBytes = count
        case .stream: action = SURTITLE_RESPONSE_STREAM
        case .look: action = SURTITLE_RESPONSE_LOOK
        case .askAgain: action = SURTITLE_RESPONSE_ASK_AGAIN
        }
        reason = decision.reason.rawValue
    }

    /// Fills all but the size.
    func fill(_ place: UnsafeMutablePointer<surtitle_decision>, from exchange: ExchangeHandle) -> Int32 {
        let edits = unsafe exchange.makeList()
        unsafe place.pointee.action = Int32(action.rawValue)
        unsafe place.pointee.reason = Int32(reason)
        unsafe place.pointee.hold_bytes = UInt64(heldBytes)
        unsafe place.pointee.edits = edits.start
        unsafe place.pointee.edit_count = edits.count
        return SURTITLE_OK.code
    }
}
