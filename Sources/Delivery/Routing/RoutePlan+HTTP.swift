internal import ByteScan

extension RoutePlan {
    /// What a proxy answers at once; nil if a resource comes first, of which ``HTTPAnswer`` makes the answer.
    ///
    /// What is not ours is not found here (404), and so is an unknown track.
    public var httpAnswer: HTTPAnswer? {
        switch self {
        case .redirect(let url): .empty(302, HeaderLine("Location", url.escapedForURI))
        case .decline: .empty(404)
        case .fail(let error): .empty(error.isUnknownTrack || error.isMalformedAddress ? 404 : 502)
        case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile: nil
        }
    }
}
