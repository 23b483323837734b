#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Foundation

/// The assets of a loader, as long as they are there: what asks for their resources may go at any time.
final class AttachedAssets: @unchecked Sendable {
    private struct Asset {
        weak var loader: AVAssetResourceLoader?
        let number: Int
    }

    private let lock = NSLock()
    /// From the oldest to the newest.
    private var assets: [Asset] = []
    private var lastNumber = 0

    /// How many are known.
    var count: Int { lock.withLock { assets.count } }

    /// What asks for the newest one's resources, of those that are there.
    var newest: AVAssetResourceLoader? { lock.withLock { assets.lazy.compactMap(\.loader).last } }

    /// From now on `loader` asks for resources too.
    func add(_ loader: AVAssetResourceLoader) {
        lock.withLock {
            lastNumber += 1
            assets.removeAll { $0.loader == nil || $0.loader === loader }
            assets.append(Asset(loader: loader, number: lastNumber))
        }
    }

    /// The number of the asset for which `loader` asks, which no other of them has had; nil if that is not known.
    func number(of loader: AVAssetResourceLoader) -> Int? {
        lock.withLock { assets.first { $0.loader === loader }?.number }
    }
}
#endif
