import AVFoundation
import Delivery
import Foundation
import Sideload
import Testing

@testable import SideloadAVFoundation

/// What has become of each track, and why.
@Suite(.timeLimit(.minutes(1)))
struct StatusTests {
    private static let given = "https://subs.example.com/fi/list.m3u8"
    private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n#EXT-X-ENDLIST\n"
    private static let file = "https://subs.example.com/fi/1.vtt"

    private func word(_ status: SubtitleStatus) -> String {
        switch status.state {
        case .waiting: "waiting"
        case .listed: "listed"
        case .leftOut: "left out"
        case .askedFor: "asked for"
        case .delivered: "delivered"
        case .emptied: "emptied"
        case .failed: "failed"
        @unknown default: "?"
        }
    }

    private func words(_ stage: Stage) -> [String] { stage.loader.subtitles.map(word) }

    @Test func aTracksWayToThePlayer() async throws {
        let stage = try Stage { $0.policies.webVTT = .bytes }
        #expect(words(stage) == ["waiting", "waiting"])
        _ = try await stage.masterText()
        #expect(words(stage) == ["listed", "listed"])
        #expect(stage.loader.subtitles.map(\.listedNames) == [["English"], ["Svenska"]])
        _ = try await stage.text(try await stage.uri(of: "sv"))
        #expect(words(stage) == ["listed", "asked for"])
        _ = try await stage.text(try await stage.file(of: "sv"))
        #expect(words(stage) == ["listed", "delivered"])
        #expect(stage.loader.subtitles.allSatisfy { $0.error == nil })
    }

    @Test func aRedirectDelivers() async throws {
        let stage = try Stage()
        _ = await stage.requests.load(.toEnd(try await stage.file(of: "en")))
        #expect(words(stage) == ["delivered", "listed"])
        let sent = try Stage(subtitles: [Stage.subtitles()[0]]) {
            $0.webVTT = .redirect
            $0.policies.map = .none
        }
        let file = try await sent.file(of: "en")
        #expect(words(sent) == ["asked for"])
        #expect(await sent.requests.load(.toEnd(file)).answer?.redirect != nil)
        #expect(words(sent) == ["delivered"])
    }

    /// What is served from this device counts when the player asks for it.
    @Test func whatIsServedFromHereIsDeliveredWhenAskedFor() async throws {
        let stage = try Stage { $0.webVTT = .loopback }
        let files = [try await stage.file(of: "en"), try await stage.file(of: "sv")]
        #expect(files.allSatisfy { $0.host == "127.0.0.1" })
        #expect(words(stage) == ["asked for", "asked for"])
        _ = try await stage.text(files[1])
        #expect(words(stage) == ["asked for", "delivered"])
        let deliveries = [0, 1].map { SubtitleDelivery(track: $0, means: .loopback, undone: [.map]) }
        #expect(stage.loader.subtitles.map(\.delivery) == deliveries)
    }

    /// A file that is missing when the player asks for it is seen to be.
    @Test func whatIsServedFromHereMayBeEmptied() async throws {
        let origin = FakeOrigin(Stage.pages.merging([Stage.swedish: .status(500)]) { $1 })
        let stage = try Stage(origin) {
            $0.webVTT = .loopback
            $0.policies.missingTrack = .empty
        }
        let file = try await stage.file(of: "sv")
        _ = try await stage.text(file)
        #expect(words(stage)[1] == "emptied" && stage.loader.subtitles[1].error?.status == 500)
        origin.put(.file(Stage.swedishText), at: Stage.swedish)
        if file.host == "127.0.0.1" {
            #expect(try await stage.text(file).contains("Hej"))
            #expect(words(stage)[1] == "delivered")
        }
    }

    /// The next item has addresses that lead somewhere.
    @Test func aPortThatIsTakenWantsANewItem() async throws {
        let events = Locked<[String]>([])
        let stage = try Stage { options in
            options.webVTT = .loopback
            options.trace = { event in if case .moved = event.kind { events.withLock { $0.append("\(event)") } } }
        }
        let before = try await stage.file(of: "en")
        let listener = stage.loader.listener
        let port = listener.place.port
        var other: Int32?
        listener.lose { other = LoopbackSocket.listening(at: port)?.descriptor }
        defer { if let other { LoopbackSocket.end(other) } }
        try #require(other != nil)
        listener.reopen()
        await wait { stage.loader.needsNewItem }
        #expect(events.withLock { $0 } == ["\(stage.asset.url.absoluteString): load the item again"])
        let asset = stage.loader.makeAsset()
        #expect(!stage.loader.needsNewItem)
        let playlist = try #require(await asset.resourceLoader.load(.toEnd(try await stage.uri(of: "en"))).answer).text
        let after = try url(try #require(playlist.split(separator: "\n").map(String.init).last { !$0.hasPrefix("#") }))
        #expect(after.host == "127.0.0.1" && after.port != before.port)
        #expect(try await stage.text(after) == Stage.englishText)
    }

    /// What an app's server hands out counts as what the player gets by itself does.
    @Test func whatAServerHandsOutIsSaid() async throws {
        let origin = FakeOrigin(Stage.pages)
        let stage = try Stage(origin) {
            $0.policies.webVTT = .served(base: Array("http://192.0.2.1/".utf8))
            $0.policies.missingTrack = .fail
        }
        let files = [try await stage.file(of: "en"), try await stage.file(of: "sv")]
        #expect(words(stage) == ["asked for", "asked for"])
        _ = try await stage.loader.resource(for: RouteRequest(files[0].absoluteString))
        #expect(words(stage) == ["delivered", "asked for"])
        stage.loader.forget()
        origin.put(.status(500), at: Stage.swedish)
        await #expect(throws: SubtitleLoaderError.self) {
            try await stage.loader.resource(for: RouteRequest(files[1].absoluteString))
        }
        #expect(words(stage) == ["delivered", "failed"] && stage.loader.subtitles[1].error?.status == 500)
        // Who asks for it first is noted, too.
        let other = try Stage(FakeOrigin(Stage.pages.merging([Stage.english: .stalled]) { $1 })) {
            $0.policies.webVTT = .served(base: Array("http://192.0.2.1/".utf8))
            $0.filePatience = .seconds(600)
        }
        let asking = Task { try await other.loader.resource(for: RouteRequest(files[0].absoluteString)) }
        await wait { words(other)[0] == "asked for" }
        #expect(words(other)[0] == "asked for")
        asking.cancel()
        _ = try? await asking.value
    }

    /// A multivariant playlist without variants has no place for it.
    @Test func aTrackThatIsNotListed() async throws {
        let audio = "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",URI=\"a.m3u8\"\n"
        let stage = try Stage(FakeOrigin(Stage.pages.merging([Stage.master: .file(audio)]) { $1 }))
        _ = try await stage.masterText()
        #expect(words(stage) == ["left out", "left out"])
        let errors = stage.loader.subtitles.compactMap(\.error)
        #expect(errors.map(\.code) == [.notListed, .notListed])
        #expect(
            errors.first?.description
                == "surtitle-track://subtitles/en.m3u8: "
                + "the multivariant playlist has no variant that could have the track")
    }

    private static let noTracks: [(FakeOrigin.Page, Int?)] = [
        (.status(404), 404), (.status(403), 403), (.whole("<html>"), nil), (.file(""), nil),
    ]

    /// Whatever answers in the place of a track, it is said.
    @Test(arguments: noTracks)
    func whatIsNoTrackIsLeftOut(_ page: FakeOrigin.Page, _ status: Int?) async throws {
        let pages = Stage.pages.merging([Stage.english: page, Self.given: page]) { $1 }
        let tracks = try Stage.subtitles() + [ExternalSubtitle(url(Self.given), language: "fi", name: "Suomi")]
        let stage = try Stage(FakeOrigin(pages), subtitles: tracks)
        #expect(MediaTags.subtitles(in: try await stage.masterText()).map { $0["LANGUAGE"] } == ["sv"])
        #expect(words(stage) == ["left out", "listed", "left out"])
        for track in [0, 2] {
            let error = try #require(stage.loader.subtitles[track].error)
            #expect(error.status == status && error.url == (track == 0 ? Stage.english : Self.given))
        }
    }

    @Test func aFileOfTheDeviceThatIsNotThereIsLeftOut() async throws {
        let none = ExternalSubtitle(URL(fileURLWithPath: "/none/a.vtt"), language: "en", name: "English")
        let stage = try Stage(subtitles: [none])
        #expect(MediaTags.subtitles(in: try await stage.masterText()).isEmpty)
        #expect(words(stage) == ["left out"] && stage.loader.subtitles[0].error?.url == "file:///none/a.vtt")
    }

    /// The default covers what the player would stall on.
    @Test(arguments: [FakeOrigin.Page.status(500), .broken])
    func aGivenPlaylistThatDoesNotComeIsEmptied(_ page: FakeOrigin.Page) async throws {
        let stage = try Stage(
            FakeOrigin(Stage.pages.merging([Self.given: page]) { $1 }),
            subtitles: [ExternalSubtitle(url(Self.given), language: "fi", name: "Suomi")])
        #expect(try await stage.text(try await stage.file(of: "fi")) == Stage.empty)
        #expect(words(stage) == ["emptied"])
        stage.expectNoMisuse()
    }

    @Test func aFileInAGivenPlaylistThatIsMissingIsEmptied() async throws {
        let origin = FakeOrigin(Stage.pages.merging([Self.given: .whole(Self.list)]) { $1 })
        let stage = try Stage(origin, subtitles: [ExternalSubtitle(url(Self.given), language: "fi", name: "Suomi")])
        let file = try await stage.file(of: "fi")
        #expect(try await stage.text(file) == Stage.empty)
        #expect(words(stage) == ["emptied"] && stage.loader.subtitles[0].error?.status == 404)
        origin.put(.file(Stage.englishText), at: Self.file)
        #expect(try await stage.text(file) == Stage.englishText)
        #expect(words(stage) == ["delivered"])
        stage.expectNoMisuse()
    }

    @Test func aFailureIsSaid() async throws {
        let stage = try Stage(FakeOrigin(Stage.pages.merging([Stage.swedish: .status(404)]) { $1 })) {
            $0.policies.missingTrack = .fail
        }
        _ = await stage.requests.load(.toEnd(try await stage.uri(of: "sv")))
        #expect(words(stage) == ["listed", "failed"] && stage.loader.subtitles[1].error?.status == 404)
    }

    @Test func changesAreTold() async throws {
        let stage = try Stage { $0.policies.webVTT = .bytes }
        var changes = stage.loader.subtitleChanges.makeAsyncIterator()
        _ = try await stage.text(try await stage.file(of: "sv"))
        var told: [String] = []
        while told.last?.contains("delivered") != true {
            told.append(try #require(await changes.next()).description)
        }
        #expect(
            told == [
                "track 1, English: nobody has asked yet", "track 2, Svenska: nobody has asked yet",
                "track 1, English: in the playlist", "track 2, Svenska: in the playlist",
                "track 2, Svenska: asked for", "track 2, Svenska: asked for, by bytes",
                "track 2, Svenska: delivered, by bytes",
            ])
    }

    /// A host that stalls must not stall the video.
    @Test func aHostThatStallsIsNotWaitedFor() async throws {
        let origin = FakeOrigin(Stage.pages.merging([Stage.swedish: .stalled]) { $1 })
        let stage = try Stage(origin) {
            $0.patience = .milliseconds(20)
            $0.filePatience = .milliseconds(20)
        }
        let playlist = try await stage.text(try await stage.uri(of: "sv"))
        #expect(playlist.contains("#EXTINF:604800.000,\n"))
        #expect(words(stage) == ["listed", "asked for"])
        let file = try await stage.file(of: "sv")
        #expect(try await stage.text(file) == Stage.empty)
        #expect(words(stage) == ["listed", "emptied"] && stage.loader.subtitles[1].error?.route?.isLate == true)
        // And it is the file's own, once it is there.
        origin.put(.file(Stage.swedishText), at: Stage.swedish)
        #expect(try await stage.text(file).contains("Hej då"))
        #expect(words(stage) == ["listed", "delivered"])
        stage.expectNoMisuse()
    }

    @Test func aLoaderCanForgetItsMaster() async throws {
        let stage = try Stage()
        _ = try await stage.masterText()
        stage.origin.put(.file(Stage.masterText + "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"b\"\n"), at: Stage.master)
        #expect(try await !stage.masterText().contains("SESSION-DATA"))
        stage.loader.forget()
        #expect(try await stage.masterText().contains("SESSION-DATA"))
        #expect(stage.origin.count(Stage.master) == 2)
        stage.expectNoMisuse()
    }

    @Test func aLiveSingleRenditionGetsNoFilesThatDoNotFollowIt() async throws {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns1.ts\n"
        var tracks = try Stage.subtitles()
        for index in tracks.indices { tracks[index].followsLiveVideo = false }
        let origin = FakeOrigin(Stage.pages.merging([Stage.master: .whole(media)]) { $1 })
        let stage = try Stage(origin, subtitles: tracks)
        #expect(try await stage.masterText().contains("\nhttps://example.com/a/s1.ts\n"))
        #expect(words(stage) == ["left out", "left out"])
        #expect(stage.loader.subtitles[0].error?.route?.isLiveVideo == true)
    }

    @Test func anMP4IsSaidToBeOne() async throws {
        let movie = "\0\0\0\u{18}ftypisom" + String(repeating: "x", count: 5 << 20)
        let stage = try Stage(FakeOrigin([Stage.master: .file(movie)]))
        let answer = try #require(await stage.requests.load(.toEnd(stage.asset.url)).answer)
        #expect(answer.failure?.localizedDescription.contains("MP4") == true)
    }

    @Test func aWrappedHDRVideoSaysSo() async throws {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns1.ts\n#EXT-X-ENDLIST\n"
        let events = Locked<[String]>([])
        let stage = try Stage(FakeOrigin(Stage.pages.merging([Stage.master: .whole(media)]) { $1 })) {
            $0.wrapping = WrappedVariant(uri: "", frameRate: "25", videoRange: .pq)
            $0.trace = { event in events.withLock { $0.append("\(event)") } }
        }
        #expect(try await stage.masterText().contains("FRAME-RATE=25,VIDEO-RANGE=PQ"))
        #expect(events.withLock { $0 }.contains { $0.hasSuffix("which a receiver without HDR may refuse") })
    }

    /// Whoever listens is told, however many do.
    @Test func changesGoToAllWhoListen() async throws {
        let stage = try Stage()
        var listeners = (0..<2).map { _ in stage.loader.subtitleChanges.makeAsyncIterator() }
        _ = try await stage.masterText()
        for index in listeners.indices {
            var told: [String] = []
            for _ in 0..<4 { told.append(word(try #require(await listeners[index].next()))) }
            #expect(told == ["waiting", "waiting", "listed", "listed"])
        }
    }

    /// A writer that is still there keeps nobody waiting.
    @Test func changesEndWithTheLoader() async throws {
        let (changes, writer) = try { () throws in
            let loader = try Stage.loader(FakeOrigin([:]), subtitles: [ExternalSubtitle(growing: "Said")])
            return (loader.subtitleChanges, try loader.writer(of: 0))
        }()
        for await _ in changes {}
        #expect(!Task.isCancelled)
        #expect(throws: SubtitleLoaderError.self) { try writer.append("") }
    }
}
