#if canImport(AVFoundation) && !os(watchOS)
internal import ByteScan
internal import Delivery
internal import Encodings
internal import Foundation

/// Carries out requests: fetches side by side what each of them wants. What that is, and what is made of it, a request
/// says by itself.
struct ResourceMaker: Sendable {
    let transport: any SubtitleTransport
    let limits: FetchLimits
    /// How long a master waits to learn whether tracks are missing.
    let patience: Duration
    /// How long a request for a track's playlist or file waits.
    let filePatience: Duration
    let trace: LoadingTrace
    /// The playlist at the master's URL, if it is in memory.
    var given: GivenPlaylist?
    /// What answers challenges of origins.
    var challenges = Challenges()
    /// The multivariant playlist that came last.
    let masters = FetchedMaster()
    /// Milliseconds from anywhere.
    var now = FetchedMaster.clock

    private enum Event: Sendable {
        /// What a fetch has come to, what the transport has said if there was no answer, and whether what came was in
        /// another encoding than UTF-8.
        case ended(Router.Request.Wanted, Fetch.Step, (any Error)?, wasEncoded: Bool)
        case late
    }

    /// What a request has come to.
    enum Outcome: Sendable {
        case made(Router.Request.Made)
        /// What was fetched is not for us, and the player gets it from there.
        case redirected(to: [UInt8])

        /// What was made for `request`, which is never redirected.
        func made(for request: Router.Request) -> Result<Router.Request.Made, SubtitleLoaderError> {
            guard case .made(let made) = self else {
                return .failure(SubtitleLoaderError(.unexpected, request.asked.url))
            }
            return .success(made)
        }
    }

    /// What is made for `request`, for which the player has waited since `began`.
    func make(
        _ request: Router.Request, since began: ContinuousClock.Instant = .now
    ) async -> Result<Outcome, SubtitleLoaderError> {
        let forgetCount = masters.forgetCount
        return await withTaskGroup(of: Event.self) { group in
            var request = request
            var noAnswer: (any Error)?
            var wasEncoded = false
            var isWaiting = false
            while true {
                switch request.next() {
                case .fetch(let wanted): group.addTask { [request] in await fetch(wanted, request) }
                case .waitForTracks where !isWaiting:
                    isWaiting = true
                    let patience = patience(for: request, since: began)
                    group.addTask {
                        try? await Task.sleep(for: patience)
                        return .late
                    }
                case .wait, .waitForTracks:
                    guard case .ended(let wanted, let step, let error, let encoded) = await group.next() else {
                        request.late()
                        continue
                    }
                    noAnswer = error
                    wasEncoded = wasEncoded || encoded
                    if case .fetch(let origin, .master) = request.plan, case .answer(.playlist(let playlist)) = step {
                        masters.set(playlist, askedAt: origin.url, at: now(), forgotten: forgetCount)
                    }
                    request.take(step, of: wanted)
                case .answer(var made):
                    group.cancelAll()
                    made.isUnchanged = made.isUnchanged && !wasEncoded
                    return .success(.made(made))
                case .fail(let failure):
                    group.cancelAll()
                    return .failure(SubtitleLoaderError(failure, noAnswer, request.asked.url))
                case .redirect(let target):
                    group.cancelAll()
                    return .success(.redirected(to: target))
                case .decline: return .failure(SubtitleLoaderError(.unexpected, request.asked.url))
                }
            }
        }
    }

    /// The file that `request` is for, which is never redirected to.
    func makeFile(
        _ request: Router.Request, since began: ContinuousClock.Instant = .now
    ) async -> Result<Router.Request.Made, SubtitleLoaderError> {
        await make(request, since: began).flatMap { $0.made(for: request) }
    }

    /// How long the answer still waits: a master counts from when it is there, all else from when the player has asked.
    private func patience(for request: Router.Request, since began: ContinuousClock.Instant) -> Duration {
        if case .fetch(_, .master) = request.plan { return patience }
        // What is on this device comes in time in any case.
        return max(filePatience - (ContinuousClock.now - began), filePatience / 20)
    }

    private func fetch(_ wanted: Router.Request.Wanted, _ request: Router.Request) async -> Event {
        let (step, noAnswer, wasEncoded) = await run(wanted.job, wanted.file, for: request)
        return .ended(wanted, step, noAnswer, wasEncoded: wasEncoded)
    }

    /// What `job` has come to, with the header fields of `request`; and why, if there was no answer. It is cancelled
    /// after so long.
    func fetch(
        _ job: FetchJob, _ file: String?, for request: Router.Request, within limit: Duration
    ) async -> (Fetch.Step, SubtitleLoaderError?) {
        let task = Task { await run(job, file, for: request) }
        let timer = Task {
            try? await Task.sleep(for: limit)
            if !Task.isCancelled { task.cancel() }
        }
        let (step, noAnswer, _) = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        timer.cancel()
        guard case .failure(let error) = step else { return (step, nil) }
        return (step, SubtitleLoaderError(.fetch(error), noAnswer, error.url))
    }

    /// What a job has come to, what the transport has said if there was no answer, and whether what came was in another
    /// encoding than UTF-8.
    private func run(
        _ job: FetchJob, _ file: String?, for request: Router.Request
    ) async -> (step: Fetch.Step, noAnswer: (any Error)?, wasEncoded: Bool) {
        var fetch = Fetch(job, limits: limits)
        fetch.decrypts = true
        var noAnswer: (any Error)?
        var wasEncoded = false
        while true {
            switch fetch.next() {
            case .request(let asked):
                do {
                    let response = try await response(to: asked, file, request)
                    wasEncoded = wasEncoded || response.wasEncoded
                    feed(response, to: &fetch)
                } catch {
                    noAnswer = error
                    fetch.fail()
                }
            case .decrypt(let decryption): fetch.take(decrypted: decryption.decrypted)
            case .answer, .failure: return (fetch.next(), noAnswer, wasEncoded)
            }
        }
    }

    private func response(
        to asked: FetchRequest, _ file: String?, _ request: Router.Request
    ) async throws -> TransportResponse {
        guard let url = URL(keeping: asked.url) else { throw SubtitleLoaderError(.noURL, asked.url) }
        // One more byte shows that there are more than the limit.
        let (oneMore, isTooLarge) = asked.byteLimit.addingReportingOverflow(1)
        let limit = isTooLarge ? asked.byteLimit : oneMore
        let encoding = try asked.encoding.map { try TextEncoding(String(decoding: $0, as: UTF8.self)) }
        if let file, asked.url == FetchTrack.localURL {
            // It is served whole, so that all of it is read.
            let response = try await LocalFile.response(at: url, file, max(limit, encoding == nil ? 0 : limits.file))
            return try decoded(response, encoding, asked)
        }
        if let given, asked.url == given.url { return given.response(url, limit) }
        trace.note(.fetching, asked.url)
        let request = TransportRequest(url, of: asked, for: request, byteLimit: limit)
        guard asked.purpose == .subtitles else { return try await send(request) }
        let whole = request.whole(upTo: limits.file)
        if encoding != nil { return try decoded(await send(whole), encoding, asked) }
        let response = try await send(request)
        guard response.isUTF16, response.status == 206 || response.isCutOff else {
            return try decoded(response, nil, asked)
        }
        return try decoded(await send(whole), nil, asked)
    }

    /// What the transport answers. Challenges that the app has not answered by then are void.
    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        let challenges = RequestChallenges(challenges)
        defer { challenges.end() }
        var request = request
        request.challenges = challenges
        return try await transport.response(to: request)
    }

    /// A file of subtitles in UTF-8, if all of it is there.
    private func decoded(
        _ response: TransportResponse, _ encoding: TextEncoding?, _ asked: FetchRequest
    ) throws -> TransportResponse {
        guard response.status == 200 || response.status == 203 else { return response }
        let (decoded, malformed) = try response.decoded(from: encoding)
        // Where it is cut off, a character may be.
        if let malformed, !response.isCutOff { trace.note(.malformed(malformed), asked.url) }
        return decoded
    }

    private func feed(_ response: TransportResponse, to fetch: inout Fetch) {
        var fields = HeaderFields()
        for field in response.fields { fields.append(field.name, field.value) }
        let url = Array(response.url.absoluteString.utf8)
        let head = FetchResponse(status: response.status, url: url, isDecoded: response.isDecoded)
        guard fetch.begin(head, fields) == .more else { return }
        guard unsafe response.body.withUnsafeBytes({ unsafe fetch.write($0) }) == .more else { return }
        if response.isCutOff { fetch.fail() } else { fetch.finish() }
    }
}

extension FetchRequest {
    fileprivate var isForPlaylist: Bool { purpose == .subtitlePlaylist || purpose == .videoPlaylist }
}

extension TransportRequest {
    /// The request for `fetched`, which `request` wants, there and wherever redirects may lead.
    fileprivate init(_ url: URL, of fetched: FetchRequest, for request: Router.Request, byteLimit: Int) {
        let fields = { @Sendable (target: [UInt8]) -> [(name: String, value: String)] in
            request.headers(of: fetched, at: target).compactMap { line in
                let name = String(decoding: line.name, as: UTF8.self)
                // A playlist may come compressed, if the transport undoes that by itself.
                if fetched.isForPlaylist, name == "Accept-Encoding" { return nil }
                return (name, String(decoding: line.value, as: UTF8.self))
            }
        }
        self.init(url, fields: fields(fetched.url), byteLimit: byteLimit)
        redirection = { target, source in
            let target = Array(target.absoluteString.utf8)
            let permission = request.mayFetch(
                fetched, at: target, redirectedFrom: Array(source.absoluteString.utf8))
            return permission == .granted ? fields(target) : nil
        }
    }
}

extension SubtitleLoaderError {
    /// Why `request` gets nothing; `noAnswer` is what the transport has said.
    fileprivate init(_ failure: Router.Request.Failure, _ noAnswer: (any Error)?, _ url: [UInt8]) {
        guard case .fetch(let error) = failure, error.reason.category == .network, let noAnswer else {
            self.init(of: failure, url)
            return
        }
        self.init(.noAnswer(noAnswer), error.url)
    }
}
#endif
