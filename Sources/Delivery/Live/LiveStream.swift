internal import ByteScan

// A live stream as a server has it: one channel for all renditions and clients, and one fetch for all who ask at once.
//
//     ask ──▶ step ─┬─ fetch      nobody fetches it yet: the caller does, and tells what came
//                   ├─ wait       somebody does: ask again when a fetch has ended
//                   └─ playlist, segment, status      the answer
//
//     what is asked for     is there                        is not
//     a playlist            younger than half a TD          fetched; if that fails one below 3 TD, then 502 or 504
//     with _HLS_msn         it has that already             fetched with the directives, which block at the origin
//     a segment             its clock is known              its time stamp, 3 s at most; then without cues
//     one not yet there                                     the playlist once more, then 404
//
// Nothing here reads a clock: times are the caller's, in milliseconds from anywhere.

/// A live stream, for a server: says what to fetch, is told what came, and has answers.
///
///     var ask = LiveAsk(.segment(name), at: now)
///     switch stream.step(&ask, at: now) {
///     case .fetch(let job, let fetch): stream.take(await client.run(job, for: ask), of: fetch, at: now)
///     case .wait: break                                      // ask again when a fetch has ended
///     case .playlist: stream.channel.playlist(named: names, into: &output)
///     case .segment(let span): index.write(span.cues, into: &output)
///     case .status(let number): status = number
///     }
public struct LiveStream: ~Copyable, Sendable {
    /// What is done next for somebody who asks.
    public enum Step: Equatable, Sendable {
        /// This is fetched, and what comes of it told by ``take(_:of:at:)``; then ask again.
        case fetch(FetchJob, LiveFetch)
        /// Ask again when a fetch has ended, or after 3 s.
        case wait
        /// The rendition's playlist, as the channel has it.
        case playlist
        /// A segment: what the file of cues has of this span.
        case segment(LiveSpan)
        /// Nothing but a status: 404, 502, 504, or what the origin answered to directives.
        case status(Int)
    }

    /// A fetch that is under way.
    private struct Running: Sendable {
        let fetch: LiveFetch
        /// What the fetch is for; a segment's number, or the directives of a playlist.
        let segment: UInt64?
        let directives: LiveDirectives?
    }

    /// The channel. Seal growing cues with it after each change.
    public private(set) var channel: LiveChannel

    /// The URL of the video's media playlist.
    public let playlist: [UInt8]

    /// Where the version came from that holds, after redirects.
    private var source: [UInt8]
    private var running: [Running] = []
    private var fetchCount: UInt64 = 0
    /// When the version came that holds, or was seen again; nil before the first.
    private var freshAt: Int64?
    /// When a fetch of the playlist failed last, and with which status.
    private var failure: (at: Int64, status: Int)?
    /// What origins have answered to directives: 400 or 503, for those who wait for that fetch.
    private var refusals: [(fetch: LiveFetch, status: Int)] = []

    /// A stream of which nothing has come, whose media playlist is at this absolute URL.
    public init(playlist: [UInt8], _ configuration: LiveConfiguration = LiveConfiguration()) {
        self.init(playlist: playlist, LiveChannel(configuration))
    }

    /// The same with a channel that goes on from a saved state.
    public init(playlist: [UInt8], _ channel: consuming LiveChannel) {
        self.playlist = playlist
        source = playlist
        self.channel = channel
    }

    /// Half a target duration, or 1 s as long as that is not known, in milliseconds.
    private var freshness: Int64 {
        channel.hasBegun ? Int64(clamping: min(max(channel.targetDuration, 1), 1 << 20)) * 500 : 1000
    }

    /// What is done next for `ask`.
    public mutating func step(_ ask: inout LiveAsk, at now: Int64) -> Step {
        if let fetch = ask.waitsFor {
            if let refusal = refusals.first(where: { $0.fetch == fetch }) { return .status(refusal.status) }
            if running.contains(where: { $0.fetch == fetch }), now - ask.began < Self.patience { return .wait }
        }
        return switch ask.kind {
        case .playlist(let directives): step(&ask, directives, at: now)
        case .segment(let name): step(&ask, segment: name, at: now)
        }
    }

    private mutating func step(_ ask: inout LiveAsk, _ directives: LiveDirectives?, at now: Int64) -> Step {
        let wanted = channel.configuration.mirrorsParts ? directives : nil
        if let wanted, !ask.hasFetched, !isThere(wanted) { return fetchPlaylist(&ask, wanted, at: now) }
        if isFresh(at: now) { return .playlist }
        if !ask.hasFetched { return fetchPlaylist(&ask, nil, at: now) }
        // It did not come: the last one, while it is younger than three target durations.
        if let freshAt, now - freshAt <= 6 * freshness { return .playlist }
        return .status(failure?.status ?? 502)
    }

    private mutating func step(_ ask: inout LiveAsk, segment name: [UInt8], at now: Int64) -> Step {
        switch name.withView({ channel.find($0) }) {
        case .span(let span), .gone(let span): return .segment(span)
        case .notOurs: return .status(404)
        case .mediaStart(let number):
            if now - ask.began >= Self.patience { return .segment(unknownSpan(name)) }
            return fetchStart(of: number, &ask, at: now)
        case .wait(let number, let part):
            if ask.hasFetched { return .status(404) }
            // A playlist that says nothing of delivery directives does not block: it is fetched once more.
            let blocks = part != nil && channel.configuration.mirrorsParts
            return fetchPlaylist(&ask, blocks ? LiveDirectives(segment: number, part: part) : nil, at: now)
        }
    }

    /// How long an answer waits, in milliseconds: AVPlayer gives up at 3.5 s. An origin that blocks for longer has its
    /// answer in the next one.
    static var patience: Int64 { 3000 }

    private func isFresh(at now: Int64) -> Bool { freshAt.map { now - $0 < freshness } ?? false || channel.isEnded }

    /// Whether the version has what the directives ask for.
    private func isThere(_ directives: LiveDirectives) -> Bool {
        guard channel.hasBegun, let number = directives.segment?.withView({ UInt64(decimal: $0) }) else { return false }
        if number < channel.current.end { return true }
        guard number == channel.current.end, let part = directives.part else { return false }
        return part.withView { Int(decimal: $0) }.map { $0 < channel.openPartCount } ?? false
    }

    /// The span of a segment whose clock is not known in time: it has no cues.
    private func unknownSpan(_ name: [UInt8]) -> LiveSpan {
        let number = name.withView { LiveChannel.parse($0) }
        return channel.span(of: number?.segment ?? 0, number?.part, nil)
    }

    private mutating func fetchPlaylist(
        _ ask: inout LiveAsk, _ directives: LiveDirectives?, at now: Int64
    ) -> Step {
        ask.hasFetched = true
        if let same = running.firstIndex(where: { $0.segment == nil && $0.directives == directives }) {
            ask.waitsFor = running[same].fetch
            return .wait
        }
        // After a failure others do not ask again at once.
        if directives == nil, let failure, now - failure.at < min(freshness, 1000) { return step(&ask, at: now) }
        let fetch = begin(nil, directives)
        ask.waitsFor = fetch
        return .fetch(.livePlaylist(directives?.url(of: playlist) ?? playlist), fetch)
    }

    private mutating func fetchStart(of number: UInt64, _ ask: inout LiveAsk, at now: Int64) -> Step {
        if let same = running.first(where: { $0.segment == number }) {
            ask.waitsFor = same.fetch
            return .wait
        }
        guard let want = channel.wants.first(where: { $0.segment == number }) else {
            // It can be wanted of a version only: the next one tells.
            if ask.hasFetched { return .segment(unknownSpan(ask.name)) }
            return fetchPlaylist(&ask, nil, at: now)
        }
        let fetch = begin(number, nil)
        ask.waitsFor = fetch
        return .fetch(.segmentStart(want, playlist: source), fetch)
    }

    private mutating func begin(_ segment: UInt64?, _ directives: LiveDirectives?) -> LiveFetch {
        fetchCount += 1
        let fetch = LiveFetch(number: fetchCount)
        running.append(Running(fetch: fetch, segment: segment, directives: directives))
        return fetch
    }

    /// The time stamps that are wanted and that nobody fetches yet: they may be fetched before anybody asks.
    public mutating func nextStart() -> (FetchJob, LiveFetch)? {
        for want in channel.wants where !running.contains(where: { $0.segment == want.segment }) {
            let job = FetchJob.segmentStart(want, playlist: source)
            return (job, begin(want.segment, nil))
        }
        return nil
    }

    /// Takes what a fetch has come to, the last step of its ``Fetch``, and returns what that has changed: nil if it was
    /// no playlist's, or brought none.
    @discardableResult
    public mutating func take(_ step: Fetch.Step, of fetch: LiveFetch, at now: Int64) -> LiveChange? {
        switch step {
        case .answer, .failure: break
        default: return nil
        }
        guard let index = running.firstIndex(where: { $0.fetch == fetch }) else { return nil }
        let ended = running.remove(at: index)
        if let segment = ended.segment {
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
            failure = (now, 502)
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
            if refusals.count == 16 { refusals.removeFirst() }
            refusals.append((ended.fetch, status))
        } else {
            failure = (now, error.reason.category == .network ? 504 : 502)
        }
    }
}

/// Somebody who asks for something of a stream, and what has been done for that.
public struct LiveAsk: Sendable {
    /// What is asked for.
    public enum Kind: Equatable, Sendable {
        /// A rendition's playlist, perhaps one that is not there yet.
        case playlist(LiveDirectives?)
        /// A segment or a part by its name, without the prefix of the rendition.
        case segment([UInt8])
    }

    /// What is asked for.
    public let kind: Kind

    /// When, in the caller's milliseconds.
    public let began: Int64

    /// Whether the playlist has been fetched for it.
    fileprivate(set) var hasFetched = false
    fileprivate var waitsFor: LiveFetch?

    fileprivate var name: [UInt8] { if case .segment(let name) = kind { name } else { [] } }

    /// Somebody who asks at `began`.
    public init(_ kind: Kind, at began: Int64) {
        self.kind = kind
        self.began = began
    }
}

/// A fetch for a stream.
public struct LiveFetch: Equatable, Sendable {
    let number: UInt64
}
