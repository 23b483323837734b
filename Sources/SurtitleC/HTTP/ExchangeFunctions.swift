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
        let method = try unsafe Arguments.view(method) ?? ByteView()
        let target = try unsafe Arguments.view(target) ?? ByteView()
        try unsafe exchange.read(fields, field_count)
        unsafe place.fill(exchange.decide(RequestLine(method: method, target: target), for: tracks))
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
        try unsafe exchange.read(fields, field_count)
        try unsafe place.fill(exchange.decideAgain())
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
        try unsafe exchange.read(fields, field_count)
        try unsafe place.fill(exchange.decide(response))
    }
}

/// `surtitle_exchange_set_length` of surtitle.h.
@c @implementation
public func surtitle_exchange_set_length(
    _ exchange: OpaquePointer!, _ count: UInt64, _ edits: UnsafeMutablePointer<UnsafePointer<surtitle_field>?>!,
    _ edit_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe exchange.use(ExchangeHandle.self) { exchange throws(Refusal) in
        let place = try unsafe ArrayPlace(edits, edit_count)
        guard let count = Int(exactly: count) else { throw Refusal(SURTITLE_TOO_LONG) }
        exchange.setContentLength(count)
        unsafe place.give(exchange.makeList())
    }
}

/// `surtitle_exchange_destroy` of surtitle.h.
@c @implementation
public func surtitle_exchange_destroy(_ exchange: OpaquePointer!) { unsafe exchange.destroy(ExchangeHandle.self) }
