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
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="ger",AUTOSELECT=YES,URI="de.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Svenska",LANGUAGE="sv",AUTOSELECT=YES,URI="sv.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Schwiiz",LANGUAGE="de-CH",AUTOSELECT=YES,URI="ch.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,SUBTITLES="s"
            low.m3u8

            """
        let subtitles = try [
            ExternalSubtitle(url("https://s.example.com/1.vtt"), language: "en", name: "English"),
            ExternalSubtitle(
                url("https://s.example.com/2.vtt"), language: "en", name: "English forced", isForced: true),
            ExternalSubtitle(url("https://s.example.com/3.vtt"), language: "en", name: "English SDH", isSDH: true),
            ExternalSubtitle(url("https://s.example.com/4.vtt"), language: "pt-BR", name: "Português"),
            ExternalSubtitle(url("https://s.example.com/5.vtt"), language: "sv-FI", name: "Finlandssvenska"),
        ]
        return try Stage(FakeOrigin([Stage.master: .file(own)]), subtitles: subtitles) {
            $0.policies.missingTrack = .empty
        }
    }

    nonisolated static let rows: [(SubtitleChoice, String?)] = [
        // The video has "English" too.
        (SubtitleChoice(language: "en"), "English 2"),
        (SubtitleChoice(language: "EN"), "English 2"),
        (SubtitleChoice(language: "eng"), "English 2"),
        (SubtitleChoice(language: "en", isForced: true), "English forced"),
        (SubtitleChoice(language: "en", isSDH: true), "English SDH"),
        (SubtitleChoice(language: "pt"), "Português"),
        (SubtitleChoice(language: "pt-BR"), "Português"),
        (SubtitleChoice(language: "en-GB"), "English 2"),
        (SubtitleChoice(language: "sv-SE"), "Svenska"),
        (SubtitleChoice(language: "sv"), "Svenska"),
        (SubtitleChoice(language: "sv-FI"), "Finlandssvenska"),
        (SubtitleChoice(language: "ger"), "Deutsch"),
        (SubtitleChoice(language: "de-AT"), "Deutsch"),
        (SubtitleChoice(language: "de-CH"), "Schwiiz"),
        // A wrong language is worse than none.
        (SubtitleChoice(language: "pt-PT"), nil),
        (SubtitleChoice(language: "fi"), nil),
        (SubtitleChoice(language: "e"), nil),
        (SubtitleChoice(language: "en", isForced: true, isSDH: true), nil),
    ]

    @Test(arguments: rows)
    func selects(_ choice: SubtitleChoice, _ name: String?) async throws {
        let stage = try stage()
        let item = AVPlayerItem(stage.loader)
        let asset = try #require(item.asset as? SubtitleAsset)
        #expect(asset.loader === stage.loader)
        let selection = try await item.selectSubtitles(choice)
        #expect(selection?.name == name)
        #expect(selection?.isShown == (name == nil ? nil : true))
        #expect(try await item.shownSubtitles() == selection)
        try await item.deselectSubtitles()
        #expect(try await item.shownSubtitles() == nil)
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    @Test func aSelectionSaysWhoseItIs() async throws {
        let item = AVPlayerItem(try stage().loader)
        let ours = try #require(try await item.selectSubtitles(SubtitleChoice(language: "en")))
        #expect(ours.track == 0 && ours.language == "en" && ours.displayName == "English")
        let theirs = try #require(try await item.selectSubtitles(SubtitleChoice(language: "de")))
        #expect(theirs.track == nil && theirs.language == "de", "ger reads back as de")
    }

    @Test func theOptionOfATrack() async throws {
        let stage = try stage()
        let item = AVPlayerItem(stage.loader)
        for (track, tag) in ["en", "en", "en", "pt-BR", "sv-FI"].enumerated() {
            #expect(try await stage.loader.option(for: track, in: item)?.extendedLanguageTag == tag)
        }
        #expect(try await stage.loader.option(for: 5, in: item) == nil)
        let first = try #require(try await stage.loader.option(for: 0, in: item))
        #expect(first.attributes["NAME"] == "English 2" && first.displayName == "English")
    }

    /// Of several of one kind the first that the loader has brought, or else the first; what is for the deaf transcribes
    /// speech and describes sounds.
    @Test func theFirstOfOneKind() async throws {
        let spoken = "public.accessibility.transcribes-spoken-dialog"
        let own = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="A",LANGUAGE="en",CHARACTERISTICS="\(spoken)",URI="a.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="B",LANGUAGE="en",URI="b.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,SUBTITLES="s"
            low.m3u8

            """
        let ours = try ["fi", "fi"].enumerated().map { number, language in
            ExternalSubtitle(try url("https://s.example.com/\(number).vtt"), language: language, name: "\(number)")
        }
        let stage = try Stage(FakeOrigin([Stage.master: .file(own)]), subtitles: ours) {
            $0.policies.missingTrack = .empty
        }
        let item = AVPlayerItem(stage.loader)
        #expect(try await item.selectSubtitles(SubtitleChoice(language: "en"))?.name == "A")
        #expect(try await item.selectSubtitles(SubtitleChoice(language: "en", isSDH: true)) == nil)
        #expect(try await item.selectSubtitles(SubtitleChoice(language: "fi"))?.track == 0)
    }

    // MARK: With a player

    @Test func thePatienceOfAPlayer() {
        let patience = AVPlayer.Patience()
        #expect(patience.forReadiness == .seconds(10) && patience.betweenLooks == .milliseconds(50))
        #expect(patience.betweenChoices == .milliseconds(700))
    }

    private var patience: AVPlayer.Patience {
        var patience = AVPlayer.Patience()
        patience.betweenLooks = .milliseconds(1)
        patience.betweenChoices = .milliseconds(1)
        return patience
    }

    /// The group of subtitles may be there and empty before that.
    @Test func theGroupIsLoadedAgainOnceTheItemIsReady() async throws {
        let item = AVPlayerItem(try stage().loader)
        let player = AVPlayer(playerItem: item)
        (item.asset as? AVURLAsset)?.groupIsEmpty.isSet = true
        #expect(try await item.selectSubtitles(SubtitleChoice(language: "en")) == nil)
        let choosing = Task { [patience] in try await player.selectSubtitles(SubtitleChoice(language: "en"), patience) }
        try await Task.sleep(for: .milliseconds(5))
        item.become(.readyToPlay)
        let selection = try #require(try await choosing.value)
        #expect(selection.name == "English 2" && selection.isShown)
        #expect(!player.appliesMediaSelectionCriteriaAutomatically)
    }

    @Test(arguments: [(2, true), (3, true), (9, false)])
    func aChoiceThatIsDroppedIsRepeated(_ dropped: Int, _ isShown: Bool) async throws {
        let item = AVPlayerItem(try stage().loader)
        let player = AVPlayer(playerItem: item)
        item.become(.readyToPlay)
        item.drop(dropped)
        let selection = try #require(try await player.selectSubtitles(SubtitleChoice(language: "sv"), patience))
        #expect(selection.name == "Svenska" && selection.isShown == isShown)
        #expect(item.selectCount == (isShown ? dropped + 1 : 6))
    }

    @Test func anItemThatNeverBecomesReadyIsNotWaitedForForEver() async throws {
        let player = AVPlayer(playerItem: AVPlayerItem(try stage().loader))
        var patience = patience
        patience.forReadiness = .milliseconds(20)
        #expect(try await player.selectSubtitles(SubtitleChoice(language: "sv"), patience)?.isShown == true)
        #expect(try await AVPlayer(playerItem: nil).selectSubtitles(SubtitleChoice(language: "sv")) == nil)
    }

    /// What needs no waiting for is not waited for.
    @Test func aChoiceThatIsShownIsTheEnd() async throws {
        let item = AVPlayerItem(try stage().loader)
        item.become(.readyToPlay)
        var patience = AVPlayer.Patience()
        (patience.betweenLooks, patience.betweenChoices) = (.seconds(600), .seconds(600))
        let player = AVPlayer(playerItem: item)
        #expect(try await player.selectSubtitles(SubtitleChoice(language: "sv"), patience)?.isShown == true)
        #expect(item.selectCount == 1)
    }

    @Test func selectionsEndWithTheItem() async throws {
        var item: AVPlayerItem? = AVPlayerItem(try stage().loader)
        let selections = try #require(item?.subtitleSelections)
        item?.systemSelects(nil)
        item = nil
        var count = 0
        for await _ in selections { count += 1 }
        #expect(count == 0 && !Task.isCancelled)
    }

    @Test func whatTheSystemChoosesIsTold() async throws {
        let stage = try stage()
        let item = AVPlayerItem(stage.loader)
        try await item.selectSubtitles(SubtitleChoice(language: "en"))
        var selections = item.subtitleSelections.makeAsyncIterator()
        item.systemSelects(try await stage.loader.option(for: 3, in: item))
        #expect(await selections.next()??.name == "Português")
        item.systemSelects(nil)
        #expect(await selections.next() == .some(nil))
    }
}
