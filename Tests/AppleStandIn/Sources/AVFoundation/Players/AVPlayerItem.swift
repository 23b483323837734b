public import Foundation

// What is known of Apple's:
//
//     init(asset:)           there are two: on the main actor, and anywhere for an asset that is Sendable
//     asset, status, select, currentMediaSelection     are nonisolated
//     select                 may be dropped while the item is not ready, or stalls
//     mediaSelectionDidChange     is posted when the system chooses, too

/// An asset that is being played.
@MainActor
open class AVPlayerItem: NSObject {
    /// Whether an item can be played.
    public enum Status: Int, Sendable {
        /// Nobody knows yet.
        case unknown = 0
        /// It can.
        case readyToPlay = 1
        /// It cannot.
        case failed = 2
    }

    private struct State {
        var status = Status.unknown
        var selected: AVMediaSelectionOption?
        var selectCount = 0
        var droppedCount = 0
    }

    /// Posted when another option is shown.
    public nonisolated static let mediaSelectionDidChangeNotification = Notification.Name(
        "AVPlayerItemMediaSelectionDidChangeNotification")

    /// What is played.
    public nonisolated var asset: AVAsset { played }
    private nonisolated(unsafe) let played: AVAsset
    private nonisolated let lock = NSLock()
    private nonisolated(unsafe) var state = State()

    /// Plays `asset`.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        played = asset
    }

    /// Plays `asset`.
    public convenience init(asset: AVAsset) { self.init(asset: asset, automaticallyLoadedAssetKeys: nil) }

    /// Plays `asset`.
    public nonisolated init(asset: any AVAsset & Sendable) {
        played = asset
        super.init()
    }

    /// Whether it can be played.
    public nonisolated var status: Status { lock.withLock { unsafe state.status } }

    /// Chooses an option, or none.
    public nonisolated func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        lock.withLock {
            unsafe state.selectCount += 1
            guard unsafe state.selectCount > state.droppedCount else { return }
            unsafe state.selected = mediaSelectionOption
        }
    }

    /// What is chosen.
    public nonisolated var currentMediaSelection: AVMediaSelection {
        lock.withLock { unsafe AVMediaSelection([state.selected]) }
    }

    // MARK: What tests do

    /// How often something has been chosen.
    package nonisolated var selectCount: Int { lock.withLock { unsafe state.selectCount } }

    /// So many choices come to nothing.
    package nonisolated func drop(_ count: Int) { lock.withLock { unsafe state.droppedCount = count } }

    /// The item can be played from now on, or never.
    package nonisolated func become(_ status: Status) {
        (asset as? AVURLAsset)?.groupIsEmpty.isSet = false
        lock.withLock { unsafe state.status = status }
    }

    /// The system chooses by itself.
    package nonisolated func systemSelects(_ option: AVMediaSelectionOption?) {
        lock.withLock { unsafe state.selected = option }
        NotificationCenter.default.post(name: Self.mediaSelectionDidChangeNotification, object: self)
    }
}

/// What plays items. The one here plays nothing: tests ask for what a player asks for.
@MainActor
open class AVPlayer: NSObject {
    /// What is played.
    public private(set) var currentItem: AVPlayerItem?

    /// Whether the system chooses by the viewer's settings.
    public var appliesMediaSelectionCriteriaAutomatically = true

    /// Plays `item`.
    public init(playerItem item: AVPlayerItem?) { currentItem = item }
}
