import Delivery
import Foundation
import NIOCore
import NIOHTTP1

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

    /// What requests get.
    let tracks: LiveTracks
    private let router: Router
    private let site: Site
    private let pool: OriginPool
    private let reported: ReportedRenditions
    /// Where the renditions are reported.
    private(set) var reportedBeside: [UInt8]?
    /// Whose header fields go to the origin: nobody's, since all share what comes.
    private let request: Router.Request
    private var questions: [Question] = []
    /// The files that grow, by track, once somebody has asked for it.
    private var files: [Int: CuesFile] = [:]
    private var fetches: [ObjectIdentifier: FetchRun] = [:]
    private var lastAsked = NIODeadline.now()

    init(
        _ router: Router, _ configuration: LiveConfiguration, _ site: Site, _ pool: OriginPool,
        _ reported: ReportedRenditions
    ) {
        self.router = router
        self.reported = reported
        self.site = site
        self.pool = pool
        request = Router.Request(router, RouteRequest(router.entry))
        // Cues that players know already have lower numbers, whatever has become of this proxy since.
        let seconds = max(Date().timeIntervalSince1970, 0)
        tracks = LiveTracks(router, configuration, firstNumber: UInt64(seconds * Double(CuesWriter.mostInASecond)))
    }

    /// Milliseconds from anywhere.
    static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    func answer(_ question: Question) {
        lastAsked = .now()
        let track = question.request.track
        if files[track] == nil, let path = router.tracks[track].configuration.cuesFile {
            let file = CuesFile(
                path, track, of: tracks, showsWhenItComes: router.tracks[track].configuration.anchor == nil)
            files[track] = file
            file.read()
        }
        if !step(question) { questions.append(question) }
        fetchWanted()
    }

    /// Asks anew for all who wait.
    func proceed() {
        for file in files.values { file.read() }
        if tracks.isBeingWritten || files.values.contains(where: \.isComing), let fetching = tracks.follow(at: Self.now)
        {
            run(fetching)
        }
        let waiting = questions
        questions = []
        for question in waiting where !step(question) { questions.append(question) }
        fetchWanted()
    }

    func cancel() {
        for fetch in fetches.values { fetch.cancel() }
        fetches = [:]
        for question in questions { question.done(.busy) }
        questions = []
    }

    /// Whether nobody has asked since then, and nothing would be lost.
    func mayBeForgotten(since oldest: NIODeadline) -> Bool {
        questions.isEmpty && fetches.isEmpty && lastAsked < oldest && !tracks.holdsGrowingCues
    }

    /// Does what is next for `question`; false if it waits.
    private func step(_ question: Question) -> Bool {
        while true {
            switch tracks.step(&question.ask, of: question.request.track, at: Self.now) {
            case .complete:
                question.done(nil)
                return true
            case .fetch(let fetching): run(fetching)
            case .wait: return false
            case .status(let status):
                question.done(HTTPAnswer(status: status))
                return true
            case .answer(let resource):
                question.done(
                    HTTPAnswer(
                        resource, to: question.method, question.own.request.headers,
                        keptFor: tracks.lifetime(of: question.request.kind)))
                return true
            }
        }
    }

    // MARK: Fetches

    private func fetchWanted() { while let fetching = tracks.nextFetch(at: Self.now) { run(fetching) } }

    private func run(_ fetching: LiveTracks.Fetching) {
        var key: ObjectIdentifier?
        let file = fetching.path.flatMap { site.files[$0] }
        let run = FetchRun(fetching.job, for: request, by: pool, file: file) { [self] step in
            key.map { fetches[$0] = nil }
            // Not in the middle of what has asked for it.
            pool.later {
                // What has come is sealed.
                for file in self.files.values { file.read() }
                self.tracks.take(step, of: fetching.number, at: Self.now)
                self.report()
                self.tell()
                self.proceed()
            }
        }
        key = ObjectIdentifier(run)
        fetches[ObjectIdentifier(run)] = run
        run.proceed()
    }

    /// Has the renditions reported at the end of the video's playlist, which they follow.
    private func report() {
        guard reportedBeside == nil, let playlist = tracks.videoPlaylist else { return }
        reportedBeside = playlist
        reported.set(router.liveRenditions, beside: playlist)
    }

    private func tell() {
        let name = String(decoding: router.master, as: UTF8.self)
        var messages = tracks.takeNotes().messages.map { "\($0)" }
        if let refusal = tracks.takeRefusal() { messages.append("a version is refused: \(refusal)") }
        for message in messages {
            FileHandle.standardError.write(Data("surtitle-proxy: \(name): \(message)\n".utf8))
        }
    }
}
