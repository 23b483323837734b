internal import ByteScan
public import CSurtitle
internal import Delivery

/// `surtitle_fetch_create` of surtitle.h.
@c @implementation
public func surtitle_fetch_create(
    _ settings: UnsafePointer<surtitle_fetch_settings>!, _ fetch: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
    unsafe make(fetch) { () throws(Refusal) in
        FetchHandle(try unsafe FetchSettings(Arguments.sized(settings)))
    }
}

/// `surtitle_fetch_create_for` of surtitle.h.
@c @implementation
public func surtitle_fetch_create_for(
    _ router: OpaquePointer!, _ track: Int, _ job: Int32, _ fetch: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
    unsafe make(fetch) { () throws(Refusal) in
        FetchHandle(try unsafe FetchSettings(router.shared(RouterHandle.self).router, track, job))
    }
}

/// `surtitle_fetch_next` of surtitle.h.
@c @implementation
public func surtitle_fetch_next(_ fetch: OpaquePointer!, _ request: UnsafeMutablePointer<surtitle_fetch_request>!)
    -> Int32
{
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(request)
        return unsafe fetch.next(place)
    }
}

/// `surtitle_fetch_begin` of surtitle.h.
@c @implementation
public func surtitle_fetch_begin(
    _ fetch: OpaquePointer!, _ http_status: Int32, _ url: surtitle_text, _ is_decoded: Int32,
    _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int
) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        let response = FetchResponse(
            status: Int(http_status), url: try unsafe Arguments.bytes(of: url),
            isDecoded: try Arguments.truth(is_decoded))
        return try unsafe fetch.begin(response, fields, field_count)
    }
}

/// `surtitle_fetch_write` of surtitle.h.
@c @implementation
public func surtitle_fetch_write(_ fetch: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe fetch.write(Arguments.bytes(bytes, count))
    }
}

/// `surtitle_fetch_finish` of surtitle.h.
@c @implementation
public func surtitle_fetch_finish(_ fetch: OpaquePointer!) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        fetch.finish()
    }
}

/// `surtitle_fetch_fail` of surtitle.h.
@c @implementation
public func surtitle_fetch_fail(_ fetch: OpaquePointer!) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        fetch.fail()
    }
}

/// `surtitle_fetch_result` of surtitle.h.
@c @implementation
public func surtitle_fetch_result(_ fetch: OpaquePointer!, _ result: UnsafeMutablePointer<surtitle_fetched>!) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(result)
        return unsafe fetch.result(place)
    }
}

/// `surtitle_fetch_held_bytes` of surtitle.h.
@c @implementation
public func surtitle_fetch_held_bytes(_ fetch: OpaquePointer!, _ held: UnsafeMutablePointer<UInt64>!) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe Arguments.required(held).pointee = UInt64(fetch.heldBytes)
    }
}

/// `surtitle_fetch_reset` of surtitle.h.
@c @implementation
public func surtitle_fetch_reset(_ fetch: OpaquePointer!) -> Int32 { unsafe fetch.reset() }

/// `surtitle_fetch_destroy` of surtitle.h.
@c @implementation
public func surtitle_fetch_destroy(_ fetch: OpaquePointer!) { unsafe fetch.destroy(FetchHandle.self) }
