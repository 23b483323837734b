#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

/// Whether addresses that were given out lead nowhere any more.
final class Staleness: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}
#endif
