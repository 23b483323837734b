import AVFoundation
import Foundation

/// A delegate that does what a test tells it, and remembers what it was called for.
final class RecordingDelegate: NSObject, AVAssetResourceLoaderDelegate, @unchecked Sendable {
    typealias Act = (AVAssetResourceLoadingRequest) -> Bool

    private let lock = NSLock()
    private var calls: [String] = []
    private let act: Act

    init(_ act: @escaping Act) { self.act = act }

    var called: [String] { lock.withLock { calls } }

    private func note(_ call: String) { lock.withLock { calls.append(call) } }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        note("load")
        return act(loadingRequest)
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForRenewalOfRequestedResource renewalRequest: AVAssetResourceRenewalRequest
    ) -> Bool {
        note("renew")
        return act(renewalRequest)
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) { note("cancel") }
}
