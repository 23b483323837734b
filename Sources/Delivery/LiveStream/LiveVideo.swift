internal import ByteScan
internal import M3U8

// A video of which nobody has said whether it is live: the first look at its playlists tells.
//
//     the URL ──▶ multivariant ──▶ the first variant with video ──▶ EXT-X-ENDLIST ─┬─ is there: complete, for a minute
//            └──▶ media ──────────────────────────────────────────▶                └─ is not: a LiveStream from then on
//
// The variant stays the same one: numbers of segments differ from variant to variant (8216bis 6.3.2).

/// A video beside which tracks stand: finds out whether it is live, and is a ``LiveStream`` then.
///
///     var ask = LiveAsk(request.kind, at: now)
///     switch video.step(&ask, at: now) {
///     case .complete: whole()                                // as beside any video: Router.Request
///     case .next(.fetch(let job, let fetch)): video.take(await client.run(job, for: ask), of: fetch, at: now)
///     case .next(.playlist): video.stream.channel.playlist(named: router.liveNames(of: request.track), into: &output)
///     case .next(let other): answer(other)                   // as of a LiveStream
///     }
public struct LiveVideo: ~Copyable, Sendable {
    /// What is done next for somebody who asks.
    public enum Step: Equatable, Sendable {
        /// The video is complete, or there is none that could be followed: its tracks are whole files.
        case complete
        /// It is live, or nobody knows yet.
        case next(LiveStream.Step)
    }

    private enum Finding {
        case unknown
        case complete(at: Int64)
        case live
    }

    /// The stream; before one has been found, one of which nothing comes.
    public private(set) var stream: LiveStream

    private let url: [UInt8]
    private let configuration: LiveConfiguration
    private var finding = Finding.unknown
    /// The URL that is looked at, and whether it is that of a variant.
    private var target: [UInt8]
    private var isVariant = false
    private var search: LiveFetch?
    private var searchCount: UInt64 = 0
    private var failure: (at: Int64, status: Int)?

    /// How long a video counts as complete, and how long others do not look after a failure, in milliseconds.
    private static var completeFor: Int64 { 60_000 }
    private static var failedFor: Int64 { 1000 }

    /// The video whose multivariant or media playlist is at this absolute URL.
    public init(playlist url: [UInt8], _ configuration: LiveConfiguration = LiveConfiguration()) {
        self.url = url
        self.configuration = configuration
        target = url
        stream = LiveStream(playlist: url, configuration)
    }

    /// Whether it is known to be live.
    public var isLive: Bool { if case .live = finding { true } else { false } }

    /// What is done next for `ask`.
    public mutating func step(_ ask: inout LiveAsk, at now: Int64) -> Step {
        switch finding {
        case .live: return .next(stream.step(&ask, at: now))
        case .complete(let since) where now - since < Self.completeFor: return .complete
        case .complete, .unknown: break
        }
        if let failure, now - failure.at < Self.failedFor { return .next(.status(failure.status)) }
        if search != nil { return now - ask.began < LiveStream.patience ? .next(.wait) : .next(.status(504)) }
        searchCount += 1
        let fetch = LiveFetch(number: .max - searchCount)
        search = fetch
        return .next(.fetch(.livePlaylist(target), fetch))
    }

    /// Takes what a fetch has come to, as ``LiveStream/take(_:of:at:)``.
    @discardableResult
    public mutating func take(_ step: Fetch.Step, of fetch: LiveFetch, at now: Int64) -> LiveChange? {
        guard search == fetch else { return stream.take(step, of: fetch, at: now) }
        switch step {
        case .answer(.playlist(let found)):
            search = nil
            return look(at: found, now)
        case .answer: end(at: now)
        case .failure(let error): note(error, at: now)
        default: return nil
        }
        return nil
    }

    /// The time stamps that are wanted, as ``LiveStream/nextStart(at:)``.
    public mutating func nextStart(at now: Int64) -> (FetchJob, LiveFetch)? {
        isLive ? stream.nextStart(at: now) : nil
    }

    private mutating func look(at found: FetchedPlaylist, _ now: Int64) -> LiveChange? {
        var reader = PlaylistReader()
        reader.reset(asking: [], of: found.url, isImporting: false)
        unsafe found.bytes.withUnsafeBytes { unsafe reader.write($0) }
        reader.finish()
        let facts = reader.facts
        if facts.verdict == .media {
            if facts.isComplete {
                end(at: now)
                return nil
            }
            finding = .live
            stream = LiveStream(playlist: target, configuration)
            return stream.take(found, at: now)
        }
        guard !isVariant, case .success(let variant)? = facts.variant else {
            end(at: now)
            return nil
        }
        (target, isVariant) = (found.url.resolving(variant).withoutFragment, true)
        return nil
    }

    private mutating func end(at now: Int64) {
        (search, finding, failure) = (nil, .complete(at: now), nil)
        (target, isVariant) = (url, false)
    }

    /// What is not there, or is no playlist, cannot be followed; what did not come may be live.
    private mutating func note(_ error: FetchError, at now: Int64) {
        switch error.reason.category {
        case .missing, .unusable, .limit:
            end(at: now)
            finding = .complete(at: now - Self.completeFor + Self.failedFor)
        case .network, .refused:
            (search, target, isVariant) = (nil, url, false)
            failure = (now, error.reason.category == .network ? 504 : 502)
        }
    }

    /// How long an answer may be kept, in seconds, as ``LiveStream/lifetime(of:)``.
    public func lifetime(of kind: LiveAsk.Kind) -> Int { stream.lifetime(of: kind) }
}
