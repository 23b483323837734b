#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation

/// The multivariant playlist as it was fetched last, and when.
final class FetchedMaster: Sendable {
    /// Milliseconds since the program began to ask.
    static let clock: @Sendable () -> Int64 = {
        let start = ContinuousClock.now
        return { (ContinuousClock.now - start).inMilliseconds }
    }()

    private let lock = NSLock()
    private nonisolated(unsafe) var found: (url: [UInt8], playlist: FetchedPlaylist, at: Int64)?
    private nonisolated(unsafe) var forgettings = 0

    /// How often it has been forgotten.
    var forgetCount: Int { lock.withLock { unsafe forgettings } }

    /// Takes what has come when `url` was asked for, unless it has been forgotten since it was asked for.
    func set(_ playlist: FetchedPlaylist, askedAt url: [UInt8], at now: Int64, forgotten forgetCount: Int) {
        lock.withLock {
            if unsafe forgettings == forgetCount { unsafe found = (url, playlist, now) }
        }
    }

    func forget() { lock.withLock { unsafe (found, forgettings) = (nil, forgettings + 1) } }

    /// What came when `url` was asked for.
    func found(at url: [UInt8]) -> (playlist: FetchedPlaylist, at: Int64)? {
        lock.withLock {
            guard let found = unsafe found, found.url == url else { return nil }
            return (found.playlist, found.at)
        }
    }
}
#endif
