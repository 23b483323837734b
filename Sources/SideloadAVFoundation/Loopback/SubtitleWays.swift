#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation

// How the files of subtitle playlists get the addresses by which a player is to have them.
//
// The router makes playlists whose files are at addresses of ours. Here each of these becomes what the way says:
//
//     the track's file         made now: its bytes say the way and the address ─┬─ unchanged ─▶ its own URL
//                                                                               └─ changed ───▶ 127.0.0.1, by its digest
//     a segment that is given  made when the player asks ───────────────────────────────────▶ 127.0.0.1, within 3 s
//
// A live video's tracks have playlists and segments of their own, which LiveAnswers has. These segments are nowhere
// else, so that the player cannot have them by a URL of their own, or by a redirect to one.

/// Makes answers as ``ResourceMaker`` does, with the files of playlists where the way has them.
struct SubtitleWays: Sendable {
    let router: Router
    let maker: ResourceMaker
    /// Nil if the router's addresses stay as they are.
    let way: SubtitleWay?
    let listener: LoopbackListener
    let live: LiveAnswers
    let board: TrackBoard
    let trace: LoadingTrace

    /// What is made for `request`.
    func make(_ request: Router.Request) async -> Result<ResourceMaker.Outcome, SubtitleLoaderError> {
        let began = ContinuousClock.now
        var isCertain = true
        if let asked = router.liveRequest(request.asked) {
            switch await live.answer(asked, request, { liveNames(of: asked.track) }) {
            case .made(let resource):
                if case .segment = asked.kind { board.noteSegment(asked.track) }
                var made = Router.Request.Made(resource)
                made.isLive = true
                return .success(.made(made))
            case .status(let status): return .failure(liveFailure(status, asked, request))
            case .complete: break
            case .unknown(let status):
                // Made for live videos, it would be of no use beside one for as long as the item lives.
                if router.tracks[asked.track].isForLiveVideo {
                    return .failure(liveFailure(status, asked, request))
                }
                isCertain = false
            }
            if case .segment = asked.kind { return .failure(liveFailure(404, asked, request)) }
        }
        let result = await madeWhole(request, since: began)
        guard !isCertain, case .success(.made(var made)) = result else { return result }
        made.mayBeKept = false
        return .success(.made(made))
    }

    private func liveFailure(_ status: Int, _ asked: LiveRequest, _ request: Router.Request) -> SubtitleLoaderError {
        let error = SubtitleLoaderError(.live(status), request.asked.url)
        // A name that was never given says nothing of the track, and nor does a player that waits no longer.
        if status != 404, !Task.isCancelled { board.noteFailed(asked.track, error) }
        return error
    }

    /// How the playlist of a track beside a live video calls its segments.
    private func liveNames(of track: Int) -> LiveNames {
        let address = router.liveAddress(of: track)
        func named(_ prefix: [UInt8], _ means: SubtitleDelivery.Means) -> LiveNames {
            board.note(SubtitleDelivery(track: track, means: means))
            return LiveNames(prefix: prefix)
        }
        switch way {
        case nil: return named(address, .served)
        case .bytes: return named(address, .bytes)
        case .served(let base):
            if let base = base() { return named(served(address, Array(base.absoluteString.utf8)), .served) }
        case .automatic, .direct, .loopback, .redirect: break
        }
        let prefix = listener.address(ofFolder: address) { [self] name in
            let asked = Router.Request(router, RouteRequest(address + name))
            return await make(asked).flatMap { $0.made(for: asked) }.map(\.resource)
        }
        return prefix.map { named($0, .loopback) } ?? named(address, .bytes)
    }

    /// What is made for `request`, beside a video that is complete.
    private func madeWhole(
        _ request: Router.Request, since began: ContinuousClock.Instant
    ) async -> Result<ResourceMaker.Outcome, SubtitleLoaderError> {
        let result = await maker.make(request, since: began)
        guard case .success(.made(let made)) = result else { return result }
        if let failure = made.mapFailure {
            trace.note(.noMap(SubtitleLoaderError(.fetch(failure), failure.url)), request.asked.url)
        }
        guard let way, let track = request.plan.subtitlePlaylistTrack else { return result }
        // By the addresses that the router knows. Those of a playlist that is made for a track are its own.
        if case .fetch = request.plan { listener.forget(board.noteFiles(in: made.resource.bytes, of: track)) }
        let listing = Listing(track: track, way: way, headers: request.asked.headers, began: began)
        return .success(.made(await placed(made, listing)))
    }

    private func placed(_ made: Router.Request.Made, _ listing: Listing) async -> Router.Request.Made {
        var mayBeKept = made.mayBeKept
        let bytes = made.resource.bytes
        var output: [UInt8] = []
        var end = 0
        var told: SubtitleDelivery?
        for address in router.filePlaces(in: bytes) {
            let place = await place(of: Array(bytes[address]), in: listing)
            output += bytes[end..<address.lowerBound] + place.uri
            end = address.upperBound
            mayBeKept = mayBeKept && place.mayBeKept
            told = told ?? place.delivery
        }
        output += bytes[end...]
        if let told {
            board.note(told)
            trace.note(.delivered(told), router.tracks[listing.track].rendition)
        }
        var placed = made
        (placed.resource, placed.mayBeKept) = (Resource(output, made.resource.contentType), mayBeKept)
        return placed
    }

    /// The playlist for whose files places are looked for.
    private struct Listing {
        let track: Int
        let way: SubtitleWay
        /// What the app says that its server's addresses begin with.
        let base: [UInt8]?
        /// The header fields with which the player has asked for the playlist: its files are asked for with them too.
        let headers: [HeaderLine]
        /// When it has.
        let began: ContinuousClock.Instant

        init(track: Int, way: SubtitleWay, headers: [HeaderLine], began: ContinuousClock.Instant) {
            (self.track, self.way, self.headers, self.began) = (track, way, headers, began)
            base = if case .served(let base) = way { base().map { Array($0.absoluteString.utf8) } } else { nil }
        }
    }

    private struct Place {
        let uri: [UInt8]
        let delivery: SubtitleDelivery
        var mayBeKept = true
    }

    /// Where the file at the router's `address` is for the player.
    private func place(of address: [UInt8], in listing: Listing) async -> Place {
        var request = RouteRequest(address)
        request.headers = listing.headers
        let asked = Router.Request(router, request)
        let track = listing.track
        let delivery = { (means: SubtitleDelivery.Means, undone: [SubtitleDelivery.Undone]) in
            SubtitleDelivery(track: track, means: means, undone: undone)
        }
        let own: [UInt8]? =
            switch asked.plan {
            case .fetch(let origin, .cues): origin.url
            case .subtitleFile: router.tracks[track].url
            default: nil
            }
        switch listing.way {
        case .bytes, .redirect:
            if case .redirect = asked.plan {
                return Place(uri: address, delivery: delivery(.redirect, undone(.subtitleFile(track: track), track)))
            }
            return Place(uri: address, delivery: delivery(.bytes, []))
        case .served:
            if let base = listing.base { return Place(uri: served(address, base), delivery: delivery(.served, [])) }
        case .direct:
            if let own { return Place(uri: own, delivery: delivery(.direct, undone(asked.plan, track))) }
        case .automatic, .loopback: break
        }
        guard case .subtitleFile = asked.plan else {
            let uri = listener.address(of: address, whenAsked(asked))
            return Place(uri: uri ?? address, delivery: delivery(uri == nil ? .bytes : .loopback, []))
        }
        let result = await maker.makeFile(asked, since: listing.began)
        guard case .success(let file) = result else {
            return Place(uri: address, delivery: delivery(.bytes, []), mayBeKept: false)
        }
        let needsMap: [SubtitleDelivery.Undone] = file.mapFailure == nil ? [] : [.map]
        if let failure = file.mapFailure {
            trace.note(.noMap(SubtitleLoaderError(.fetch(failure), failure.url)), address)
        }
        if case .loopback = listing.way {
        } else if let own, file.isUnchanged, !router.tracks[track].hasAppHeaders {
            // The player is sent to it.
            board.note(asked, result)
            return Place(uri: own, delivery: delivery(.direct, needsMap), mayBeKept: file.mayBeKept)
        }
        // What may be there the next time is asked for again.
        let entry: LoopbackListener.File =
            if file.mayBeKept {
                .bytes(file.resource) { [board] in
                    board.noteAsking(asked)
                    board.note(asked, result)
                }
            } else {
                whenAsked(asked)
            }
        let uri = listener.address(of: address, entry)
        return Place(
            uri: uri ?? address, delivery: delivery(uri == nil ? .bytes : .loopback, needsMap),
            mayBeKept: file.mayBeKept)
    }

    /// A file that is made when the player asks for it.
    private func whenAsked(_ asked: Router.Request) -> LoopbackListener.File {
        .made { [maker, board] in
            board.noteAsking(asked)
            let result = await maker.makeFile(asked)
            board.note(asked, result)
            return try? result.get().resource
        }
    }

    /// What does not become of a file that the player has from its origin.
    private func undone(_ plan: RoutePlan, _ track: Int) -> [SubtitleDelivery.Undone] {
        var undone: [SubtitleDelivery.Undone] = []
        if router.policies.map != .none { undone.append(.map) }
        if case .subtitleFile = plan {
            let file = router.tracks[track].configuration
            if file.format.isConverted || file.encoding != nil { undone.append(.conversion) }
            if file.shift != 0 { undone.append(.shift) }
        }
        if router.policies.missingTrack == .empty { undone.append(.cover) }
        if router.tracks[track].hasAppHeaders { undone.append(.headers) }
        return undone
    }

    /// The address below `base` that stands for one of ours.
    private func served(_ address: [UInt8], _ base: [UInt8]) -> [UInt8] {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let name = String(decoding: address, as: UTF8.self).addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return base + Array("file?".utf8) + Array(name.utf8)
    }

    /// The address of ours for which one below a base stands; nil if it stands for none.
    static func address(in url: [UInt8]) -> [UInt8]? {
        let text = String(decoding: url, as: UTF8.self)
        guard let mark = text.range(of: "/file?", options: .backwards) else { return nil }
        return text[mark.upperBound...].removingPercentEncoding.map { Array($0.utf8) }
    }
}

extension RoutedTrack {
    /// Whether what is said of it makes sense beside a live video alone.
    fileprivate var isForLiveVideo: Bool { configuration.anchor != nil || configuration.cues != nil }
}

extension RoutePlan {
    /// The track whose subtitle playlist it is for.
    fileprivate var subtitlePlaylistTrack: Int? {
        switch self {
        case .subtitlePlaylist(let track), .fetch(_, .subtitlePlaylist(let track)): track
        default: nil
        }
    }
}
#endif
