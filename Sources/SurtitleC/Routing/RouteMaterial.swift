internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import Sideload

extension Router {
    /// What `plan` is for, made of what a caller has fetched and put into a struct.
    func resource(of plan: RoutePlan, _ material: surtitle_material) throws(Refusal) -> EditedPlaylist {
        let flags = unsafe material.flags
        guard flags <= SURTITLE_MATERIAL_READY.rawValue, unsafe material.reserved == 0 else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let bytes = try unsafe Array(ByteView(Arguments.bytes(material.bytes, material.count)))
        let url = try unsafe Arguments.bytes(of: material.url)
        let nanoseconds = unsafe material.duration_nanoseconds
        let duration = nanoseconds == 0 ? nil : MediaDuration(nanoseconds: nanoseconds)
        let leftOut = try unsafe leftOut(material.left_out, material.left_out_count)
        guard plan.givesResource else { throw Refusal(SURTITLE_INVALID_VALUE) }
        if flags == SURTITLE_MATERIAL_READY.rawValue { return EditedPlaylist(Resource(bytes, plan.contentType)) }
        let answer = flags == 0 ? answer(for: plan, bytes, from: url, lasting: duration) : nil
        let substitute: Resource?
        do throws(RouteError) {
            if let answer { return try resource(for: plan, from: answer, leavingOut: leftOut) }
            substitute = try resource(insteadOf: plan, lasting: duration)
        } catch {
            throw Refusal(error)
        }
        guard let substitute else { throw Refusal(SURTITLE_NOT_FOUND) }
        return EditedPlaylist(substitute)
    }

    private func leftOut(_ start: UnsafePointer<Int>?, _ count: Int) throws(Refusal) -> [Int] {
        let given = try unsafe Arguments.array(start, count)
        var indices: [Int] = []
        for place in given.indices {
            let index = unsafe given[place]
            guard tracks.indices.contains(index) else { throw Refusal(SURTITLE_INVALID_VALUE).of("left_out", place) }
            if !indices.contains(index) { indices.append(index) }
        }
        return indices
    }
}
