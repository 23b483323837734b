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

    func set(_ playlist: FetchedPlaylist, askedAt url: [UInt8], at now: Int64) {
        lock.withLock { unsafe found = (url, playlist, now) }
    }

    func forget() { lock.withLock { unsafe found = nil } }

    /// What came when `url` was asked for.
    func found(at url: [UInt8]) -> (playlist: FetchedPlaylist, at: Int64)? {
        lock.withLock {
            guard let found = unsafe found, found.url == url else { return nil }
            return (found.playlist, found.at)
        }
    }
}
#endif
