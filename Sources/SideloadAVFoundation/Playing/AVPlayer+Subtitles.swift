#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation

@MainActor
extension AVPlayer {
    /// Shows the subtitles that are meant, and sees to it that they stay: those that a loader has brought come before
    /// others of the same kind. It counts for the item that is played now, and is to be called again for each new one.
    ///
    /// The system's own choice is turned off. The choice is made at once, and again when the item is ready, since its
    /// options may be missing before; it is read back, and repeated up to four times, because a player that stalls
    /// drops it. ``AVFoundation/AVPlayerItem/subtitleSelections`` tells whether the system chooses otherwise later.
    ///
    /// - Returns: What has been chosen, and whether it is shown; nil, and nothing has changed, if there are none such.
    ///   A wrong language is worse than none.
    /// - Throws: What AVFoundation says if it cannot load the video's tracks, and `CancellationError`.
    @discardableResult
    public func selectSubtitles(_ choice: SubtitleChoice) async throws -> SubtitleSelection? {
        try await selectSubtitles(choice, Patience())
    }

    /// How long things are waited for.
    package struct Patience: Sendable {
        /// For the item to become ready.
        package var forReadiness = Duration.seconds(10)
        /// Between two looks at whether it has.
        package var betweenLooks = Duration.milliseconds(50)
        /// Between two choices.
        package var betweenChoices = Duration.milliseconds(700)

        package init() {}
    }

    package func selectSubtitles(
        _ choice: SubtitleChoice, _ patience: Patience
    ) async throws -> SubtitleSelection? {
        appliesMediaSelectionCriteriaAutomatically = false
        guard let item = currentItem else { return nil }
        var selection = try await item.selectSubtitles(choice)
        let isLate = ContinuousClock.now + patience.forReadiness
        while item.status == .unknown, ContinuousClock.now < isLate {
            try await Task.sleep(for: patience.betweenLooks)
        }
        for _ in 0...4 {
            selection = try await item.selectSubtitles(choice)
            if selection?.isShown ?? true { break }
            try await Task.sleep(for: patience.betweenChoices)
        }
        return selection
    }
}
#endif
