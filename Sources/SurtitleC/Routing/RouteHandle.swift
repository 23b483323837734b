internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8

/// A player's request, which a caller of the C interface keeps: its plan, its resource, and what it gets of that.
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

    /// A route through the router of `handle`.
    init(_ handle: RouterHandle) { router = handle.router }

    // MARK: Plans

    func plan(_ request: RouteRequest, _ place: UnsafeMutablePointer<surtitle_plan>) {
        let plan = router.plan(request)
        state = .planned(Planned(request: request, plan: plan))
        let summary = PlanSummary(plan, router, request)
        texts.removeAll()
        bytes.removeAll()
        let url = summary.url.map { texts.append($0) }
        let description = texts.append(plan.message.bytes)
        fields.set(summary.headers)
        unsafe place.pointee.kind = Int32(summary.kind.rawValue)
        unsafe place.pointee.reason = Int32(summary.reason.rawValue)
        unsafe place.pointee.track = Int64(summary.track ?? -1)
        unsafe place.pointee.url = texts.text(url)
        unsafe place.pointee.fields = fields.start
        unsafe place.pointee.field_count = fields.count
        unsafe place.pointee.description = texts.text(description)
    }

    // MARK: Resources

    func fill(
        _ material: surtitle_material, _ place: UnsafeMutablePointer<surtitle_resource>?
    ) throws(Refusal) {
        let planned: Planned
        switch state {
        case .new: throw Refusal(SURTITLE_INVALID_VALUE)
        case .planned(let known), .filled(let known, _): planned = known
        }
        let made = try unsafe router.resource(of: planned.plan, material)
        state = .filled(planned, made.resource)
        bytes.removeAll()
        let whole = bytes.append(made.resource.bytes)
        let uniformType = made.resource.contentType.uniformType.map { bytes.append($0) }
        let mediaType = bytes.append(made.resource.contentType.mediaType)
        guard let place = unsafe place else { return }
        unsafe place.pointee.bytes = bytes.start(whole)
        unsafe place.pointee.count = whole.count
        unsafe place.pointee.uniform_type = bytes.text(uniformType)
        unsafe place.pointee.media_type = bytes.text(mediaType)
        unsafe place.pointee.verdict = Int32(RewriterReport.verdict(made.verdict).rawValue)
        unsafe place.pointee.exceeded_limit =
            made.exceededLimit.map { Int32(RewriterReport.limit($0.limit).rawValue) } ?? 0
        unsafe place.pointee.added_bytes = UInt64(made.addedBytes)
    }

    // MARK: Answers

    func answer(_ place: UnsafeMutablePointer<surtitle_answer>) throws(Refusal) {
        guard case .filled(let planned, let resource) = state else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let answer = router.answer(planned.request, planned.plan, with: resource)
        var range = 0..<0
        let kind: surtitle_answer_kind
        switch answer.data {
        case .none: kind = SURTITLE_ANSWER_NO_BYTES
        case .range(let some): (kind, range) = (SURTITLE_ANSWER_BYTES, some)
        case .unsatisfiable: kind = SURTITLE_ANSWER_UNSATISFIABLE
        }
        // The types stand behind the bytes.
        let type = answer.information?.contentType.uniformType.map { uniformType in
            resource.bytes.count..<(resource.bytes.count + uniformType.count)
        }
        unsafe place.pointee.kind = Int32(kind.rawValue)
        unsafe place.pointee.has_information = answer.information == nil ? 0 : 1
        unsafe place.pointee.uniform_type = bytes.text(type)
        unsafe place.pointee.length = UInt64(answer.information?.length ?? 0)
        unsafe place.pointee.offset = UInt64(range.lowerBound)
        unsafe place.pointee.bytes = bytes.start(range)
        unsafe place.pointee.count = range.count
    }

    func answer(
        _ method: [UInt8], _ lines: FieldLines, _ place: UnsafeMutablePointer<surtitle_http_answer>
    ) throws(Refusal) {
        let answer: HTTPAnswer
        switch state {
        case .new: throw Refusal(SURTITLE_INVALID_VALUE)
        case .planned(let planned):
            guard let known = planned.plan.httpAnswer else { throw Refusal(SURTITLE_INVALID_VALUE) }
            answer = known
        case .filled(_, let resource): answer = HTTPAnswer(resource, to: method, try lines.kept())
        }
        answerFields.set(answer.headers)
        unsafe place.pointee.http_status = Int32(truncatingIfNeeded: answer.status)
        unsafe place.pointee.reserved = 0
        unsafe place.pointee.fields = answerFields.start
        unsafe place.pointee.field_count = answerFields.count
        unsafe place.pointee.offset = UInt64(answer.body.startIndex)
        unsafe place.pointee.bytes = bytes.start(answer.body.startIndex..<answer.body.endIndex)
        unsafe place.pointee.count = answer.body.count
    }
}
