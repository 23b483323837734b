#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

/// Whether addresses that were given out lead nowhere any more.
final class Staleness: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    private var action: @Sendable () -> Void = {}

    var isSet: Bool { lock.withLock { value } }

    func set() {
        let action = lock.withLock {
            value = true
            return self.action
        }
        action()
    }

    /// A new item begins with new addresses.
    func clear() { lock.withLock { value = false } }

    /// Has `action` done whenever they come to lead nowhere.
    func whenSet(_ action: @escaping @Sendable () -> Void) { lock.withLock { self.action = action } }
}
#endif
