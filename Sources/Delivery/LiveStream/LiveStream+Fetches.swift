internal import ByteScan

// What a stream has fetched: each playlist by one for all who ask, time stamps, and what has come of them.
extension LiveStream {
    /// Fetches the playlist for `ask`, unless somebody does.
    mutating func fetchPlaylist(_ ask: inout LiveAsk, _ directives: LiveDirectives?, at now: Int64) -> Step {
        ask.hasFetched = true
        if let same = running.firstIndex(where: { $0.segment == nil && $0.directives == directives }) {
            ask.waitsFor = running[same].fetch
            return .wait
        }
        // After a failure others do not ask again at once.
        if directives == nil, let failure, now - failure.at < min(freshness, 1000) { return step(&ask, at: now) }
        let fetch = begin(nil, directives, at: now)
        ask.waitsFor = fetch
        return .fetch(.livePlaylist(directives?.url(of: playlist) ?? playlist), fetch)
    }

    /// Fetches the time stamp of segment `number` for `ask`, unless somebody does.
    mutating func fetchStart(of number: UInt64, _ ask: inout LiveAsk, at now: Int64) -> Step {
        if let same = running.first(where: { fetches($0, startOf: number) }) {
            ask.waitsFor = same.fetch
            return .wait
        }
        guard let want = channel.wants.first(where: { $0.segment == number }) else {
            // It can be wanted of a version only: the next one tells.
            if ask.hasFetched { return .segment(unknownSpan(ask.name)) }
            return fetchPlaylist(&ask, nil, at: now)
        }
        let fetch = begin(number, nil, at: now)
        ask.waitsFor = fetch
        return .fetch(.segmentStart(want, playlist: source), fetch)
    }

    private mutating func begin(_ segment: UInt64?, _ directives: LiveDirectives?, at now: Int64) -> LiveFetch {
        fetchCount += 1
        let fetch = LiveFetch(number: fetchCount)
        running.append(
            Running(fetch: fetch, segment: segment, directives: directives, began: now, life: channel.state.life))
        return fetch
    }

    private func fetches(_ running: Running, startOf segment: UInt64) -> Bool {
        running.segment == segment && running.life == channel.state.life
    }

    /// The time stamps that are wanted and that nobody fetches yet: they may be fetched before anybody asks.
    public mutating func nextStart(at now: Int64) -> (FetchJob, LiveFetch)? {
        for want in channel.wants where !running.contains(where: { fetches($0, startOf: want.segment) }) {
            let job = FetchJob.segmentStart(want, playlist: source)
            return (job, begin(want.segment, nil, at: now))
        }
        return nil
    }

    /// Takes note that nobody carries out a fetch any more: who waits for it does, or another.
    public mutating func cancel(_ fetch: LiveFetch) {
        guard let index = running.firstIndex(where: { $0.fetch == fetch }) else { return }
        running.remove(at: index)
        note(nil, of: fetch)
    }

    private mutating func note(_ status: Int?, of fetch: LiveFetch) {
        if refusals.count == Self.mostRefusals { refusals.removeFirst() }
        refusals.append((fetch, status))
    }

    /// Takes what a fetch has come to, the last step of its ``Fetch``, and returns what that has changed: nil if it was
    /// no playlist's, or brought none.
    @discardableResult
    public mutating func take(_ step: Fetch.Step, of fetch: LiveFetch, at now: Int64) -> LiveChange? {
        switch step {
        case .answer, .failure: break
        default: return nil
        }
        refusal = nil
        guard let index = running.firstIndex(where: { $0.fetch == fetch }) else { return nil }
        let ended = running.remove(at: index)
        if let segment = ended.segment {
            // A segment of an earlier life tells nothing of this one's clock.
            guard ended.life == channel.state.life else { return nil }
            if case .answer(.mediaStart(let found)) = step {
                channel.take(mediaStart: found.ticks, of: segment)
            } else {
                channel.noMediaStart(of: segment)
            }
            return nil
        }
        guard case .answer(.playlist(let found)) = step else {
            if case .failure(let error) = step { note(error, of: ended, at: now) }
            return nil
        }
        return take(found, at: now)
    }

    /// Takes a version of the playlist.
    mutating func take(_ found: FetchedPlaylist, at now: Int64) -> LiveChange? {
        let change: LiveChange
        do throws(LiveError) {
            change = try found.bytes.withView { (bytes) throws(LiveError) in try channel.take(bytes) }
        } catch {
            (failure, refusal) = ((now, 502), error)
            return nil
        }
        switch change {
        case .stale, .suspect, .needsFull: break
        default:
            (source, freshAt, failure) = (found.url, now, nil)
        }
        return change
    }

    private mutating func note(_ error: FetchError, of ended: Running, at now: Int64) {
        if ended.directives != nil, let status = error.status, status == 400 || status == 503 {
            note(status, of: ended.fetch)
        } else {
            failure = (now, error.reason.category == .network ? 504 : 502)
        }
    }
}
