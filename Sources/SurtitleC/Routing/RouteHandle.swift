// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery

/// A player's request, which a caller of the C interface keeps: its plan, its resource, and what it gets of that.
@safe
final class RouteHandle: Handle {
    /// A request, what it gets, and the resource of that once it is there.
    private struct Planned {
        let request: RouteRequest
        var plan: RoutePlan
        var resource: Resource?
    }

    private let router: Router
    private var planned: Planned?

    // What is handed out: the plan's, the resource's, and an answer's.
    private var texts = HandedTexts()
    private var bytes = HandedTexts()
    private var answerTexts = HandedTexts()
    private var hopTexts = HandedTexts()

    /// The resource as the caller has it.
    private var resource = unsafe surtitle_resource()

    init(_ router: Router) { self.router = router }

    fileprivate func plan(_ request: RouteRequest) -> surtitle_plan {
        let plan = router.plan(request)
        planned = Planned(request: request, plan: plan)
        texts.removeAll()
        bytes.removeAll()
        unsafe resource = surtitle_resource()
        let (url, headers) = router.target(of: plan, for: request)
        let fields = unsafe texts.append(headers)
        return unsafe surtitle_plan(
            size: 0, kind: Int32(plan.numbers.kind.rawValue), reason: Int32(plan.numbers.reason.rawValue),
            track: Int64(plan.track ?? -1), url: surtitle_text(url.map { texts.append($0) }),
            fields: fields.baseAddress, field_count: fields.count,
            description: surtitle_text(texts.append(plan.message.bytes)))
    }

    fileprivate func fill(_ material: surtitle_material) throws(Refusal) -> surtitle_resource {
        guard let plan = planned?.plan else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let made: EditedPlaylist
        do throws(Refusal) {
            made = try unsafe router.resource(of: plan, material)
        } catch {
            if error.status == SURTITLE_NOT_PLAYLIST, let url = router.redirect(insteadOfPlaylist: plan) {
                redirect(to: url)
            }
            throw error
        }
        planned?.resource = made.resource
        bytes.removeAll()
        let uniformType = made.resource.contentType.uniformType.map { bytes.append($0) }
        let mediaType = bytes.append(made.resource.contentType.mediaType)
        let whole = bytes.append(made.resource.bytes)
        unsafe resource = surtitle_resource(
            size: 0, bytes: whole.start, count: whole.count, uniform_type: surtitle_text(uniformType),
            media_type: surtitle_text(mediaType), verdict: RewriterReport.verdict(made.verdict),
            exceeded_limit: RewriterReport.limit(made.exceededLimit), added_bytes: UInt64(made.addedBytes))
        return unsafe resource
    }

    fileprivate func answer() throws(Refusal) -> surtitle_answer {
        guard let planned, let resource = planned.resource else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let answer = router.answer(planned.request, planned.plan, with: resource)
        var (kind, range) = (SURTITLE_ANSWER_NO_BYTES, 0..<0)
        switch answer.data {
        case .none: break
        case .range(let some): (kind, range) = (SURTITLE_ANSWER_BYTES, some)
        case .unsatisfiable: kind = SURTITLE_ANSWER_UNSATISFIABLE
        }
        let type = unsafe answer.information?.contentType.uniformType == nil ? nil : self.resource.uniform_type
        return unsafe surtitle_answer(
            size: 0, kind: Int32(kind.rawValue), has_information: answer.information == nil ? 0 : 1,
            uniform_type: type ?? surtitle_text(nil), length: UInt64(answer.information?.length ?? 0),
            offset: UInt64(range.lowerBound), bytes: start(of: range.lowerBound), count: range.count)
    }

    fileprivate func answer(_ method: [UInt8], _ headers: [HeaderLine]) throws(Refusal) -> surtitle_http_answer {
        let made = planned?.resource.map { HTTPAnswer($0, to: method, headers) }
        guard let answer = made ?? planned?.plan.httpAnswer else { throw Refusal(SURTITLE_INVALID_VALUE) }
        answerTexts.removeAll()
        let fields = unsafe answerTexts.append(answer.headers)
        return unsafe surtitle_http_answer(
            size: 0, http_status: Int32(truncatingIfNeeded: answer.status), reserved: 0, fields: fields.baseAddress,
            field_count: fields.count, offset: UInt64(answer.body.startIndex),
            bytes: start(of: answer.body.startIndex), count: answer.body.count)
    }

    /// Whether a request for the plan may go to `url`. If the client is to go there, the plan is a redirect from then
    /// on.
    fileprivate func hop(
        _ purpose: FetchRequest.Purpose, _ url: [UInt8], _ previous: [UInt8]?
    ) throws(Refusal) -> surtitle_hop {
        guard let planned else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let permission = router.mayFetch(
            url, isHandedOn: planned.plan.handsOn(purpose), for: planned.request, redirectedFrom: previous)
        if permission == .leftToClient { redirect(to: url) }
        hopTexts.removeAll()
        let fields = unsafe hopTexts.append(router.originHeaders(for: planned.request, to: url))
        // Permissions are numbered in the order of surtitle.h.
        return unsafe surtitle_hop(
            size: 0, permission: Int32(permission.rawValue), reserved: 0, fields: fields.baseAddress,
            field_count: fields.count)
    }

    /// Makes the plan a redirect, and forgets what was made for it before.
    private func redirect(to url: [UInt8]) {
        planned?.plan = .redirect(to: url)
        planned?.resource = nil
    }

    private func start(of offset: Int) -> UnsafePointer<UInt8>? { unsafe resource.bytes.map { unsafe $0 + offset } }
}

extension RouteRequest {
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

@c @implementation
public func surtitle_route_create(_ router: OpaquePointer!, _ route: Place<OpaquePointer?>!) -> Int32 {
    unsafe make(route, nil, RouteHandle(try unsafe router.shared(RouterHandle.self).router))
}

@c @implementation
public func surtitle_route_plan(
    _ route: OpaquePointer!, _ request: UnsafePointer<surtitle_route_request>!, _ plan: Place<surtitle_plan>!
) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        try unsafe Arguments.sizedPlace(plan).fill(route.plan(RouteRequest(request)))
    }
}

@c @implementation
public func surtitle_route_fill(
    _ route: OpaquePointer!, _ material: UnsafePointer<surtitle_material>!, _ resource: Place<surtitle_resource>!,
    _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe route.use(RouteHandle.self, error) { route throws(Refusal) in
        try unsafe Arguments.check(resource)
        let made = try unsafe route.fill(Arguments.sized(material))
        unsafe resource?.fill(made)
    }
}

@c @implementation
public func surtitle_route_answer(_ route: OpaquePointer!, _ answer: Place<surtitle_answer>!) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        try unsafe Arguments.sizedPlace(answer).fill(route.answer())
    }
}

@c @implementation
public func surtitle_route_http_answer(
    _ route: OpaquePointer!, _ method: surtitle_text, _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int,
    _ answer: Place<surtitle_http_answer>!
) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(answer)
        let method = try unsafe Arguments.required(Arguments.bytes(of: method))
        try unsafe place.fill(route.answer(method, [HeaderLine](fields, field_count)))
    }
}

@c @implementation
public func surtitle_route_hop(
    _ route: OpaquePointer!, _ purpose: Int32, _ url: surtitle_text, _ previous: surtitle_text,
    _ hop: Place<surtitle_hop>!
) -> Int32 {
    unsafe route.use(RouteHandle.self) { route throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(hop)
        guard let purpose = UInt8(exactly: purpose).flatMap({ FetchRequest.Purpose(rawValue: $0) }) else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let url = try unsafe Arguments.required(Arguments.bytes(of: url))
        try unsafe place.fill(route.hop(purpose, url, Arguments.bytes(of: previous)))
    }
}

@c @implementation
public func surtitle_route_is_public(
    _ address: UnsafePointer<UInt8>!, _ count: Int, _ is_public: Place<Int32>!
) -> Int32 {
    status { () throws(Refusal) in
        let bytes = try unsafe Array(ByteView(Arguments.bytes(address, count)))
        try unsafe Arguments.required(is_public).pointee = PublicHost.isPublic(address: bytes) ? 1 : 0
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_route_destroy(_ route: OpaquePointer!) { unsafe route.destroy(RouteHandle.self) }
