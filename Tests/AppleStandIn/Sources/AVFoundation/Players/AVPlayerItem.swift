public import Foundation

/// An asset that is being played.
@MainActor
open class AVPlayerItem: NSObject {
    /// What is played.
    public nonisolated let asset: AVAsset
    private var selected: [ObjectIdentifier: AVMediaSelectionOption] = [:]

    /// Plays `asset`.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        self.asset = asset
    }

    /// Plays `asset`.
    public convenience init(asset: AVAsset) { self.init(asset: asset, automaticallyLoadedAssetKeys: nil) }

    /// Chooses an option, or none.
    public func select(_ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup) {
        selected[ObjectIdentifier(mediaSelectionGroup)] = mediaSelectionOption
    }

    /// What has been chosen.
    package func selected(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        selected[ObjectIdentifier(group)]
    }
}

/// What plays items. The one here plays nothing: tests ask for what a player asks for.
@MainActor
open class AVPlayer: NSObject {
    /// What is played.
    public private(set) var currentItem: AVPlayerItem?

    /// Plays `item`.
    public init(playerItem item: AVPlayerItem?) { currentItem = item }
}
