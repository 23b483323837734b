#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation

/// What is known of the tracks, for any thread.
final class TrackBoard: Sendable {
    private struct State {
        var statuses: [SubtitleStatus]
        /// Whose the files of other people's playlists are, as far as these have passed by.
        var owners: [[UInt8]: Int] = [:]
        var files: [Int: NamedFiles] = [:]
        var listeners: [Int: AsyncStream<SubtitleStatus>.Continuation] = [:]
        var listenerCount = 0
    }

    private let router: Router
    private let lock = NSLock()
    private nonisolated(unsafe) var state: State

    init(_ router: Router) {
        self.router = router
        let statuses = router.tracks.enumerated().map { SubtitleStatus($0, $1.configuration.track.name) }
        unsafe state = State(statuses: statuses)
    }

    /// What has become of each track.
    var statuses: [SubtitleStatus] { lock.withLock { unsafe state.statuses } }

    /// All that is known, and then every change.
    var changes: AsyncStream<SubtitleStatus> {
        AsyncStream { continuation in
            let number = lock.withLock {
                for status in unsafe state.statuses { continuation.yield(status) }
                unsafe state.listenerCount += 1
                unsafe state.listeners[state.listenerCount] = continuation
                return unsafe state.listenerCount
            }
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                lock.withLock { _ = unsafe state.listeners.removeValue(forKey: number) }
            }
        }
    }

    /// Ends the streams of changes, though a writer or a fetch may still hold on to what is known.
    func end() {
        let listeners = lock.withLock {
            defer { unsafe state.listeners = [:] }
            return unsafe Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// Notes that the player has come with `request`.
    func noteAsking(_ request: Router.Request) {
        guard let track = track(of: request) else { return }
        change(track) { status in
            switch status.state {
            case .waiting, .listed, .leftOut: status.state = .askedFor
            case .askedFor, .delivered, .emptied, .failed: break
            }
        }
        if case .redirect = request.plan { change(track) { $0.state = .delivered } }
    }

    /// Notes what `request` has come to.
    func note(_ request: Router.Request, _ result: Result<Router.Request.Made, SubtitleLoaderError>) {
        if case .fetch(_, .master) = request.plan {
            if case .success(let made) = result { list(made) }
            return
        }
        guard let track = track(of: request) else { return }
        switch (request.plan, result) {
        // It stands in a playlist that has been noted already.
        case (.emptyFile, _): break
        case (_, .failure(let error)): change(track) { $0.state = .failed(error) }
        case (_, .success(let made)):
            if let reason = made.reason {
                let isFile = made.resource.contentType == .webVTT
                guard made.missing != nil || isFile else { return }
                let error = error(reason, of: track, request.asked.url)
                change(track) { $0.state = .emptied(error) }
            } else if case .fetch(_, .subtitlePlaylist) = request.plan {
                noteFiles(in: made.resource.bytes, of: track)
            } else if made.resource.contentType == .webVTT {
                change(track) { $0.state = .delivered }
            }
        }
    }

    /// Notes whose the files are that somebody else's playlist names, and returns the addresses of those that are
    /// forgotten.
    @discardableResult
    func noteFiles(in playlist: [UInt8], of track: Int) -> [[UInt8]] {
        let named = router.filePlaces(in: playlist).map { Array(playlist[$0]) }
        // What has been given other addresses names none of ours.
        if named.isEmpty { return [] }
        return lock.withLock {
            for file in named { unsafe state.owners[file] = track }
            let gone = unsafe state.files[track, default: NamedFiles()].note(named)
            for file in gone { unsafe state.owners[file] = nil }
            return gone
        }
    }

    /// Whether `request` is about a track: what a playlist that has passed by has named for it, or is its own.
    func knows(_ request: Router.Request) -> Bool { track(of: request) != nil }

    /// Notes that a track follows a live video, of which this is to be said.
    func noteLive(_ track: Int, _ notes: LiveNotes) { change(track) { $0.live = notes } }

    /// Notes that the player has got a segment of a track beside a live video.
    func noteSegment(_ track: Int) {
        change(track) { status in
            switch status.state {
            case .waiting, .listed, .leftOut, .askedFor, .failed: status.state = .delivered
            case .delivered, .emptied: break
            }
        }
    }

    /// Notes that segments of a track beside a live video have no cues, because of this.
    func noteEmptied(_ track: Int, _ error: SubtitleLoaderError) {
        let error = named(error, of: track)
        change(track) { $0.state = .emptied(error) }
    }

    /// Notes that its file has come, beside a live video.
    func noteFilled(_ track: Int) { change(track) { if case .emptied = $0.state { $0.state = .askedFor } } }

    /// Notes that a request for something of a track has failed.
    func noteFailed(_ track: Int, _ error: SubtitleLoaderError) { change(track) { $0.state = .failed(error) } }

    /// Notes how a track's files were sent on their way.
    func note(_ delivery: SubtitleDelivery) { change(delivery.track) { $0.delivery = delivery } }

    private func track(of request: Router.Request) -> Int? {
        request.track ?? lock.withLock { unsafe state.owners[request.asked.url] }
    }

    /// Notes which tracks are in the multivariant playlist.
    private func list(_ made: Router.Request.Made) {
        let names = router.listedNames(in: made.resource.bytes)
        for index in names.indices {
            let reason = made.leftOut.first { $0.track == index }?.reason
            change(index) { status in
                status.listedNames = names[index].map { String(decoding: $0, as: UTF8.self) }
                switch (status.state, reason, names[index].isEmpty) {
                case (_, let reason?, _):
                    status.state = .leftOut(error(reason, of: index, router.tracks[index].rendition))
                case (_, nil, true):
                    status.state = .leftOut(SubtitleLoaderError(.notListed, router.tracks[index].rendition))
                case (.waiting, nil, false), (.leftOut, nil, false): status.state = .listed
                default: break
                }
            }
        }
    }

    /// Why a track cannot be had.
    private func error(_ reason: Router.Request.Failure, of track: Int, _ url: [UInt8]) -> SubtitleLoaderError {
        named(SubtitleLoaderError(of: reason, url), of: track)
    }

    /// The error of a track; of a local one with its file's URL.
    private func named(_ error: SubtitleLoaderError, of track: Int) -> SubtitleLoaderError {
        guard error.fetch?.url == FetchTrack.localURL, let file = router.tracks[track].configuration.file else {
            return error
        }
        var error = error
        error.url = URL(fileURLWithPath: file).absoluteString
        return error
    }

    private func change(_ track: Int, _ body: (inout SubtitleStatus) -> Void) {
        lock.withLock {
            let before = unsafe state.statuses[track].description
            unsafe body(&state.statuses[track])
            let status = unsafe state.statuses[track]
            guard status.description != before else { return }
            for listener in unsafe state.listeners.values { listener.yield(status) }
        }
    }
}
#endif
