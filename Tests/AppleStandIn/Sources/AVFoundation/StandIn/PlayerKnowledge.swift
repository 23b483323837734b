import Foundation

/// What a player keeps of the resources it has asked for.
package final class PlayerKnowledge: @unchecked Sendable {
    private let lock = NSLock()
    private var redirected: Set<String> = []
    private var informed: [String: ContentInformation] = [:]

    /// The player followed a redirect for a probe of this URL, and so takes the other resource's length for its own.
    func wasRedirected(_ url: String) { lock.withLock { _ = redirected.insert(url) } }

    func hasWrongLength(_ url: String) -> Bool { lock.withLock { redirected.contains(url) } }

    /// The player was told this. It remembers it unless it has to renew it.
    func wasTold(_ information: ContentInformation, of url: String) {
        guard information.renewalDate == nil else { return }
        lock.withLock { informed[url] = information }
    }

    /// What the player remembers of this URL.
    package func information(of url: String) -> ContentInformation? { lock.withLock { informed[url] } }
}
