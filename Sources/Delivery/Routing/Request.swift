public import ByteScan
internal import M3U8
public import Sideload
public import WebVTT

// One request of a player's, from its plan to its answer.
//
// The machine does no input or output and reads no clock. It says what to fetch, is told what came of it, and says what
// the player gets. So a delegate of AVFoundation, a proxy and a test drive the same thing, and to cancel a request is
// to drop it.
//
//     plan ─┬─ redirect, decline, fail ────────────────────────────▶ the end
//           ├─ what the answer is made of ─┬─ it came ─▶ made ──────▶ answer
//           │                              ├─ it is no playlist ────▶ redirect, if that may be
//           │                              └─ it did not ───────────▶ answer with a substitute, or fail
//           └─ of the entry, which tracks are missing ─▶ left out
//
// All fetches are told at once, one after the other, and may run side by side. The entry waits for all of them, unless
// whoever drives it finds that too long (`late`): then the tracks of which nothing is known are in it. If the entry
// itself does not come, nothing else counts. What is made of subtitles waits no longer either: a player ends when media
// or what is beside it comes too late.
//
// What is decided here and nowhere else: what is fetched, with which header fields, what becomes of it, what takes the
// place of what is missing, and whether all that may be handed out again. To add a kind of resource: a case of
// RoutePlan or FetchUse, its job in `job`, and what becomes of it in Router+Making.swift.

extension Router {
    /// What a player's request gets: says what to fetch for it, is told what came, and has an answer in the end.
    ///
    ///     var request = Router.Request(router, asked)
    ///     while case .fetch(let wanted) = request.next() {
    ///         request.take(await client.run(wanted, for: request), of: wanted)
    ///     }
    ///     switch request.next() {
    ///     case .answer(let made): call.respond(request.answer(with: made.resource), made.resource.bytes)
    ///     case .redirect(let url): call.redirect(url)
    ///     case .decline: call.leaveToOthers()
    ///     case .fail(let error): call.fail(error)
    ///     case .fetch, .wait, .waitForTracks: break     // not here, where a fetch has ended before the next begins
    ///     }
    ///
    /// In which order fetches end never changes the answer.
    public struct Request: Sendable {
        /// What is to be done next.
        public enum Step: Equatable, Sendable {
            /// This is to be fetched, and what comes of it told by ``take(_:of:)``. There may be more to fetch at the
            /// same time.
            case fetch(Wanted)
            /// Nothing, until a fetch has ended.
            case wait
            /// Nothing, until a fetch has ended or whoever waits calls ``late()``: all is there but what hangs on the
            /// origins of tracks.
            case waitForTracks
            /// The player gets this, or a part of it: ``answer(with:)``, ``httpAnswer(to:)``.
            case answer(Made)
            /// The player is redirected to this URL (302): at once, or once what was fetched has turned out to be no
            /// playlist.
            case redirect(to: [UInt8])
            /// The request is not ours, and is left to others.
            case decline(DeclineReason)
            /// The request is ours, and there is nothing that it could get.
            case fail(Failure)
        }

        /// Something that is to be fetched.
        public struct Wanted: Equatable, Sendable {
            /// What a ``Fetch`` is to find out or bring.
            public let job: FetchJob

            /// The path of a local file, as the track has it: what is at ``FetchTrack/localURL``. Nil if the job needs
            /// none.
            public let file: String?

            /// The track whose playlist or file it is; nil if it is that of none.
            public let track: Int?

            /// The track whose presence is looked for; nil for what the answer is made of.
            let checked: Int?
        }

        /// What was made for a request.
        public struct Made: Equatable, Sendable {
            /// All of it.
            public package(set) var resource: Resource

            /// The track that could not be had, so that something empty stands in its place.
            public let missing: Int?

            /// Why something empty stands in the place of subtitles, or a playlist of unknown length; nil if nothing
            /// does.
            public let reason: Failure?

            /// The tracks that the entry does not get.
            public let leftOut: [LeftOut]

            /// The variant that the entry was wrapped into, if it was a media playlist.
            public let wrapped: WrappedVariant?

            /// Whether it may be kept for the player's next requests: not if something could not be had that may be
            /// there by then.
            public package(set) var mayBeKept: Bool

            /// Whether a player reads in it what it reads in the file that the origin has.
            public package(set) var isUnchanged = false

            /// The X-TIMESTAMP-MAP that it has; nil if it has none, or is no file.
            public package(set) var map: TimestampMap?

            /// Why the video has told no map; nil if it was not asked, or has told one.
            public package(set) var mapFailure: FetchError?

            package init(
                _ resource: Resource, missing: Int? = nil, mayBeKept: Bool = true, because reason: Failure? = nil
            ) {
                self.resource = resource
                self.missing = missing
                self.mayBeKept = mayBeKept
                self.reason = reason
                leftOut = []
                wrapped = nil
            }

            init(_ entry: Resource, mayBeKept: Bool, without leftOut: [LeftOut], in wrapped: WrappedVariant?) {
                resource = entry
                missing = nil
                self.mayBeKept = mayBeKept
                reason = nil
                self.leftOut = leftOut
                self.wrapped = wrapped
            }
        }

        /// A track that the entry does not get.
        public struct LeftOut: Equatable, Sendable {
            /// Its index, from 0.
            public let track: Int

            /// Why.
            public let reason: Failure
        }

        /// Why a request gets nothing.
        public enum Failure: Error, Equatable, Sendable {
            /// What came, or the request itself, is of no use.
            case route(RouteError)
            /// It did not come.
            case fetch(FetchError)
        }

        /// Who plans.
        public let router: Router

        /// What the player asks for.
        public let asked: RouteRequest

        /// What it gets.
        public let plan: RoutePlan

        private var wanted: [Wanted] = []
        /// How many of these have been told.
        private var toldCount = 0
        /// What the answer is made of, once it is there.
        private var brought: FetchAnswer?
        /// The tracks of which nobody knows yet whether they are there.
        private var unknown: [Int] = []
        /// Those that are not.
        private var leftOut: [LeftOut] = []
        /// Those that could not be had before.
        private let missing: [Int]
        /// The last step, once it is known.
        private var end: Step?

        /// What `asked` gets of `router`.
        ///
        /// - Parameter missing: The tracks that could not be had before: the player is not sent to their files.
        public init(_ router: Router, _ asked: RouteRequest, missing: [Int] = []) {
            self.router = router
            self.asked = asked
            self.missing = missing
            plan = router.plan(asked, missing: missing)
            switch plan {
            case .redirect(let url): end = .redirect(to: url)
            case .decline(let reason): end = .decline(reason)
            case .fail(let error): end = .fail(.route(error))
            case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile: want()
            }
        }

        /// What is to be done next. What was to be fetched is told once; an answer, a redirect and a failure stay.
        public mutating func next() -> Step {
            if let end { return end }
            guard toldCount == wanted.count else {
                toldCount += 1
                return .fetch(wanted[toldCount - 1])
            }
            return brought != nil || hasSubstitute ? .waitForTracks : .wait
        }

        /// Takes what `wanted` has come to: the last step of its ``Fetch``. What comes after the end is ignored.
        public mutating func take(_ step: Fetch.Step, of wanted: Wanted) {
            guard end == nil else { return }
            if let track = wanted.checked { return take(step, ofTrack: track) }
            switch step {
            case .request, .decrypt: return
            case .answer(let answer): brought = answer
            case .failure(let error): end = redirect(because: .fetch(error)) ?? substitute(for: .fetch(error))
            }
            conclude()
        }

        /// Tells that the answer waits no longer for the origins of tracks. Those of which nothing is known are in the
        /// entry; a track's playlist is made without its length, and a file is empty.
        public mutating func late() {
            unknown = []
            if end == nil, brought == nil, hasSubstitute {
                end = substitute(for: .route(RouteError(.late, track: plan.track)), isLate: true)
            }
            conclude()
        }
    }
}

// MARK: What is fetched

extension Router.Request {
    /// The header fields with which `fetched`, a request of a fetch, goes to its URL, or to `url` if a redirect has led
    /// there: those of the player and the app that may go to that origin, and its own.
    public func headers(of fetched: FetchRequest, at url: [UInt8]? = nil) -> [HeaderLine] {
        router.originHeaders(for: asked, to: url ?? fetched.url) + fetched.fields.map { HeaderLine($0.name, $0.value) }
    }

    /// The header fields with which a redirected player goes to the redirect's target, where it sends what it is
    /// given: those of its request and of the app that may go to that origin. None if the plan is no redirect, and
    /// cannot turn out to be one.
    public var redirectHeaders: [HeaderLine] {
        switch plan {
        case .redirect(let url): router.originHeaders(for: asked, to: url)
        case .fetch(let origin, .playlist), .fetch(let origin, .mediaPlaylist): origin.headers
        default: []
        }
    }

    /// Whether `fetched`, a request of a fetch, may go to its URL, or to `url` if the answer of `previous` redirects there.
    public func mayFetch(
        _ fetched: FetchRequest, at url: [UInt8]? = nil, redirectedFrom previous: [UInt8]? = nil
    ) -> FetchPermission {
        router.mayFetch(url ?? fetched.url, for: fetched.purpose, redirectedFrom: previous)
    }

    private mutating func want() {
        guard let job = router.job(for: plan) else {
            let name = plan.track.map { router.tracks[$0].name } ?? []
            return end = substitute(for: .route(RouteError(.unknownTrack, name: name)))
        }
        let file = plan.track.flatMap { router.tracks[$0].configuration.file }
        wanted = [Wanted(job: job, file: file, track: plan.track, checked: nil)]
        guard case .fetch(_, .master) = plan, router.policies.missingTrack == .leaveOut else { return }
        unknown = Array(router.tracks.indices)
        wanted += router.tracks.enumerated().map { index, track in
            Wanted(job: .presence(track.fetched), file: track.configuration.file, track: index, checked: index)
        }
    }
}

// MARK: What becomes of it

extension Router.Request {
    private mutating func take(_ step: Fetch.Step, ofTrack track: Int) {
        if step.isUnderWay { return }
        guard let place = unknown.firstIndex(of: track) else { return }
        unknown.remove(at: place)
        if case .failure(let error) = step, error.showsThatNothingIsThere {
            leftOut.append(LeftOut(track: track, reason: .fetch(error)))
        }
        conclude()
    }

    private mutating func conclude() {
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

    /// The redirect to what was fetched in vain because it is no playlist; nil if it had to be one.
    private func redirect(because failure: Failure) -> Step? {
        switch failure {
        case .fetch(let error):
            switch error.reason {
            case .notPlaylist, .movie, .tooLong: break
            default: return nil
            }
        case .route(let error): if error.verdict != .notPlaylist { return nil }
        }
        return router.redirect(insteadOfPlaylist: plan).map { .redirect(to: $0) }
    }

    /// What becomes of `answer`. A media playlist in place of the entry is wrapped into a multivariant one, so that it can
    /// have the tracks.
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
    private var hasSubstitute: Bool { router.policies.missingTrack != .fail && plan.isOfSubtitles }

    /// What takes the place of what did not come, because of `failure`. It may be there the next time.
    private func substitute(for failure: Failure, isLate: Bool = false) -> Step {
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

// MARK: What the player gets

extension Router.Request {
    /// What tells requests apart of which something else is made; nil if nothing is. Requests with the same key may
    /// share what is made, whatever bytes of it they ask for.
    public var key: [UInt8]? {
        switch plan {
        // In words, which tell all but the header fields.
        case .fetch(let origin, let use): use.message.bytes + origin.url
        case .subtitlePlaylist, .subtitleFile, .emptyFile: plan.message.bytes
        case .redirect, .decline, .fail: nil
        }
    }

    /// The track that the request is about: its playlist or its file, redirected to or not; nil if it is about none,
    /// or if only its playlist tells, as for a file of somebody else's playlist.
    public var track: Int? {
        if let track = plan.track { return track }
        guard case .redirect = plan else { return nil }
        return router.tracks.firstIndex { $0.address.map { RouteAddresses.begins(asked.url, with: $0[...]) } ?? false }
    }

    /// Whether what is made may be another one each time that it is asked for: a live playlist, a key.
    public var changes: Bool {
        switch plan {
        case .fetch(_, .playlist), .fetch(_, .mediaPlaylist), .fetch(_, .subtitlePlaylist), .fetch(_, .key): true
        default: false
        }
    }

    /// What the player gets of the `resource` that came of the request, now or for another one with the same ``key``.
    public func answer(with resource: Resource) -> ResourceAnswer { router.answer(asked, plan, with: resource) }

    /// What a client of a proxy gets, that has asked with `method`; nil before the end.
    public func httpAnswer(to method: [UInt8]) -> HTTPAnswer? {
        switch end {
        case .answer(let made): HTTPAnswer(made.resource, to: method, asked.headers)
        case .fail(.fetch(let error)): HTTPAnswer(error)
        case .fail(.route(let error)): HTTPAnswer(error)
        case .redirect(let url): RoutePlan.redirect(to: url).httpAnswer
        case .decline: plan.httpAnswer
        case .fetch, .wait, .waitForTracks, nil: nil
        }
    }
}

extension Router.Request.Failure: Described {
    /// What is wrong, in words.
    public var message: Message {
        switch self {
        case .route(let error): error.message
        case .fetch(let error): error.message
        }
    }
}
