public import Foundation

/// Something that can be played.
open class AVAsset: NSObject, @unchecked Sendable {
    /// The options of one kind that a viewer may choose from; nil if there are none.
    open func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? { nil }
}

/// What can be played from a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    /// Where it is.
    public let url: URL
    /// What asks for its resources.
    public let resourceLoader = AVAssetResourceLoader()

    /// The asset at `url`.
    public init(url: URL, options: [String: Any]? = nil) {
        self.url = url
    }

    /// Reads the multivariant playlist through the delegate, as a player does, and takes the subtitles from it.
    override open func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        guard mediaCharacteristic == .legible else { return nil }
        _ = await resourceLoader.load(.probe(url))
        guard let answer = await resourceLoader.load(.toEnd(url)).answer else { throw NotLoaded() }
        if let error = answer.error { throw error }
        let options = MediaTags.subtitles(in: answer.text).map(AVMediaSelectionOption.init)
        return options.isEmpty ? nil : AVMediaSelectionGroup(options)
    }

    /// The delegate would not answer.
    package struct NotLoaded: Error {}
}
