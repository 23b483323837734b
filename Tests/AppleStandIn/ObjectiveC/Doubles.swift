// What the delegate's two files take from the rest of the adapter.
internal import AVFoundation
internal import Delivery

final class OpenRequests {
    func request(_ asked: RouteRequest) -> Router.Request { Router.Request() }
    func open(
        _ request: Router.Request, _ loading: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader
    ) {}
    func cancel(_ loading: AVAssetResourceLoadingRequest) {}
    func release() {}
}

struct LoadingTrace {
    enum Kind { case planned(RoutePlan), cancelled }
    func note(_ kind: @autoclosure () -> Kind, _ url: @autoclosure () -> [UInt8]) {}
}

extension RouteRequest {
    init(_ loading: AVAssetResourceLoadingRequest) { self.init() }
}
