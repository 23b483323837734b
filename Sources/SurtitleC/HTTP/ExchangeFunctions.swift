internal import ByteScan
public import CSurtitle
internal import Delivery

/// `surtitle_exchange_create` of surtitle.h.
@c @implementation
public func surtitle_exchange_create(_ rules: OpaquePointer!, _ exchange: UnsafeMutablePointer<OpaquePointer?>!)
    -> Int32
{
    unsafe make(exchange) { () throws(Refusal) in
        let rules = try unsafe rules.shared(HTTPRulesHandle.self)
        return ExchangeHandle(rules.rules)
    }
}

/// `surtitle_exchange_request` of surtitle.h.
@c @implementation
public func surtitle_exchange_request(
    _ exchange: OpaquePointer!, _ fingerprint: UInt64, _ modified: Int64, _ method: surtitle_text,
    _ target: surtitle_text, _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int,
    _ decision: UnsafeMutablePointer<surtitle_decision>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(decision)
        let date = HTTPDate(secondsSinceEpoch: modified)
        guard modified >= -1, modified == -1 || date != nil else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let tracks = TracksVersion(fingerprint: fingerprint, modified: modified == -1 ? nil : date)
        let line = RequestLine(
            method: try unsafe FieldLines.view(method.bytes, method.count),
            target: try unsafe FieldLines.view(target.bytes, target.count))
        let lines = try unsafe FieldLines(fields, field_count)
        return try unsafe exchange.decide(line, lines, for: tracks).fill(place, from: exchange)
    }
}

/// `surtitle_exchange_request_again` of surtitle.h.
@c @implementation
public func surtitle_exchange_request_again(
    _ exchange: OpaquePointer!, _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int,
    _ decision: UnsafeMutablePointer<surtitle_decision>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(decision)
        return try unsafe exchange.decideAgain(FieldLines(fields, field_count)).fill(place, from: exchange)
    }
}

/// `surtitle_exchange_response` of surtitle.h.
@c @implementation
public func surtitle_exchange_response(
    _ exchange: OpaquePointer!, _ http_status: Int32, _ content: Int32, _ fields: UnsafePointer<surtitle_field>!,
    _ field_count: Int, _ decision: UnsafeMutablePointer<surtitle_decision>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(decision)
        guard content >= 0, let seen = UInt8(exactly: content).flatMap({ ResponseHead.Content(rawValue: $0) }) else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let response = ResponseHead(status: Int(http_status), content: seen)
        return try unsafe exchange.decide(response, FieldLines(fields, field_count)).fill(place, from: exchange)
    }
}

/// `surtitle_exchange_set_length` of surtitle.h.
@c @implementation
public func surtitle_exchange_set_length(
    _ exchange: OpaquePointer!, _ count: UInt64, _ edits: UnsafeMutablePointer<UnsafePointer<surtitle_field>?>!,
    _ edit_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let (place, number) = try unsafe (Arguments.place(edits), Arguments.place(edit_count))
        guard let count = Int(exactly: count) else { throw Refusal(SURTITLE_TOO_LONG) }
        exchange.setContentLength(count)
        let list = unsafe exchange.makeList()
        unsafe place.pointee = list.start
        unsafe number.pointee = list.count
        return SURTITLE_OK.code
    }
}

/// `surtitle_exchange_destroy` of surtitle.h.
@c @implementation
public func surtitle_exchange_destroy(_ exchange: OpaquePointer!) { unsafe exchange.destroy(ExchangeHandle.self) }
