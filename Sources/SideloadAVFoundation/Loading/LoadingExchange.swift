#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Delivery
internal import Foundation

// One request of the player, from the callback to its end.
//
//     open ──▶ closed         by the first of: an answer, a redirect, a failure, a cancel, the loader's release
//
// Whatever comes later finds it closed and does nothing, so a request is finished once, or cancelled and left alone.
// That holds without a lock, because all of it happens on the loader's queue: AVFoundation makes its calls there, a
// cancel too, and the answers come there from the tasks that fetch. An answer is never given inside the callback that
// brought the request: it is at least one turn of the queue later.

/// A request that is to be answered. Used on the loader's queue only, which is why it may be carried there.
final class LoadingExchange: @unchecked Sendable {
    private enum State {
        case open(AVAssetResourceLoadingRequest)
        case closed
    }

    /// What it gets.
    let request: Router.Request
    /// The number of the asset that it is for; nil if that is not known.
    let asset: Int?
    /// That of the player's request.
    let id: ObjectIdentifier
    /// Tells what is made for it beside a live video from all else; nil if it matters not whether the video is live.
    let liveKey: [UInt8]?
    private var state: State

    init(_ request: Router.Request, _ loading: AVAssetResourceLoadingRequest, of asset: Int?) {
        self.request = request
        self.asset = asset
        id = ObjectIdentifier(loading)
        liveKey = request.router.liveRequest(request.asked) == nil ? nil : Array("live ".utf8) + request.asked.url
        state = .open(loading)
    }

    /// Tells what is made for it from all else; nil if nothing is.
    var key: [UInt8]? { liveKey ?? request.key }

    /// Whether an answer is still wanted.
    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Takes the player's request out, so that nobody else can.
    private func close() -> AVAssetResourceLoadingRequest? {
        guard case .open(let loading) = state else { return nil }
        state = .closed
        return loading
    }

    /// The player wants no answer any more, and must not get one.
    func cancel() { state = .closed }

    /// Hands over what the request gets of `resource`.
    func answer(_ answer: ResourceAnswer, of resource: Resource) {
        if case .unsatisfiable = answer.data { return fail(SubtitleLoaderError(.pastEnd, request.asked.url)) }
        guard let loading = close() else { return }
        if let information = answer.information, let asked = loading.contentInformationRequest {
            asked.tell(information)
        }
        if case .range(let range) = answer.data, !range.isEmpty {
            loading.dataRequest?.respond(with: Data(resource.bytes[range]))
        }
        loading.finishLoading()
    }

    /// Sends the player to `url` (302).
    func redirect(to url: URL) {
        guard let loading = close() else { return }
        var target = URLRequest(url: url)
        for line in request.redirectHeaders {
            let name = String(decoding: line.name, as: UTF8.self)
            target.setValue(String(decoding: line.value, as: UTF8.self), forHTTPHeaderField: name)
        }
        loading.redirect = target
        loading.response = HTTPURLResponse(
            url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: ["Location": url.absoluteString])
        loading.finishLoading()
    }

    /// There is nothing for it.
    func fail(_ error: SubtitleLoaderError) { close()?.finishLoading(with: error.nsError) }
}

extension AVAssetResourceLoadingContentInformationRequest {
    func tell(_ information: ResourceInformation) {
        let type = information.contentType.uniformType.map { String(decoding: $0, as: UTF8.self) }
        // A type that is not allowed raises an exception; none does not.
        if let type, allowedContentTypes?.contains(type) ?? true { contentType = type }
        contentLength = Int64(information.length)
        isByteRangeAccessSupported = information.servesRanges
    }
}
#endif
