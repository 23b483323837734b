internal import ByteScan
public import CSurtitle
internal import Delivery

extension RouteRequest {
    /// What a caller of the C interface says that a player asks for.
    fileprivate init(_ request: UnsafePointer<surtitle_route_request>?) throws(Refusal) {
        let request = try unsafe Arguments.sized(request)
        let url = try unsafe Arguments.required(Arguments.bytes(of: request.url))
        let toEnd = try unsafe Arguments.truth(request.to_end)
        let bytes = unsafe ByteRequest(offset: request.offset, length: Int(clamping: request.length), toEnd: toEnd)
        self.init(url, bytes, wantsInformation: try unsafe Arguments.truth(request.wants_information))
        headers = try unsafe [HeaderLine](request.fields, request.field_count)
        let types = try unsafe Arguments.array(request.content_types, request.content_type_count)
        for index in types.indices {
            if let type = try unsafe Arguments.bytes(of: types[index]) { contentTypes.append(type) }
        }
    }
}

extension [HeaderLine] {
    /// The caller's header field lines, without white space around their values.
    fileprivate init(_ fields: UnsafePointer<surtitle_field>?, _ count: Int) throws(Refusal) {
        self = []
        try unsafe Arguments.forEach(fields, count) { append(HeaderLine([UInt8]($0), [UInt8]($1.trimmed))) }
    }
}

/// `surtitle_route_create` of surtitle.h.
@c @implementation
public func surtitle_route_create(_ router: OpaquePointer!, _ route: UnsafeMutablePointer<OpaquePointer?>!) -> Int32 {
    unsafe make(route) { () throws(Refusal) in
        RouteHandle(try unsafe router.shared(RouterHandle.self).router)
    }
}

/// `surtitle_route_plan` of surtitle.h.
@c @implementation
public func surtitle_route_plan(
    _ route: OpaquePointer!, _ request: UnsafePointer<surtitle_route_request>!,
    _ plan: UnsafeMutablePointer<surtitle_plan>!
) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(plan)
        try unsafe place.fill(route.plan(RouteRequest(request)))
    }
}

/// `surtitle_route_fill` of surtitle.h.
@c @implementation
public func surtitle_route_fill(
    _ route: OpaquePointer!, _ material: UnsafePointer<surtitle_material>!,
    _ resource: UnsafeMutablePointer<surtitle_resource>!, _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe route.use(RouteHandle.self, error) { route throws(Refusal) in
        try unsafe Arguments.check(resource)
        let made = try unsafe route.fill(Arguments.sized(material))
        unsafe resource?.fill(made)
    }
}

/// `surtitle_route_answer` of surtitle.h.
@c @implementation
public func surtitle_route_answer(_ route: OpaquePointer!, _ answer: UnsafeMutablePointer<surtitle_answer>!) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(answer)
        try unsafe place.fill(route.answer())
    }
}

/// `surtitle_route_http_answer` of surtitle.h.
@c @implementation
public func surtitle_route_http_answer(
    _ route: OpaquePointer!, _ method: surtitle_text, _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int,
    _ answer: UnsafeMutablePointer<surtitle_http_answer>!
) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(answer)
        let method = try unsafe Arguments.required(Arguments.bytes(of: method))
        try unsafe place.fill(route.answer(method, [HeaderLine](fields, field_count)))
    }
}

/// `surtitle_route_destroy` of surtitle.h.
@c @implementation
public func surtitle_route_destroy(_ route: OpaquePointer!) { unsafe route.destroy(RouteHandle.self) }
