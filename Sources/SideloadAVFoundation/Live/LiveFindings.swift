#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

/// What has been fetched lately for some of the tracks, kept for those whose cues count in another way.
struct LiveFindings {
    private struct Found {
        let job: FetchJob
        let step: Fetch.Step
        let at: Int64
        /// The groups of tracks that have had it.
        var seenBy: [ObjectIdentifier]
    }

    private var found: [Found] = []

    /// How much is kept.
    private static let most = 4

    /// What a job has come to after the time `since`, unless `group` has had it, and when.
    mutating func find(
        _ job: FetchJob, for group: ObjectIdentifier, since: Int64
    ) -> (step: Fetch.Step, at: Int64)? {
        guard let index = found.firstIndex(where: { $0.job == job && !$0.seenBy.contains(group) && $0.at > since })
        else { return nil }
        found[index].seenBy.append(group)
        return (found[index].step, found[index].at)
    }

    /// Keeps what a job has come to, in place of what it had come to before.
    mutating func keep(_ step: Fetch.Step, of job: FetchJob, at: Int64, seenBy: [ObjectIdentifier]) {
        found.removeAll { $0.job == job }
        if found.count == Self.most { found.removeFirst() }
        found.append(Found(job: job, step: step, at: at, seenBy: seenBy))
    }
}
#endif
