#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Delivery
internal import Foundation

/// What AVFoundation calls: it plans, keeps what is ours, and leaves everything else to the app's own delegate.
final class ResourceDelegate: NSObject, AVAssetResourceLoaderDelegate, @unchecked Sendable {
    private let router: Router
    private let requests: OpenRequests
    private let app: AppDelegate
    private let trace: LoadingTrace

    init(_ router: Router, _ requests: OpenRequests, _ app: AppDelegate, _ trace: LoadingTrace) {
        self.router = router
        self.requests = requests
        self.app = app
        self.trace = trace
    }

    // Nobody answers any more: what is open must not stay so.
    deinit { requests.release() }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        takes(loadingRequest, of: resourceLoader) || app.waits(for: loadingRequest, of: resourceLoader)
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForRenewalOfRequestedResource renewalRequest: AVAssetResourceRenewalRequest
    ) -> Bool {
        takes(renewalRequest, of: resourceLoader) || app.waits(forRenewal: renewalRequest, of: resourceLoader)
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {
        let request = RouteRequest(loadingRequest)
        if case .decline = router.plan(request) { return app.cancel(loadingRequest, of: resourceLoader) }
        requests.cancel(loadingRequest)
        trace.note(.cancelled, request.url)
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForResponseTo authenticationChallenge: URLAuthenticationChallenge
    ) -> Bool { app.waits(for: authenticationChallenge, of: resourceLoader) }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel authenticationChallenge: URLAuthenticationChallenge
    ) { app.cancel(authenticationChallenge, of: resourceLoader) }

    /// Whether the request is ours. If so it is answered later.
    private func takes(_ loading: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader) -> Bool {
        let request = requests.request(RouteRequest(loading))
        // What becomes of a segment beside a live video no plan says.
        if !request.isForLiveSegment { trace.note(.planned(request.plan), request.asked.url) }
        if case .decline = request.plan { return false }
        requests.open(request, loading, of: loader)
        return true
    }
}

extension Router.Request {
    /// Whether it asks for a segment beside a live video.
    fileprivate var isForLiveSegment: Bool {
        if case .segment? = router.liveRequest(asked)?.kind { true } else { false }
    }
}
#endif
