internal import ByteScan

// One request of a player's, from its plan to its answer.
//
// The machine does no input or output and reads no clock. It says what to fetch, is told what came of it, and says what
// the player gets. So a delegate of AVFoundation, a proxy and a test drive the same thing, and to cancel a request is
// to drop it.
//
//     plan ─┬─ redirect, decline, fail ────────────────────────────▶ the end
//           ├─ what the answer is made of ─┬─ it came ─▶ made ──────▶ answer
//           │                              ├─ it is no playlist ────▶ redirect, if that may be
//           │                              ├─ it is elsewhere ──────▶ redirect, if only the client may go there
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

        /// Who plans.
        public let router: Router

        /// What the player asks for.
        public let asked: RouteRequest

        /// What it gets.
        public let plan: RoutePlan

        var wanted: [Wanted] = []
        /// How many of these have been told.
        private var toldCount = 0
        /// What the answer is made of, once it is there.
        var brought: FetchAnswer?
        /// The tracks of which nobody knows yet whether they are there.
        var unknown: [Int] = []
        /// Those that are not.
        var leftOut: [LeftOut] = []
        /// Those that could not be had before.
        let missing: [Int]
        /// Whether tracks beside a live video have answers elsewhere.
        let isBesideLive: Bool
        /// The last step, once it is known.
        var end: Step?

        /// What a request gets of a router.
        ///
        /// - Parameters:
        ///   - router: The router that answers.
        ///   - asked: The request.
        ///   - missing: The tracks whose files could not be had before. The player is not sent to them.
        ///   - besideLive: Whether what ``Router/liveRequest(_:)`` tells is answered by ``LiveTracks``, so that
        ///     a live media playlist may be wrapped with tracks that follow it.
        public init(_ router: Router, _ asked: RouteRequest, missing: [Int] = [], besideLive: Bool = false) {
            self.router = router
            self.asked = asked
            self.missing = missing
            isBesideLive = besideLive
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
