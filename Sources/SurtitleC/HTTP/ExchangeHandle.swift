// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery

/// A request and its response, which a caller of the C interface keeps.
@safe
final class ExchangeHandle: Handle {
    fileprivate let rules: HTTPRules
    fileprivate var fields = HeaderFields()
    fileprivate var edits = HeaderEdits()
    private var list = unsafe ReusableBuffer<surtitle_field>()

    /// What was decided about the request; nil before the first.
    fileprivate var request: RequestDecision?

    init(_ rules: HTTPRules) { self.rules = rules }

    /// Takes the header fields of the next message.
    fileprivate func read(_ lines: UnsafePointer<surtitle_field>?, _ count: Int) throws(Refusal) {
        fields.removeAll()
        try unsafe Arguments.forEach(lines, count) { fields.append($0, $1) }
    }

    fileprivate func decided(_ decision: RequestDecision) -> surtitle_decision {
        request = decision
        // Standings are numbered in the order of surtitle.h.
        return unsafe decided(surtitle_http_action(numericCast(decision.standing.rawValue)), decision.reason)
    }

    fileprivate func decided(_ decision: ResponseDecision) -> surtitle_decision {
        switch decision.action {
        case .pass: unsafe decided(SURTITLE_RESPONSE_PASS, decision.reason)
        case .hold(let count): unsafe decided(SURTITLE_RESPONSE_HOLD, decision.reason, holding: count)
        case .stream: unsafe decided(SURTITLE_RESPONSE_STREAM, decision.reason)
        case .look: unsafe decided(SURTITLE_RESPONSE_LOOK, decision.reason)
        case .askAgain: unsafe decided(SURTITLE_RESPONSE_ASK_AGAIN, decision.reason)
        }
    }

    private func decided(
        _ action: surtitle_http_action, _ reason: DecisionReason, holding count: Int = 0
    ) -> surtitle_decision {
        let edits = unsafe makeList()
        return unsafe surtitle_decision(
            size: 0, action: Int32(action.rawValue), reason: Int32(reason.rawValue), hold_bytes: UInt64(count),
            edits: edits.baseAddress, edit_count: edits.count)
    }

    /// The edits, until the next call.
    fileprivate func makeList() -> UnsafeBufferPointer<surtitle_field> {
        unsafe list.removeAll()
        for index in 0..<edits.count { unsafe list.append(surtitle_field(edits[index].name, edits[index].value)) }
        return unsafe list.elements
    }
}

@c @implementation
public func surtitle_exchange_create(_ rules: OpaquePointer!, _ exchange: Place<OpaquePointer?>!) -> Int32 {
    unsafe make(exchange, nil, ExchangeHandle(try unsafe rules.shared(HTTPRulesHandle.self).rules))
}

@c @implementation
public func surtitle_exchange_request(
    _ exchange: OpaquePointer!, _ fingerprint: UInt64, _ modified: Int64, _ method: surtitle_text,
    _ target: surtitle_text, _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int,
    _ decision: Place<surtitle_decision>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(decision)
        let date = HTTPDate(secondsSinceEpoch: modified)
        guard modified >= -1, modified == -1 || date != nil else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let tracks = TracksVersion(fingerprint: fingerprint, modified: modified == -1 ? nil : date)
        let line = try unsafe RequestLine(
            method: Arguments.view(method) ?? ByteView(), target: Arguments.view(target) ?? ByteView())
        try unsafe exchange.read(fields, field_count)
        let decision = exchange.rules.decide(line, exchange.fields, for: tracks, into: &exchange.edits)
        unsafe place.fill(exchange.decided(decision))
    }
}

@c @implementation
public func surtitle_exchange_request_again(
    _ exchange: OpaquePointer!, _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int,
    _ decision: Place<surtitle_decision>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(decision)
        guard let request = exchange.request else { throw Refusal(SURTITLE_INVALID_VALUE) }
        try unsafe exchange.read(fields, field_count)
        let decision = exchange.rules.decideAgain(exchange.fields, after: request, into: &exchange.edits)
        unsafe place.fill(exchange.decided(decision))
    }
}

@c @implementation
public func surtitle_exchange_response(
    _ exchange: OpaquePointer!, _ http_status: Int32, _ content: Int32, _ fields: UnsafePointer<surtitle_field>!,
    _ field_count: Int, _ decision: Place<surtitle_decision>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(decision)
        guard let request = exchange.request, let number = UInt8(exactly: content),
            let seen = ResponseHead.Content(rawValue: number)
        else { throw Refusal(SURTITLE_INVALID_VALUE) }
        try unsafe exchange.read(fields, field_count)
        let response = ResponseHead(status: Int(http_status), content: seen)
        let decision = exchange.rules.decide(response, exchange.fields, after: request, into: &exchange.edits)
        unsafe place.fill(exchange.decided(decision))
    }
}

@c @implementation
public func surtitle_exchange_set_length(
    _ exchange: OpaquePointer!, _ count: UInt64, _ edits: StartPlace<surtitle_field>!, _ edit_count: Place<Int>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe ArrayPlace(edits, edit_count)
        guard let count = Int(exactly: count) else { throw Refusal(SURTITLE_TOO_LONG) }
        exchange.edits.setContentLength(count)
        unsafe place.give(exchange.makeList())
    }
}

@c @implementation
public func surtitle_exchange_destroy(_ exchange: OpaquePointer!) { unsafe exchange.destroy(ExchangeHandle.self) }
