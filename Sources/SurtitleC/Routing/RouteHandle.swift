internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8

/// A player's request, which a caller of the C interface keeps: its plan, its resource, and what it gets of that.
@safe
final class RouteHandle: Handle {
    private struct Planned {
        let request: RouteRequest
        let plan: RoutePlan
    }

    private enum State {
        /// There is no request yet.
        case new
        /// What the request gets is known.
        case planned(Planned)
        /// And so is the resource.
        case filled(Planned, Resource)
    }

    private let router: Router
    private var state = State.new

    // What is handed out: the plan's, the resource's, and an answer's.
    private var texts = HandedTexts()
    private var fields = HandedFields()
    private var bytes = HandedTexts()
    private var answerFields = HandedFields()

    /// The resource as the caller has it.
    private var resource = unsafe surtitle_resource()

    init(_ router: Router) { self.router = router }

    // MARK: Plans

    func plan(_ request: RouteRequest) -> surtitle_plan {
        let plan = router.plan(request)
        state = .planned(Planned(request: request, plan: plan))
        texts.removeAll()
        bytes.removeAll()
        unsafe resource = surtitle_resource()
        let (url, headers) = router.target(of: plan, for: request)
        let fields = unsafe self.fields.set(headers)
        return unsafe surtitle_plan(
            size: 0, kind: Int32(plan.numbers.kind.rawValue), reason: Int32(plan.numbers.reason.rawValue),
            track: Int64(plan.track ?? -1), url: surtitle_text(url.map { texts.append($0) }),
            fields: fields.baseAddress, field_count: fields.count,
            description: surtitle_text(texts.append(plan.message.bytes)))
    }

    // MARK: Resources

    func fill(_ material: surtitle_material) throws(Refusal) -> surtitle_resource {
        let planned: Planned
        switch state {
        case .new: throw Refusal(SURTITLE_INVALID_VALUE)
        case .planned(let known), .filled(let known, _): planned = known
        }
        let made = try unsafe router.resource(of: planned.plan, material)
        state = .filled(planned, made.resource)
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

    // MARK: Answers

    func answer() throws(Refusal) -> surtitle_answer {
        guard case .filled(let planned, let resource) = state else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let answer = router.answer(planned.request, planned.plan, with: resource)
        var range = 0..<0
        let kind: surtitle_answer_kind
        switch answer.data {
        case .none: kind = SURTITLE_ANSWER_NO_BYTES
        case .range(let some): (kind, range) = (SURTITLE_ANSWER_BYTES, some)
        case .unsatisfiable: kind = SURTITLE_ANSWER_UNSATISFIABLE
        }
        let type = unsafe answer.information?.contentType.uniformType == nil ? nil : self.resource.uniform_type
        return unsafe surtitle_answer(
            size: 0, kind: Int32(kind.rawValue), has_information: answer.information == nil ? 0 : 1,
            uniform_type: type ?? surtitle_text(nil), length: UInt64(answer.information?.length ?? 0),
            offset: UInt64(range.lowerBound), bytes: start(of: range.lowerBound), count: range.count)
    }

    func answer(_ method: [UInt8], _ headers: [HeaderLine]) throws(Refusal) -> surtitle_http_answer {
        let answer: HTTPAnswer
        switch state {
        case .new: throw Refusal(SURTITLE_INVALID_VALUE)
        case .planned(let planned):
            guard let known = planned.plan.httpAnswer else { throw Refusal(SURTITLE_INVALID_VALUE) }
            answer = known
        case .filled(_, let resource): answer = HTTPAnswer(resource, to: method, headers)
        }
        let fields = unsafe answerFields.set(answer.headers)
        return unsafe surtitle_http_answer(
            size: 0, http_status: Int32(truncatingIfNeeded: answer.status), reserved: 0, fields: fields.baseAddress,
            field_count: fields.count, offset: UInt64(answer.body.startIndex),
            bytes: start(of: answer.body.startIndex), count: answer.body.count)
    }

    /// Where the resource's byte at `offset` is.
    private func start(of offset: Int) -> UnsafePointer<UInt8>? { unsafe resource.bytes.map { unsafe $0 + offset } }
}
