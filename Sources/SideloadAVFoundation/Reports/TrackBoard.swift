#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

/// What is known of the tracks, for any thread.
final class TrackBoard: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var listed: [[String]]

    init(_ count: Int) { unsafe listed = [[String]](repeating: [], count: count) }

    /// What the multivariant playlist calls each track; nothing for one that is not in it.
    var names: [[String]] { lock.withLock { unsafe listed } }

    /// Notes what the multivariant playlist calls the tracks.
    func list(_ names: [[[UInt8]]]) {
        lock.withLock { unsafe listed = names.map { $0.map { String(decoding: $0, as: UTF8.self) } } }
    }
}
#endif
