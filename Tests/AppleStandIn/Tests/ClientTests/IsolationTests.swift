import SideloadAVFoundation
import Testing

// What an app writes compiles wherever it runs: on the main actor, on an actor of its own, and nowhere in particular. Options and
// groups of AVFoundation are not Sendable, so that an interface that hands them out may compile for one of them alone.

private let address = "http://127.0.0.1:1/master.m3u8"

private func loader() throws -> SubtitleLoader {
    try SubtitleLoader(
        URL(string: address) ?? URL(fileURLWithPath: "/"),
        subtitles: [
            ExternalSubtitle(
                URL(fileURLWithPath: "/none.vtt"), language: "en", name: "English", at: .date(Date()), live: true),
            ExternalSubtitle(growing: "Said", language: "sv"),
        ])
}

/// Writes cues, wherever it is.
private func write(_ loader: SubtitleLoader) throws(SubtitleLoaderError) {
    let cues = try loader.writer(of: 1, as: .jsonLines)
    try cues.append("{\"start\":0,\"end\":2,\"text\":\"a\"}\n")
    try cues.finish()
    if let notes = loader.subtitles[1].live, notes.contains(.noAnchor) { print(notes.messages) }
}

@MainActor
private final class OnTheMainActor {
    func use() async throws -> Bool {
        let loader = try loader()
        try write(loader)
        let player = AVPlayer(playerItem: AVPlayerItem(loader))
        guard let item = player.currentItem else { return false }
        try await player.selectSubtitles(SubtitleChoice(language: "fi"))
        try await item.selectSubtitles(SubtitleChoice(language: "fi"))
        let option = try await loader.option(for: 0, in: item)
        return option?.displayName == nil
    }
}

private actor OnAnActor {
    func use() async throws -> Bool {
        let loader = try loader()
        try write(loader)
        let item = AVPlayerItem(asset: loader.makeAsset())
        let player = await AVPlayer(playerItem: item)
        let selection = try await player.selectSubtitles(SubtitleChoice(language: "fi"))
        try await item.selectSubtitles(SubtitleChoice(language: "fi"))
        let option = try await loader.option(for: 0, in: item)
        return option?.displayName == nil && selection == nil
    }
}

private func nowhereInParticular() async throws -> Bool {
    let loader = try loader()
    try write(loader)
    let item = await AVPlayerItem(loader)
    let player = await AVPlayer(playerItem: item)
    try await player.selectSubtitles(SubtitleChoice(language: "fi"))
    let selection = try await item.selectSubtitles(SubtitleChoice(language: "fi"))
    let option = try await loader.option(for: 0, in: item)
    return option?.displayName == nil && selection == nil
}

/// There is no such video, so that each of them fails; that it compiles is what is tested.
struct IsolationTests {
    @Test func everyIsolationCanUseIt() async {
        await #expect(throws: (any Error).self) { try await OnTheMainActor().use() }
        await #expect(throws: (any Error).self) { try await OnAnActor().use() }
        await #expect(throws: (any Error).self) { try await nowhereInParticular() }
    }
}

/// An app may have types of its own with names of the library's.
private struct Router {}

/// What options are made of comes with the one import.
private func options() -> SubtitleLoaderOptions {
    var options = SubtitleLoaderOptions()
    options.policies.missingTrack = .empty
    options.policies.map = .auto
    options.limits = FetchLimits(file: 1 << 20)
    _ = (MediaDuration(milliseconds: 1), SubtitleFormat.subRip, Router())
    return options
}
