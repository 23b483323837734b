import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

/// Which subtitles are shown.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SelectionTests {
    /// A video with subtitles of its own, and what is put beside them.
    private func stage() throws -> Stage {
        let own = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Native",LANGUAGE="en",AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,SUBTITLES="s"
            low.m3u8

            """
        let subtitles = try [
            ExternalSubtitle(url("https://s.example.com/1.vtt"), language: "en", name: "English"),
            ExternalSubtitle(
                url("https://s.example.com/2.vtt"), language: "en", name: "English forced", isForced: true),
            ExternalSubtitle(url("https://s.example.com/3.vtt"), language: "en", name: "English SDH", isSDH: true),
            ExternalSubtitle(url("https://s.example.com/4.vtt"), language: "pt-BR", name: "Português"),
        ]
        return try Stage(FakeOrigin([Stage.master: .file(own)]), subtitles: subtitles) {
            $0.policies.missingTrack = .empty
        }
    }

    nonisolated static let rows: [(SubtitleChoice, String?)] = [
        (SubtitleChoice(language: "en"), "English"),
        (SubtitleChoice(language: "EN"), "English"),
        (SubtitleChoice(language: "en", isForced: true), "English forced"),
        (SubtitleChoice(language: "en", isSDH: true), "English SDH"),
        (SubtitleChoice(language: "pt"), "Português"),
        (SubtitleChoice(language: "pt-BR"), "Português"),
        (SubtitleChoice(language: "pt-PT"), nil),
        (SubtitleChoice(language: "en-GB"), nil),
        (SubtitleChoice(language: "sv"), nil),
        (SubtitleChoice(language: "en", isForced: true, isSDH: true), nil),
    ]

    @Test(arguments: rows)
    func selects(_ choice: SubtitleChoice, _ name: String?) async throws {
        let stage = try stage()
        let item = AVPlayerItem(stage.loader)
        let asset = try #require(item.asset as? SubtitleAsset)
        #expect(asset.loader === stage.loader)
        let option = try await item.selectSubtitles(choice)
        #expect(option?.displayName == name)
        try await item.deselectSubtitles()
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    @Test func theChoiceIsTheItems() async throws {
        let item = AVPlayerItem(try stage().loader)
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .legible))
        let native = group.options.filter { $0.displayName == "Native" }
        #expect(native.count == 1 && group.options.count == 5)
        #expect(
            SubtitleChoice(language: "en").option(in: group)?.displayName == "Native", "the first, if none is preferred"
        )
    }
}
