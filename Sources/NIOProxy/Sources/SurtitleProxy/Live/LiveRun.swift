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

    /// What all runs have in common.
    struct Means {
        let pool: OriginPool
        /// How long a fetch may take: what comes later is not live any more.
        let patience: TimeAmount
        let reported: ReportedRenditions
        let pipes: CuesPipes
    }

    /// A fetch that is under way.
    private struct Running {
        let run: FetchRun
        let number: LiveFetch
        let began = NIODeadline.now()
    }

    /// What requests get.
    let tracks: LiveTracks
    /// The site whose requests are answered.
    let site: Site
    private let router: Router
    private let means: Means
    /// Where the renditions are reported.
    private(set) var reportedBeside: [UInt8]?
    /// Whose header fields go to the origin: nobody's, since all share what comes.
    private let request: Router.Request
    private var questions: [Question] = []
    /// The files that grow, by track, once somebody has asked for it.
    private var files: [Int: CuesFile] = [:]
    private var fetches: [Int: Running] = [:]
    private var fetchCount = 0
    /// When somebody asked last, or sent cues.
    private(set) var lastAsked = NIODeadline.now()
    /// Whether another site is served now: who waits has an answer yet.
    private var isRetired = false

    init(_ own: Site.Own, _ configuration: LiveConfiguration, by means: Means) {
        router = own.router
        site = own.site
        self.means = means
        request = Router.Request(router, RouteRequest(router.entry))
        // Cues that players know already have lower numbers, whatever has become of this proxy since.
        let seconds = max(Date().timeIntervalSince1970, 0)
        tracks = LiveTracks(router, configuration, firstNumber: UInt64(seconds * Double(CuesWriter.mostInASecond)))
    }

    /// Milliseconds from anywhere.
    static var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Whether it has this track.
    func has(_ track: Int) -> Bool { router.tracks.indices.contains(track) }

    /// Answers at once or later. The question is of a track that it has.
    func answer(_ question: Question) {
        lastAsked = .now()
        let track = question.request.track
        if !isRetired, files[track] == nil, let file = CuesFile(track, of: router, for: tracks, means.pipes) {
            files[track] = file
            file.read()
        }
        if !step(question) { questions.append(question) }
        fetchWanted()
    }

    /// Asks anew for all who wait.
    func proceed() {
        giveUpSlow()
        for file in files.values { file.read() }
        if tracks.isBeingWritten { lastAsked = .now() }
        let isComing = tracks.isBeingWritten || files.values.contains { $0.isComing(at: .now()) }
        if isComing, let fetching = tracks.follow(at: Self.now) { run(fetching) }
        let waiting = questions
        questions = []
        for question in waiting where !step(question) { questions.append(question) }
        fetchWanted()
    }

    /// Takes note that another site is served from now on: no more cues come.
    func retire() {
        isRetired = true
        files = [:]
    }

    /// Ends what is under way. Nobody waits.
    func cancel() {
        for fetch in fetches.values { fetch.run.cancel() }
        fetches = [:]
    }

    /// Whether nobody has asked since then, and nothing is under way.
    func mayBeForgotten(since oldest: NIODeadline) -> Bool {
        isRetired ? questions.isEmpty : isIdle && lastAsked < oldest
    }

    /// Whether nobody waits, and nothing is under way.
    var isIdle: Bool { questions.isEmpty && fetches.isEmpty && !tracks.isBeingWritten }

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
        fetchCount += 1
        let key = fetchCount
        let file = fetching.path.flatMap { site.files[$0] }
        let run = FetchRun(fetching.job, for: request, by: means.pool, file: file) { [self] step in
            // Not in the middle of what has asked for it.
            means.pool.later { self.take(step, of: key) }
        }
        fetches[key] = Running(run: run, number: fetching.number)
        run.proceed()
    }

    private func take(_ step: Fetch.Step, of key: Int) {
        guard let ended = fetches.removeValue(forKey: key) else { return }
        // What has come is sealed.
        for file in files.values { file.read() }
        tracks.take(step, of: ended.number, at: Self.now)
        report()
        tell()
        proceed()
    }

    /// Ends fetches that take too long, as if the network had failed.
    private func giveUpSlow() {
        let oldest = NIODeadline.now() - means.patience
        for (key, slow) in fetches where slow.began < oldest {
            fetches[key] = nil
            slow.run.cancel()
            tracks.giveUp(slow.number, at: Self.now)
        }
    }

    /// Has the renditions reported at the end of the video's playlist, which they follow.
    private func report() {
        guard reportedBeside == nil, let playlist = tracks.videoPlaylist else { return }
        reportedBeside = playlist
        means.reported.set(router.liveRenditions, beside: playlist)
    }

    private func tell() {
        let name = String(decoding: router.master, as: UTF8.self)
        var messages = tracks.takeNotes().messages.map { "\($0)" }
        if let refusal = tracks.takeRefusal() { messages.append("a version is refused: \(refusal)") }
        for message in messages { StandardError.say("\(name): \(message)") }
    }
}
