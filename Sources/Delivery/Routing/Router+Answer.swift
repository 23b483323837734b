internal import ByteScan
public import WebVTT

extension Router {
    /// What `request`, whose plan is done, gets of the `resource` that came of it.
    ///
    /// How its first, short form is answered is a policy: see ``RoutePolicies/Probe``.
    public func answer(_ request: RouteRequest, _ plan: RoutePlan, with resource: Resource) -> ResourceAnswer {
        let information = request.wantsInformation ? information(of: resource, for: request) : nil
        let range = data(request.bytes, of: resource)
        switch policies.probe {
        case .exactRange: return ResourceAnswer(information: information, data: range)
        case .dataOnly: return ResourceAnswer(information: nil, data: range)
        case .redirect where plan.hasRedirectedProbe:
            return ResourceAnswer(information: information, data: rest(request.bytes, of: resource))
        case .redirect, .information:
            return ResourceAnswer(information: information, data: request.isProbe ? .none : range)
        }
    }

    /// What the player is told of `resource`: of a key that it may keep, that it may.
    private func information(of resource: Resource, for request: RouteRequest) -> ResourceInformation {
        let told = resource.information
        guard told.contentType == .key, let type = request.contentTypes.first(where: Self.isPersistentKey) else {
            return told
        }
        return ResourceInformation(
            contentType: ContentType(uniformType: type, mediaType: told.contentType.mediaType), length: told.length,
            servesRanges: told.servesRanges)
    }

    private func data(_ bytes: ByteRequest, of resource: Resource) -> ResourceAnswer.Data {
        switch bytes.answer(length: resource.bytes.count) {
        case .range(let range): .range(range)
        case .pastEnd, .malformed: .unsatisfiable
        }
    }

    /// All from the offset on, where any are asked for: the player's length is that of another resource.
    private func rest(_ bytes: ByteRequest, of resource: Resource) -> ResourceAnswer.Data {
        let asked = data(bytes, of: resource)
        guard case .range(let range) = asked, !range.isEmpty else { return asked }
        return .range(range.lowerBound..<resource.bytes.count)
    }

    /// A key as the player gets it.
    public func key(_ bytes: [UInt8]) -> Resource { Resource(bytes, .key) }

    /// A WebVTT file as the player gets it.
    public func subtitleFile(_ bytes: [UInt8]) -> Resource { Resource(bytes, .webVTT) }

    /// What a request for a missing WebVTT file gets: one without cues, with `map` or the policy's; nil if the policy
    /// is that it fails.
    ///
    /// A track that was to be left out gets it too, if that came too late.
    public func missingFile(map: TimestampMap? = nil) -> Resource? {
        guard policies.missingTrack != .fail else { return nil }
        // Eight bytes without a map made a player of iOS 11 hang.
        let map = policies.givenMap ?? map ?? TimestampMap(mpegTS: 0)
        let text = Array(ByteView("WEBVTT\n")) + map.headerLine + [ASCII.lineFeed]
        return Resource(text + [ASCII.lineFeed], .webVTT)
    }
}

extension RoutePlan {
    /// Whether the player has been told the length of the origin's resource.
    fileprivate var hasRedirectedProbe: Bool {
        switch self {
        case .fetch(_, .master), .fetch(_, .playlist), .fetch(_, .mediaPlaylist), .fetch(_, .subtitlePlaylist): true
        default: false
        }
    }
}
