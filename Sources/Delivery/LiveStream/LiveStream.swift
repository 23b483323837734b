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
    struct Running: Sendable {
        let fetch: LiveFetch
        /// What the fetch is for; a segment's number, or the directives of a playlist.
        let segment: UInt64?
        let directives: LiveDirectives?
        /// When it began.
        let began: Int64
        /// How often the stream had begun anew then: numbers count anew, and so do time stamps.
        let life: UInt32
    }

    /// The channel. Seal growing cues with it after each change.
    public internal(set) var channel: LiveChannel

    /// The URL of the video's media playlist.
    public let playlist: [UInt8]

    /// Why the version was refused that has been taken last; nil if it was not.
    public internal(set) var refusal: LiveError?

    /// Where the version came from that holds, after redirects.
    var source: [UInt8]
    var running: [Running] = []
    var fetchCount: UInt64 = 0
    /// When the version came that holds, or was seen again; nil before the first.
    var freshAt: Int64?
    /// When a fetch of the playlist failed last, and with which status.
    var failure: (at: Int64, status: Int)?
    /// What origins have answered to directives: 400 or 503, for those who wait for that fetch; nil for a fetch that
    /// nobody carries out any more.
    var refusals: [(fetch: LiveFetch, status: Int?)] = []
    /// How many of them are remembered.
    static var mostRefusals: Int { 16 }

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
    var freshness: Int64 {
        channel.hasBegun ? Int64(clamping: min(max(channel.targetDuration, 1), 1 << 20)) * 500 : 1000
    }

    /// What is done next for `ask`.
    public mutating func step(_ ask: inout LiveAsk, at now: Int64) -> Step {
        forgetLost(at: now)
        if let fetch = ask.waitsFor {
            if let refusal = refusals.first(where: { $0.fetch == fetch }) {
                if let status = refusal.status { return .status(status) }
                // Somebody else has to fetch it.
                if now - ask.began < Self.patience { (ask.waitsFor, ask.hasFetched) = (nil, false) }
            } else if running.contains(where: { $0.fetch == fetch }), now - ask.began < Self.patience {
                return .wait
            }
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
        // It did not come: the last one, while it is younger than three target durations, or the stream has ended.
        if let freshAt, channel.isEnded || now - freshAt <= 6 * freshness { return .playlist }
        let isSilent = running.contains { $0.fetch == ask.waitsFor }
        return .status(isSilent ? 504 : failure?.status ?? 502)
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
    package static var patience: Int64 { 3000 }

    /// For how long a stream that has ended is not asked for again, in milliseconds: it may go on nevertheless.
    private static var endedFor: Int64 { 60_000 }

    private func isFresh(at now: Int64) -> Bool {
        freshAt.map { now - $0 < (channel.isEnded ? Self.endedFor : freshness) } ?? false
    }

    /// Forgets fetches of which nothing has come for three target durations, 10 s at least: of one who has ended,
    /// perhaps, and never told so.
    private mutating func forgetLost(at now: Int64) {
        let longest = max(10_000, 6 * freshness)
        while let lost = running.first(where: { now - $0.began > longest }) { cancel(lost.fetch) }
    }

    /// Whether the version has what the directives ask for.
    private func isThere(_ directives: LiveDirectives) -> Bool {
        guard channel.hasBegun, let number = directives.segment?.withView({ UInt64(decimal: $0) }) else { return false }
        if number < channel.current.end { return true }
        guard number == channel.current.end, let part = directives.part else { return false }
        return part.withView { Int(decimal: $0) }.map { $0 < channel.openPartCount } ?? false
    }

    /// The span of a segment whose clock is not known in time: it has no cues.
    func unknownSpan(_ name: [UInt8]) -> LiveSpan {
        let number = name.withView { LiveChannel.parse($0) }
        return channel.span(of: number?.segment ?? 0, number?.part, nil)
    }

    /// How long an answer may be kept, in seconds: a playlist for half a target duration, one that was waited for until
    /// the next is there, a segment for as long as the playlist has it, since its name may come again.
    public func lifetime(of kind: LiveAsk.Kind) -> Int {
        let target = Int(clamping: min(max(channel.targetDuration, 1), 1 << 20))
        return switch kind {
        case .playlist(nil): max(target / 2, 1)
        case .playlist: target
        case .segment: channel.listed.map { max($0.count, 1) * target } ?? target
        }
    }
}
