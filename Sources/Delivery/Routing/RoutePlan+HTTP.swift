internal import ByteScan

extension RoutePlan {
    /// What a proxy answers at once; nil if a resource comes first, of which ``HTTPAnswer`` makes the answer.
    ///
    /// What is not ours is not found here (404).
    public var httpAnswer: HTTPAnswer? {
        switch self {
        case .redirect(let url): .empty(302, HeaderLine("Location", url.escapedForURI))
        case .decline: .notFound
        case .fail(let error): HTTPAnswer(error)
        case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile: nil
        }
    }
}

extension HTTPAnswer {
    /// What is not here: 404.
    public static var notFound: HTTPAnswer { .empty(404) }

    /// What a proxy answers if there is nothing that a request could get: 404 for an unknown track or a malformed address, 403 for an origin
    /// that addresses may not name, and else 502, since it is the origin's fault (RFC 9110 15.5.4, 15.5.5, 15.6.3).
    public init(_ error: RouteError) {
        self =
            if error.isUnknownTrack || error.isMalformedAddress {
                .notFound
            } else {
                .empty(error.isForbiddenOrigin ? 403 : 502)
            }
    }

    /// What a proxy answers if a job of fetching came to nothing: 404 if there is no such thing, 504 if the origin did not answer, and
    /// else 502 (RFC 9110 15.6.3, 15.6.5).
    public init(_ error: FetchError) {
        self =
            switch error.reason.category {
            case .missing: .notFound
            case .network: .empty(504)
            case .refused, .unusable, .limit: .empty(502)
            }
    }
}
