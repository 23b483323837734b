internal import ByteScan
public import CSurtitle
internal import Delivery

extension RouteRequest {
    /// What a caller of the C interface says that a player asks for.
    fileprivate init(_ request: UnsafePointer<surtitle_route_request>?) throws(Refusal) {
        let request = try unsafe Arguments.sized(request)
        guard let url = try unsafe Arguments.bytes(of: request.pointee.url) else {
            throw Refusal(SURTITLE_NULL_ARGUMENT)
        }
        let toEnd = try unsafe Arguments.truth(request.pointee.to_end)
        let length = unsafe Int(clamping: request.pointee.length)
        let bytes = unsafe ByteRequest(offset: request.pointee.offset, length: length, toEnd: toEnd)
        self.init(url, bytes, wantsInformation: try unsafe Arguments.truth(request.pointee.wants_information))
        headers = try unsafe FieldLines(request.pointee.fields, request.pointee.field_count).kept()
        let count = unsafe request.pointee.content_type_count
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard count > 0 else { return }
        guard let types = unsafe request.pointee.content_types else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        for index in 0..<count {
            if let type = try unsafe Arguments.bytes(of: types[index]) { contentTypes.append(type) }
        }
    }
}

/// `surtitle_route_create` of surtitle.h.
@c @implementation
public func surtitle_route_create(_ router: OpaquePointer!, _ route: UnsafeMutablePointer<OpaquePointer?>!) -> Int32 {
    unsafe make(route) { () throws(Refusal) in
        let router = try unsafe router.shared(RouterHandle.self)
        return RouteHandle(router)
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
        try unsafe route.plan(RouteRequest(request), place)
        return SURTITLE_OK.code
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
        let material = try unsafe Arguments.sized(material)
        try unsafe route.fill(material.pointee, resource)
        return SURTITLE_OK.code
    }
}

/// `surtitle_route_answer` of surtitle.h.
@c @implementation
public func surtitle_route_answer(_ route: OpaquePointer!, _ answer: UnsafeMutablePointer<surtitle_answer>!) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(answer)
        try unsafe route.answer(place)
        return SURTITLE_OK.code
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
        guard let method = try unsafe Arguments.bytes(of: method) else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        try unsafe route.answer(method, FieldLines(fields, field_count), place)
        return SURTITLE_OK.code
    }
}

/// `surtitle_route_destroy` of surtitle.h.
@c @implementation
public func surtitle_route_destroy(_ route: OpaquePointer!) { unsafe route.destroy(RouteHandle.self) }
