import ByteScan
import Delivery
import Foundation
import NIOCore
import NIOHTTP1
import Sideload
import WebVTT

/// A video of which perhaps something live is served: who waits for what, and what is under way for them.
final class LiveRun {
    /// What somebody waits for.
    final class Question {
        let request: LiveRequest
        let own: Site.Own
        let method: [UInt8]
        var ask: LiveAsk
        let done: (HTTPAnswer?) -> Void

        init(_ request: LiveRequest, _ own: Site.Own, _ method: [UInt8], _ done: @escaping (HTTPAnswer?) -> Void) {
            (self.request, self.own, self.method, self.done) = (request, own, method, done)
            ask = LiveAsk(request.kind, at: LiveRun.now)
        }
    }

    private var video: LiveVideo
    private let router: Router
    private let site: Site
    private let pool: OriginPool
    private let reported: ReportedRenditions
    /// Where the renditions are reported.
    private(set) var reportedBeside: [UInt8]?
    /// Whose header fields go to the origin: nobody's, since all share what comes.
    private let request: Router.Request
    private var questions: [Question] = []
    private var cues: [Int: LiveCues] = [:]
    /// The playlists of the present version, by track.
    private var playlists: [Int: [UInt8]] = [:]
    private var fetches: [ObjectIdentifier: FetchRun] = [:]
    private var lastAsked = NIODeadline.now()
    private var noted = LiveNotes()
    /// Asks for versions while cues come, so that these are sealed in time though no player is there.
    private var follower: LiveAsk?

    init(
        _ router: Router, _ configuration: LiveConfiguration, _ site: Site, _ pool: OriginPool,
        _ reported: ReportedRenditions
    ) {
        self.router = router
        self.reported = reported
        self.site = site
        self.pool = pool
        request = Router.Request(router, RouteRequest(router.entry))
        video = LiveVideo(playlist: router.master, configuration)
    }

    /// Milliseconds from anywhere.
    static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    func answer(_ question: Question) {
        lastAsked = .now()
        if !step(question) { questions.append(question) }
    }

    /// Asks anew for all who wait.
    func proceed() {
        for cues in cues.values { cues.read() }
        follow()
        guard !questions.isEmpty else { return }
        let waiting = questions
        questions = []
        for question in waiting where !step(question) { questions.append(question) }
    }

    func cancel() {
        for fetch in fetches.values { fetch.cancel() }
        fetches = [:]
        for question in questions { question.done(.busy) }
        questions = []
    }

    /// Whether nobody has asked since then, and nothing would be lost.
    func mayBeForgotten(since oldest: NIODeadline) -> Bool {
        questions.isEmpty && fetches.isEmpty && lastAsked < oldest && cues.values.allSatisfy { !$0.isGrowing }
    }

    private func follow() {
        guard cues.values.contains(where: \.isComing) else { return follower = nil }
        var ask = follower ?? LiveAsk(.playlist(nil), at: Self.now)
        follower = nil
        while true {
            switch video.step(&ask, at: Self.now) {
            case .next(.fetch(let job, let fetch)): run(job, fetch)
            case .next(.wait): return follower = ask
            case .complete, .next: return
            }
        }
    }

    /// Does what is next for `question`; false if it waits.
    private func step(_ question: Question) -> Bool {
        while true {
            switch video.step(&question.ask, at: Self.now) {
            case .complete:
                question.done(nil)
                return true
            case .next(.fetch(let job, let fetch)): run(job, fetch)
            case .next(.wait): return false
            case .next(.status(let status)):
                question.done(HTTPAnswer(status: status))
                return true
            case .next(.playlist):
                question.done(playlist(question))
                return true
            case .next(.segment(let span)):
                let cues = cues(of: question.request.track)
                guard cues.isReady || Self.now - question.ask.began > 3000 else { return false }
                question.done(answer(question, Resource(cues.segment(span), .webVTT)))
                return true
            }
        }
    }

    private func answer(_ question: Question, _ resource: Resource) -> HTTPAnswer {
        HTTPAnswer(
            resource, to: question.method, question.own.request.headers,
            keptFor: video.lifetime(of: question.request.kind))
    }

    private func playlist(_ question: Question) -> HTTPAnswer {
        // What is listed is sealed, and a file is there when its first segment is asked for.
        _ = cues(of: question.request.track)
        let track = question.request.track
        if let playlist = playlists[track] { return answer(question, Resource(playlist, .playlist)) }
        var output = OutputPieces()
        video.stream.channel.playlist(named: router.liveNames(of: track), into: &output)
        let playlist = output.bytes(of: [])
        playlists[track] = playlist
        return answer(question, Resource(playlist, .playlist))
    }

    // MARK: Fetches

    private func run(_ job: FetchJob, _ fetch: LiveFetch) {
        run(job) { [self] step in
            video.take(step, of: fetch, at: Self.now)
            changed()
        }
    }

    private func run(_ job: FetchJob, file: [UInt8]? = nil, _ done: @escaping (Fetch.Step) -> Void) {
        var key: ObjectIdentifier?
        let run = FetchRun(job, for: request, by: pool, file: file) { [self] step in
            key.map { fetches[$0] = nil }
            // Not in the middle of what has asked for it.
            pool.later {
                done(step)
                self.proceed()
            }
        }
        key = ObjectIdentifier(run)
        fetches[ObjectIdentifier(run)] = run
        run.proceed()
    }

    /// Seals what a version has brought, and asks for the time stamps that are wanted before anybody needs them.
    private func changed() {
        playlists = [:]
        report()
        for cues in cues.values { cues.seal(video.stream.channel) }
        while let (job, fetch) = video.nextStart() { run(job, fetch) }
        let notes = video.stream.channel.notes
        if notes != noted {
            let name = String(decoding: router.master, as: UTF8.self)
            for message in notes.subtracting(noted).messages {
                FileHandle.standardError.write(Data("surtitle-proxy: \(name): \(message)\n".utf8))
            }
            noted = notes
        }
    }

    /// Has the renditions reported at the end of the video's playlist, which they follow.
    private func report() {
        guard video.isLive, reportedBeside == nil else { return }
        let url = video.stream.playlist
        reportedBeside = url
        reported.set(router.liveRenditions, beside: url)
    }

    // MARK: Cues

    /// The cues of a track.
    func cues(of track: Int) -> LiveCues {
        if let cues = cues[track] { return cues }
        let made = LiveCues(router, track)
        cues[track] = made
        made.seal(video.stream.channel)
        if let job = router.liveFile(of: track) {
            let file = router.tracks[track].configuration.file.flatMap { site.files[$0] }
            run(job, file: file) { [self] step in
                made.take(step, naming: router.liveNaming(of: track))
                for follower in router.liveFollowers(of: track) {
                    run(follower.job, file: site.files[follower.path]) { step in
                        made.takeNext(step, naming: follower.naming)
                    }
                }
                // One that could not be had may be there later.
                if made.isMissing {
                    pool.loop.assumeIsolated().scheduleTask(in: .seconds(10)) { [weak self] in
                        self?.cues[track] = nil
                    }
                }
            }
        }
        return made
    }
}

extension OutputPieces {
    /// All that has been collected, ranges being of `file`.
    func bytes(of file: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        file.withUnsafeBytes { file in for piece in self { bytes += piece.bytes(in: file) } }
        return bytes
    }
}
