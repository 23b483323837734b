#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation

extension SubtitleLoader {
    /// The option of `item`, which plays an asset of this loader's, that shows the track of this number, from 0; nil if
    /// it is not there.
    ///
    /// - Throws: What AVFoundation says if it cannot load the video's tracks.
    nonisolated(nonsending) public func option(
        for track: Int, in item: AVPlayerItem
    ) async throws -> AVMediaSelectionOption? {
        let group = try await item.asset.loadMediaSelectionGroup(for: .legible)
        let names = listedNames
        return group?.options.first { SubtitleSelection($0, names).track == track }
    }
}
#endif
