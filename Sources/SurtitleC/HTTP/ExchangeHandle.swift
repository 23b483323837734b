internal import ByteScan
internal import CSurtitle
internal import Delivery

/// A request and its response, which a caller of the C interface keeps.
@safe
final class ExchangeHandle: Handle {
    private let rules: HTTPRules
    private var fields = HeaderFields()
    private var edits = HeaderEdits()
    private var list = unsafe ReusableBuffer<surtitle_field>()

    /// What was decided about the request; nil before the first.
    private var request: RequestDecision?

    init(_ rules: HTTPRules) { self.rules = rules }

    /// Takes the header fields of the next message.
    func read(_ lines: UnsafePointer<surtitle_field>?, _ count: Int) throws(Refusal) {
        fields.removeAll()
        try unsafe Arguments.forEach(lines, count) { fields.append($0, $1) }
    }

    func decide(_ line: RequestLine, for tracks: TracksVersion) -> surtitle_decision {
        unsafe decided(rules.decide(line, fields, for: tracks, into: &edits))
    }

    func decideAgain() throws(Refusal) -> surtitle_decision {
        guard let request else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return unsafe decided(rules.decideAgain(fields, after: request, into: &edits))
    }

    private func decided(_ decision: RequestDecision) -> surtitle_decision {
        request = decision
        let action =
            switch decision.standing {
            case .likely: SURTITLE_REQUEST_LIKELY
            case .unlikely: SURTITLE_REQUEST_UNLIKELY
            case .again: SURTITLE_REQUEST_AGAIN
            case .excluded: SURTITLE_REQUEST_EXCLUDED
            }
        return unsafe self.decision(action, decision.reason.code)
    }

    func decide(_ response: ResponseHead) throws(Refusal) -> surtitle_decision {
        guard let request else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let decision = rules.decide(response, fields, after: request, into: &edits)
        switch decision.action {
        case .pass: return unsafe self.decision(SURTITLE_RESPONSE_PASS, decision.reason.code)
        case .hold(let count): return unsafe self.decision(SURTITLE_RESPONSE_HOLD, decision.reason.code, holding: count)
        case .stream: return unsafe self.decision(SURTITLE_RESPONSE_STREAM, decision.reason.code)
        case .look: return unsafe self.decision(SURTITLE_RESPONSE_LOOK, decision.reason.code)
        case .askAgain: return unsafe self.decision(SURTITLE_RESPONSE_ASK_AGAIN, decision.reason.code)
        }
    }

    func setContentLength(_ count: Int) { edits.setContentLength(count) }

    private func decision(_ action: surtitle_http_action, _ reason: UInt8, holding count: Int = 0) -> surtitle_decision
    {
        let edits = unsafe makeList()
        return unsafe surtitle_decision(
            size: 0, action: Int32(action.rawValue), reason: Int32(reason), hold_bytes: UInt64(count),
            edits: edits.baseAddress, edit_count: edits.count)
    }

    /// The edits, until the next call.
    func makeList() -> UnsafeBufferPointer<surtitle_field> {
        unsafe list.removeAll()
        for index in 0..<edits.count { unsafe list.append(surtitle_field(edits[index].name, edits[index].value)) }
        return unsafe list.elements
    }
}
