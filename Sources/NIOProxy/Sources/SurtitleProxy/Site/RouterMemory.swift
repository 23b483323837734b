import Delivery
import NIOConcurrencyHelpers

/// The routers that were needed last, for all event loops: to make one costs more than to pass a playlist on.
///
/// Clients choose what playlists they ask for, so few are kept.
final class RouterMemory: Sendable {
    private struct Entry {
        let target: String
        let authority: String
        let router: Router
    }

    private static let most = 16
    /// The one that was made last comes last.
    private let entries = NIOLockedValueBox<[Entry]>([])

    /// The router of the playlist at `target`, whose addresses are at `authority`: a kept one, or what `make` makes.
    func router(_ target: String, _ authority: String, _ make: () throws -> Router) rethrows -> Router {
        let kept = entries.withLockedValue { entries in
            entries.last { $0.target == target && $0.authority == authority }?.router
        }
        if let kept { return kept }
        let router = try make()
        entries.withLockedValue { entries in
            if entries.count == Self.most { entries.removeFirst() }
            entries.append(Entry(target: target, authority: authority, router: router))
        }
        return router
    }
}
