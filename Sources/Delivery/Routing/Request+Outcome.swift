internal import ByteScan
internal import M3U8
internal import Sideload

// What becomes of what was fetched, and what takes its place.

extension Router.Request {
    mutating func take(_ step: Fetch.Step, ofTrack track: Int) {
        if step.isUnderWay { return }
        guard let place = unknown.firstIndex(of: track) else { return }
        unknown.remove(at: place)
        if case .failure(let error) = step, error.showsThatNothingIsThere {
            leftOut.append(LeftOut(track: track, reason: .fetch(error)))
        }
        conclude()
    }

    mutating func conclude() {
        guard end == nil, let brought, unknown.isEmpty else { return }
        do throws(RouteError) {
            var made = try made(of: brought)
            if case .text(let text) = brought {
                made.isUnchanged = !text.isChanged
                (made.map, made.mapFailure) = (text.map, text.mapFailure)
            }
            end = .answer(made)
        } catch {
            end = redirect(because: .route(error)) ?? substitute(for: .route(error))
        }
    }

    /// The redirect to what was fetched in vain: because it is no playlist, or because its origin has redirected to
    /// where only the client may go. Nil for any other failure, and for what had to be a playlist.
    func redirect(because failure: Failure) -> Step? {
        switch failure {
        case .fetch(let error):
            switch error.reason {
            case .redirect(let found):
                let permission = permission(error.purpose, found.target, found.source)
                return permission == .leftToClient ? .redirect(to: found.target) : nil
            case .notPlaylist, .movie, .tooLong: break
            default: return nil
            }
        case .route(let error): if error.verdict != .notPlaylist { return nil }
        }
        return router.redirect(insteadOfPlaylist: plan).map { .redirect(to: $0) }
    }

    /// What becomes of `answer`. A media playlist in place of the entry is wrapped into a multivariant one, so that it
    /// can have the tracks.
    private func made(of answer: FetchAnswer) throws(RouteError) -> Made {
        let absent = plan.track == nil ? leftOut.map { $0.track } : missing
        let made = try router.resource(for: plan, from: answer, leavingOut: absent)
        guard case .fetch(_, .master) = plan, case .playlist(let media) = answer else {
            return Made(made.resource, mayBeKept: !answer.lacksMap)
        }
        guard made.verdict == .media else {
            return Made(made.resource, mayBeKept: true, without: leftOut, in: nil)
        }
        var leftOut = leftOut
        if !PlaylistFacts(of: media.bytes).isComplete {
            // A playlist that is made for a file is complete, and of a length that the video has not yet.
            for index in router.tracks.indices where router.tracks[index].file != nil {
                if isBesideLive, router.tracks[index].configuration.followsLiveStreams { continue }
                guard !leftOut.contains(where: { $0.track == index }) else { continue }
                leftOut.append(LeftOut(track: index, reason: .route(RouteError(.liveVideo, track: index))))
            }
        }
        guard leftOut.count < router.tracks.count else {
            return Made(made.resource, mayBeKept: true, without: leftOut, in: nil)
        }
        var variant = router.wrapping ?? WrappedVariant(uri: "")
        variant.uri = String(utf8: media.url.escapedForURI)
        let wrapped = try refusing(try variant.playlist(around: media.bytes)) { RouteError(.wrapping($0)) }
        let entry = try router.master(wrapped, from: media.url, leavingOut: leftOut.map { $0.track })
        return Made(entry.resource, mayBeKept: true, without: leftOut, in: variant)
    }

    /// Whether something may take the place of what the answer is made of.
    var hasSubstitute: Bool { router.policies.missingTrack != .fail && plan.isOfSubtitles }

    /// What takes the place of what did not come, because of `failure`. It may be there the next time.
    func substitute(for failure: Failure, isLate: Bool = false) -> Step {
        guard let resource = try? router.resource(insteadOf: plan, isLate: isLate) else { return .fail(failure) }
        return .answer(Made(resource, missing: isLate ? nil : plan.track, mayBeKept: false, because: failure))
    }
}

extension FetchError {
    /// Whether a track is certainly of no use: if there is no answer, or the origin is in trouble, nobody knows.
    fileprivate var showsThatNothingIsThere: Bool {
        switch reason.category {
        case .missing, .unusable: true
        case .refused: status.map { 400..<500 ~= $0 } ?? false
        case .network, .limit: false
        }
    }
}

extension FetchAnswer {
    /// Whether it is a file without the map that the video would have told, had there been an answer.
    fileprivate var lacksMap: Bool {
        guard case .text(let text) = self, let failure = text.mapFailure else { return false }
        return failure.reason.category == .network || failure.reason.category == .refused
    }
}
