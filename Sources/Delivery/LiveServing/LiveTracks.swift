internal import ByteScan

// The tracks beside one video, as whoever serves them has them: one look at the video, one file of cues a track.
//
//     ask ──▶ step ── LiveVideo ─┬─ complete, fetch, wait, status      as it says
//                                ├─ playlist                           written once a version, for whoever asks
//                                └─ segment                            of the track's cues; it waits 3 s for their file
//     take ── what a fetch has come to: a version's segments are sealed
//     nextFetch ── what is wanted before anybody asks: files of cues, time stamps
//
// Tracks whose cues count in other ways (``LiveConfiguration``) have a channel of their own, and so others of these.

/// The tracks beside a video that may be live, for a server: says what to fetch, is told what came, and has answers.
///
///     var ask = LiveAsk(request.kind, at: now)
///     switch tracks.step(&ask, of: request.track, at: now) {
///     case .complete: whole()                                // as beside any video: Router.Request
///     case .fetch(let fetch): tracks.take(await client.run(fetch.job, for: ask), of: fetch.number, at: now)
///     case .wait: break                                      // ask again when a fetch has ended
///     case .answer(let resource): respond(resource, tracks.lifetime(of: request.kind))
///     case .status(let number): status = number
///     }
///     while let fetch = tracks.nextFetch(at: now) { begin(fetch) }  // in any case
///
/// It does no input or output and reads no clock: times are the caller's, in milliseconds from anywhere. It is used by
/// one at a time.
public final class LiveTracks {
    /// What is done next for somebody who asks.
    public enum Step: Equatable, Sendable {
        /// The video is complete, or there is none that could be followed: its tracks are whole files.
        case complete
        /// This is fetched, and what comes of it told by ``LiveTracks/take(_:of:at:)``; then ask again.
        case fetch(Fetching)
        /// Ask again when a fetch has ended, or after 3 s.
        case wait
        /// A playlist, or a segment.
        case answer(Resource)
        /// Nothing but a status, as of ``LiveStream/Step/status(_:)``.
        case status(Int)
    }

    /// Something that is to be fetched.
    public struct Fetching: Equatable, Sendable {
        /// What a ``Fetch`` is to bring.
        public let job: FetchJob

        /// The track whose file it is; nil if it is the video's.
        public let track: Int?

        /// The path of the local file that it brings; nil if it is none.
        public let path: String?

        /// By what it is told what has come of it.
        public let number: LiveFetch
    }

    private let router: Router
    private let firstNumber: UInt64
    private var video: LiveVideo
    private var cues: [LiveCues] = []
    /// Playlists of the present version.
    private var playlists: [(track: Int, names: LiveNames, playlist: Resource)] = []
    private var noted = LiveNotes()
    private var told: LiveError?
    /// Asks for versions while cues come, though nobody asks for a playlist.
    private var follower: LiveAsk?
    private var fileCount: UInt64 = 0

    /// The tracks of a router beside its video.
    ///
    /// - Parameters:
    ///   - router: The router, whose tracks they are.
    ///   - configuration: What the cues' times count from.
    ///   - firstNumber: The number of a track's first cue that is sent, above those that players may know.
    public init(_ router: Router, _ configuration: LiveConfiguration, firstNumber: UInt64 = 1) {
        self.router = router
        self.firstNumber = firstNumber
        video = LiveVideo(playlist: router.master, configuration)
    }

    /// Whether the video is known to be live.
    public var isLive: Bool { video.isLive }

    /// The URL of the video's media playlist that is followed; nil before it is known that one is.
    public var videoPlaylist: [UInt8]? { video.isLive ? video.stream.playlist : nil }

    /// The target duration of the video's playlist, in seconds; 0 before the first version.
    public var targetDuration: UInt64 { video.stream.channel.targetDuration }

    // MARK: Answers

    /// What is done next for a request.
    ///
    /// - Parameters:
    ///   - ask: The request, and how far it has come.
    ///   - track: The index of the track that it is for.
    ///   - names: How the playlist calls its segments; nil for names that are relative to it.
    ///   - now: The time, in milliseconds from anywhere.
    public func step(
        _ ask: inout LiveAsk, of track: Int, named names: LiveNames? = nil, at now: Int64
    ) -> Step {
        switch video.step(&ask, at: now) {
        case .complete: return .complete
        case .next(.fetch(let job, let fetch)): return .fetch(Fetching(job: job, track: nil, path: nil, number: fetch))
        case .next(.wait): return .wait
        case .next(.status(let status)): return .status(status)
        case .next(.playlist):
            // What is listed is sealed, and a file is there when its first segment is asked for.
            cues(of: track).retry(at: now)
            return .answer(playlist(of: track, names ?? router.liveNames(of: track)))
        case .next(.segment(let span)):
            let cues = cues(of: track)
            cues.retry(at: now)
            guard cues.isReady || now - ask.began >= LiveStream.patience else { return .wait }
            return .answer(Resource(cues.segment(span), .webVTT))
        }
    }

    /// How long an answer may be kept, in seconds, as ``LiveVideo/lifetime(of:)``.
    public func lifetime(of kind: LiveAsk.Kind) -> Int { video.lifetime(of: kind) }

    private func playlist(of track: Int, _ names: LiveNames) -> Resource {
        if let made = playlists.first(where: { $0.track == track && $0.names == names }) { return made.playlist }
        var output = OutputPieces()
        video.stream.channel.playlist(named: names, into: &output)
        let playlist = Resource(output.bytes(of: []), .playlist)
        playlists.append((track, names, playlist))
        return playlist
    }

    // MARK: Fetches

    /// Something that is wanted and that nobody fetches yet: a file of cues, or a time stamp before anybody needs it.
    public func nextFetch(at now: Int64) -> Fetching? {
        if let cues = cues.first(where: { $0.wanted != nil }), let file = cues.wanted {
            fileCount += 1
            // No stream has as many fetches.
            let fetch = LiveFetch(number: 1 << 62 + fileCount)
            cues.await(fetch)
            return Fetching(job: file.job, track: cues.track, path: file.path, number: fetch)
        }
        return video.nextStart(at: now).map { Fetching(job: $0, track: nil, path: nil, number: $1) }
    }

    /// What is fetched next so that cues that come are sealed in time, though nobody asks for a playlist; nil if the
    /// version is young enough, or one is under way.
    public func follow(at now: Int64) -> Fetching? {
        var ask = follower ?? LiveAsk(.playlist(nil), at: now)
        follower = nil
        switch video.step(&ask, at: now) {
        case .next(.fetch(let job, let fetch)):
            follower = ask
            return Fetching(job: job, track: nil, path: nil, number: fetch)
        case .next(.wait): follower = ask
        case .complete, .next: break
        }
        return nil
    }

    /// Takes what a fetch has come to, the last step of its ``Fetch``.
    ///
    /// What has come of a file that grows must have been appended before.
    public func take(_ step: Fetch.Step, of fetch: LiveFetch, at now: Int64) {
        if let cues = cues.first(where: { $0.awaits(fetch) }) {
            if !step.isUnderWay { cues.take(step, at: now) }
            return
        }
        video.take(step, of: fetch, at: now)
        playlists = []
        for cues in cues { cues.seal(video.stream.channel) }
    }

    /// Takes note that nothing has come of a fetch for too long, and that nobody carries it out any more: as one that
    /// the network has broken off.
    public func giveUp(_ fetch: LiveFetch, at now: Int64) {
        take(.failure(FetchError(reason: .network, purpose: .videoPlaylist, url: [])), of: fetch, at: now)
    }

    /// What whoever runs it should be told of the stream, once each.
    public func takeNotes() -> LiveNotes {
        let notes = video.stream.channel.notes
        defer { noted = notes }
        return notes.subtracting(noted)
    }

    /// Why the version was refused that came last, if that was not told of the one before it: the version that holds
    /// goes on being served.
    public func takeRefusal() -> LiveError? {
        let refusal = video.stream.refusal
        defer { told = refusal }
        return refusal == told ? nil : refusal
    }

    // MARK: Cues that come while the stream goes on

    /// Whether cues are kept that would be lost, or somebody sends some. Those of a file that grows can be read again.
    public var holdsGrowingCues: Bool { cues.contains { $0.holdsSent } }

    /// Whether somebody sends cues: then versions are to be followed, though nobody asks for a playlist.
    public var isBeingWritten: Bool { cues.contains { $0.isBeingWritten } }

    /// Lets somebody send cues of a track in this form; false if they come otherwise, or somebody else does.
    public func beginCues(_ format: GrowingConfiguration.Format, of track: Int) -> Bool {
        let cues = cues(of: track)
        guard cues.isSent, !cues.isBeingWritten else { return false }
        cues.isBeingWritten = true
        cues.growing.begin(format)
        return true
    }

    /// Takes bytes of the cues that somebody sends, and returns how many cues they have brought. What is refused ends
    /// the writer; the cues before it count.
    ///
    /// - Throws: ``GrowingError``, as `GrowingCues.append`.
    @discardableResult
    public func appendCues(_ bytes: UnsafeRawBufferPointer, of track: Int) throws(GrowingError) -> Int {
        try changing(track) { (cues) throws(GrowingError) in try unsafe cues.growing.append(bytes) }
    }

    /// Ends the writer, and returns how many cues that has brought: a last cue counts though nothing follows it.
    ///
    /// - Throws: ``GrowingError``. The writer has ended then too.
    @discardableResult
    public func finishCues(of track: Int) throws(GrowingError) -> Int {
        let count = try changing(track) { (cues) throws(GrowingError) in try cues.growing.finish() }
        cues(of: track).isBeingWritten = false
        return count
    }

    /// Ends the writer: a cue that is not whole is none.
    public func abandonCues(of track: Int) {
        let cues = cues(of: track)
        cues.growing.abandon()
        cues.isBeingWritten = false
    }

    /// Lets `body` append what a file has got by now from which a track's cues come; not called if they come otherwise.
    public func followFile(of track: Int, _ body: (inout FollowedCues) -> Void) {
        let known = known(track)
        let cues = known ?? add(track)
        if cues.isFollowed { body(&cues.followed) }
        // What stood there before is in the segments that are there already.
        if known == nil { cues.seal(video.stream.channel) }
    }

    private func changing(
        _ track: Int, _ body: (LiveCues) throws(GrowingError) -> Void
    ) throws(GrowingError) -> Int {
        let cues = cues(of: track)
        let count = cues.growing.cueCount
        do throws(GrowingError) { try body(cues) } catch {
            abandonCues(of: track)
            throw error
        }
        return cues.growing.cueCount - count
    }

    private func cues(of track: Int) -> LiveCues {
        if let cues = known(track) { return cues }
        let made = add(track)
        made.seal(video.stream.channel)
        return made
    }

    private func known(_ track: Int) -> LiveCues? { cues.first { $0.track == track } }

    private func add(_ track: Int) -> LiveCues {
        let made = LiveCues(router, track, firstNumber: firstNumber)
        cues.append(made)
        return made
    }
}
