#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation

extension AVPlayerItem {
    /// Plays the video that `loader` puts subtitles beside, and keeps the loader.
    @MainActor
    public convenience init(_ loader: SubtitleLoader) { self.init(asset: loader.makeAsset()) }

    /// Shows the subtitles that are meant. Those that a loader has brought come before others of the same kind.
    ///
    /// - Returns: What is shown now; nil, and nothing has changed, if there are none such.
    /// - Throws: What AVFoundation says if it cannot load the video's tracks.
    @MainActor
    @discardableResult
    public func selectSubtitles(_ choice: SubtitleChoice) async throws -> AVMediaSelectionOption? {
        guard let group = try await asset.loadMediaSelectionGroup(for: .legible) else { return nil }
        let names = (asset as? SubtitleAsset)?.loader.router.tracks.map(\.configuration.track.name) ?? []
        guard let option = choice.option(in: group, preferring: names) else { return nil }
        select(option, in: group)
        return option
    }

    /// Shows no subtitles.
    @MainActor
    public func deselectSubtitles() async throws {
        guard let group = try await asset.loadMediaSelectionGroup(for: .legible) else { return }
        select(nil, in: group)
    }
}
#endif
