public import Foundation

/// Something that can be played. Not Sendable, as Apple's is not.
open class AVAsset: NSObject {
    /// The options of one kind that a viewer may choose from; nil if there are none.
    nonisolated(nonsending) open func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? { nil }
}

/// What can be played from a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Where it is.
    public let url: URL
    /// What asks for its resources.
    public let resourceLoader = AVAssetResourceLoader()

    /// Whether the group of subtitles is there without options until the item is ready, as has been seen.
    package let groupIsEmpty = Flag()

    /// The asset at `url`.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
    }

    /// Reads the multivariant playlist through the delegate, as a player does, and takes the subtitles from it.
    nonisolated(nonsending) override open func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        guard mediaCharacteristic == .legible else { return nil }
        if groupIsEmpty.isSet { return AVMediaSelectionGroup([]) }
        _ = await resourceLoader.load(.probe(url))
        guard let answer = await resourceLoader.load(.toEnd(url)).answer else { throw NotLoaded() }
        if let error = answer.error { throw error }
        let options = MediaTags.subtitles(in: answer.text).map(AVMediaSelectionOption.init)
        return options.isEmpty ? nil : AVMediaSelectionGroup(options)
    }

    /// The delegate would not answer.
    package struct NotLoaded: Error {}
}

/// Something that is so or not, for any thread.
package final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    package var isSet: Bool {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}
