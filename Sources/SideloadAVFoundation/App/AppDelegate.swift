#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Foundation

/// The app's own delegate, behind the loader's: it gets what is not ours. Held weakly, as AVFoundation holds delegates.
final class AppDelegate: @unchecked Sendable {
    // Never changed after init; the system may set it to nil, from any thread.
    private weak var delegate: (any AVAssetResourceLoaderDelegate)?

    init(_ delegate: (any AVAssetResourceLoaderDelegate)?) { self.delegate = delegate }

    // The methods are optional in Apple's interface alone: elsewhere there is nothing to ask.
    #if canImport(ObjectiveC)
    func waits(for request: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader) -> Bool {
        delegate?.resourceLoader?(loader, shouldWaitForLoadingOfRequestedResource: request) ?? false
    }

    func waits(forRenewal request: AVAssetResourceRenewalRequest, of loader: AVAssetResourceLoader) -> Bool {
        delegate?.resourceLoader?(loader, shouldWaitForRenewalOfRequestedResource: request) ?? false
    }

    func cancel(_ request: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader) {
        delegate?.resourceLoader?(loader, didCancel: request)
    }

    func waits(for challenge: URLAuthenticationChallenge, of loader: AVAssetResourceLoader) -> Bool {
        delegate?.resourceLoader?(loader, shouldWaitForResponseTo: challenge) ?? false
    }

    func cancel(_ challenge: URLAuthenticationChallenge, of loader: AVAssetResourceLoader) {
        delegate?.resourceLoader?(loader, didCancel: challenge)
    }
    #else
    func waits(for request: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader) -> Bool {
        delegate?.resourceLoader(loader, shouldWaitForLoadingOfRequestedResource: request) ?? false
    }

    func waits(forRenewal request: AVAssetResourceRenewalRequest, of loader: AVAssetResourceLoader) -> Bool {
        delegate?.resourceLoader(loader, shouldWaitForRenewalOfRequestedResource: request) ?? false
    }

    func cancel(_ request: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader) {
        delegate?.resourceLoader(loader, didCancel: request)
    }

    func waits(for challenge: URLAuthenticationChallenge, of loader: AVAssetResourceLoader) -> Bool {
        delegate?.resourceLoader(loader, shouldWaitForResponseTo: challenge) ?? false
    }

    func cancel(_ challenge: URLAuthenticationChallenge, of loader: AVAssetResourceLoader) {
        delegate?.resourceLoader(loader, didCancel: challenge)
    }
    #endif
}
#endif
