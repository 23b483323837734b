#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation

// Options and groups are not Sendable: they stay on the main actor, and what leaves it are values of ours.

@MainActor
extension AVPlayerItem {
    /// Plays the video that `loader` puts subtitles beside, and keeps the loader.
    public convenience init(_ loader: SubtitleLoader) { self.init(asset: loader.makeAsset()) }

    /// Chooses the subtitles that are meant, once. Those that a loader has brought come before others of the same kind.
    ///
    /// A choice may be dropped before the item is ready and while it stalls: that of the player, which
    /// ``AVFoundation/AVPlayer/selectSubtitles(_:)`` makes, is repeated.
    ///
    /// - Returns: What has been chosen, and whether the item shows it by now; nil, and nothing has changed, if there
    ///   are none such.
    /// - Throws: What AVFoundation says if it cannot load the video's tracks.
    @discardableResult
    public func selectSubtitles(_ choice: SubtitleChoice) async throws -> SubtitleSelection? {
        guard let group = try await asset.loadMediaSelectionGroup(for: .legible) else { return nil }
        let options = group.options
        let all = options.map { SubtitleSelection($0, listedNames) }
        guard let index = choice.index(in: all) else { return nil }
        if !shows(options[index], of: group) { select(options[index], in: group) }
        var selection = all[index]
        selection.isShown = shows(options[index], of: group)
        return selection
    }

    /// Shows no subtitles.
    public func deselectSubtitles() async throws {
        guard let group = try await asset.loadMediaSelectionGroup(for: .legible) else { return }
        select(nil, in: group)
    }

    /// The subtitles that are shown; nil if none are. Over AirPlay the system may not know.
    ///
    /// - Throws: What AVFoundation says if it cannot load the video's tracks.
    public func shownSubtitles() async throws -> SubtitleSelection? {
        guard let group = try await asset.loadMediaSelectionGroup(for: .legible),
            let option = currentMediaSelection.selectedMediaOption(in: group)
        else { return nil }
        var selection = SubtitleSelection(option, listedNames)
        selection.isShown = true
        return selection
    }

    /// What is shown, each time that it changes: by the viewer, by the app, or by the system, which chooses when it is
    /// muted, for instance. It ends with the task that reads it, and does not keep the item.
    public var subtitleSelections: AsyncStream<SubtitleSelection?> {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observer = Observer(
            NotificationCenter.default.addObserver(
                forName: AVPlayerItem.mediaSelectionDidChangeNotification, object: self, queue: nil
            ) { _ in change.yield() })
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { @MainActor [weak self] in
                for await _ in changes {
                    guard let self else { break }
                    continuation.yield(try? await shownSubtitles())
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                task.cancel()
                NotificationCenter.default.removeObserver(observer.token)
            }
        }
    }

    private var listedNames: [[String]] { (asset as? SubtitleAsset)?.loader.listedNames ?? [] }

    private func shows(_ option: AVMediaSelectionOption, of group: AVMediaSelectionGroup) -> Bool {
        currentMediaSelection.selectedMediaOption(in: group)?.isEqual(option) == true
    }
}

/// What ends an observation. Nobody looks into it.
private struct Observer: @unchecked Sendable {
    let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }
}
#endif
