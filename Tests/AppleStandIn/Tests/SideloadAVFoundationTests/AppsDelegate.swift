import AVFoundation
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An app's own delegate: it answers everything, later, or nothing at all.
final class AppsDelegate: NSObject, AVAssetResourceLoaderDelegate, @unchecked Sendable {
    private struct Carried: @unchecked Sendable { let request: AVAssetResourceLoadingRequest }

    private let noted = Locked<[String]>([])
    private let asked = Locked<[URLAuthenticationChallenge]>([])
    private let answers: Bool
    private let queue = DispatchQueue(label: "app")

    /// With what it answers challenges; nil if it has them cancelled.
    private let password: String?

    init(answers: Bool = true, password: String? = nil) {
        self.answers = answers
        self.password = password
    }

    var calls: [String] { noted.withLock { $0 } }
    /// The challenges that it has been asked.
    var challenges: [URLAuthenticationChallenge] { asked.withLock { $0 } }

    private func take(_ call: String, _ request: AVAssetResourceLoadingRequest) -> Bool {
        noted.withLock { $0.append("\(call) \(request.request.url?.absoluteString ?? "")") }
        guard answers else { return true }
        let carried = Carried(request: request)
        queue.async {
            carried.request.dataRequest?.respond(with: Data("the app's".utf8))
            carried.request.finishLoading()
        }
        return true
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool { take("load", loadingRequest) }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForRenewalOfRequestedResource renewalRequest: AVAssetResourceRenewalRequest
    ) -> Bool { take("renew", renewalRequest) }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) { noted.withLock { $0.append("cancel \(loadingRequest.request.url?.absoluteString ?? "")") } }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForResponseTo authenticationChallenge: URLAuthenticationChallenge
    ) -> Bool {
        asked.withLock { $0.append(authenticationChallenge) }
        noted.withLock { $0.append("challenge \(authenticationChallenge.protectionSpace.host)") }
        guard answers else { return true }
        if let password {
            let credential = URLCredential(user: "me", password: password, persistence: .none)
            authenticationChallenge.sender?.use(credential, for: authenticationChallenge)
        } else {
            authenticationChallenge.sender?.cancel(authenticationChallenge)
        }
        return true
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel authenticationChallenge: URLAuthenticationChallenge
    ) {
        // Of challenges of the loader's own that which it was asked counts, and no other.
        let number = challenges.firstIndex { $0 === authenticationChallenge }.map { " \($0)" } ?? " ?"
        noted.withLock { $0.append("cancel \(authenticationChallenge.protectionSpace.host)\(number)") }
    }
}
