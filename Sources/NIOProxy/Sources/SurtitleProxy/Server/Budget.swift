import NIOConcurrencyHelpers

/// One worker's share of what clients can make grow.
struct Budget {
    /// How many clients are served at once.
    let connections: Int
    /// How many connections to origins there are.
    let originConnections: Int
    /// How many bytes the tracks' addresses may have that are kept.
    let trackBytes: Int

    /// Of 3 MiB of addresses for all workers together, beside what `VideoStarts` keeps. What is kept of them takes
    /// about five times as much.
    init(_ settings: ProxyServer.Settings) {
        connections = max(settings.connections / settings.threads, 1)
        originConnections = max(settings.originConnections / settings.threads, 1)
        trackBytes = (3 << 20) / settings.threads
    }
}

/// How many bytes are held for all clients, of all workers.
final class HeldBytes: Sendable {
    private let most: Int
    private let count = NIOLockedValueBox(0)

    init(most: Int) { self.most = most }

    /// Whether it is more than there is room for.
    var areTooMany: Bool { areTooMany(without: 0) }

    /// Whether it would be too much even without so many of them.
    func areTooMany(without own: Int) -> Bool { count.withLockedValue { $0 } - own > most }

    /// Counts so many more, or less.
    func change(by difference: Int) { count.withLockedValue { $0 += difference } }
}
