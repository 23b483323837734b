import AVFoundation
import Delivery
import Foundation
import Sideload
import SideloadAVFoundation
import Testing
import WebVTT

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a player gets, request by request.
@Suite(.timeLimit(.minutes(1)))
struct LoaderTests {
    @Test func theMasterGetsTheTracks() async throws {
        let stage = try Stage()
        #expect(stage.asset.url.absoluteString == "surtitle-master-https://example.com/a/master.m3u8")
        let probe = try #require(await stage.requests.load(.probe(stage.asset.url)).answer)
        let text = try await stage.masterText()
        #expect(probe.data.isEmpty && probe.information?.contentLength == Int64(text.utf8.count))
        #expect(probe.information?.contentType == "public.m3u-playlist")
        #expect(probe.information?.isByteRangeAccessSupported == true)
        #expect(MediaTags.subtitles(in: text).map { $0["NAME"] } == ["English", "Svenska"])
        #expect(text.contains("https://example.com/a/low.m3u8\n"), "the player fetches variants itself")
        #expect(text.contains("https://example.com/a/high.m3u8?ünïcode\n"), "bytes are kept")
        #expect(stage.origin.count(Stage.master) == 1, "fetched and edited once")
        stage.expectNoMisuse()
    }

    /// Its tracks have no place in it.
    @Test func aVideoThatIsAMediaPlaylistIsWrapped() async throws {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns1.ts\n#EXT-X-ENDLIST\n"
        let pages = Stage.pages.merging([Stage.master: .whole(media)]) { $1 }
        let stage = try Stage(FakeOrigin(pages))
        let text = try await stage.masterText()
        #expect(text.contains("#EXT-X-STREAM-INF:BANDWIDTH=2000000,SUBTITLES=\"subs\"\n\(Stage.master)\n"))
        #expect(MediaTags.subtitles(in: text).map { $0["NAME"] } == ["English", "Svenska"])
        // Without tracks it is what it is, and what passes by here is mapped.
        let bare = try Stage(FakeOrigin(pages), subtitles: []) { $0.policies.segments = .redirect }
        #expect(try await bare.masterText().contains("\nsurtitle-segment-https://example.com/a/s1.ts\n"))
        let mapped = try Stage(FakeOrigin(pages)) { $0.policies.segments = .redirect }
        let entry = try await mapped.masterText()
        #expect(entry.contains("\nsurtitle-variant-\(Stage.master)\n"))
        let variant = try await mapped.text(try url("surtitle-variant-\(Stage.master)"))
        #expect(variant.contains("\nsurtitle-segment-https://example.com/a/s1.ts\n"))
        stage.expectNoMisuse()
    }

    @Test func theTracksPlaylistsAreMadeOfTheFilesLength() async throws {
        let stage = try Stage()
        let english = try await stage.text(try await stage.uri(of: "en"))
        #expect(english.contains("#EXTINF:7.250,") && english.contains("#EXT-X-ENDLIST"))
        let swedish = try await stage.text(try await stage.uri(of: "sv"))
        #expect(swedish.contains("#EXTINF:9.000,"), "the length of a SubRip file")
        stage.expectNoMisuse()
    }

    @Test func aFileThatIsFitIsRedirectedTo() async throws {
        let english = [ExternalSubtitle(try url(Stage.english), language: "en", name: "English")]
        let stage = try Stage(subtitles: english) {
            $0.policies.webVTT = .redirect
            $0.policies.map = .none
        }
        let answer = try #require(await stage.requests.load(.toEnd(try await stage.file(of: "en"))).answer)
        #expect(answer.redirect?.url?.absoluteString == Stage.english)
        #expect((answer.response as? HTTPURLResponse)?.statusCode == 302)
        #expect(answer.data.isEmpty)
        stage.expectNoMisuse()
    }

    @Test func subRipIsHandedOverAsWebVTT() async throws {
        let stage = try Stage { $0.webVTT = .bytes }
        let file = try await stage.file(of: "sv")
        let probe = try #require(await stage.requests.load(.probe(file)).answer)
        #expect(probe.information?.contentType == "org.w3.webvtt")
        let text = try await stage.text(file)
        #expect(
            text.hasPrefix("WEBVTT\n") && text.contains("00:03.000 --> 00:09.000")
                || text.contains("00:00:03.000 --> 00:00:09.000"))
        #expect(text.contains("Hej då"))
        #expect(probe.information?.contentLength == Int64(text.utf8.count))
        stage.expectNoMisuse()
    }

    @Test func bytesIsAPolicy() async throws {
        let stage = try Stage { $0.policies.webVTT = .bytes }
        #expect(try await stage.text(try await stage.file(of: "en")) == Stage.englishText)
        stage.expectNoMisuse()
    }

    @Test func anUnknownTrackIsAnErrorThatSaysSo() async throws {
        let stage = try Stage()
        let answer = try #require(
            await stage.requests.load(.toEnd(try url("surtitle-track://subtitles/xx.m3u8"))).answer)
        #expect(answer.loaderError == .route)
        #expect(answer.failure?.localizedDescription.contains("xx.m3u8") == true)
        stage.expectNoMisuse()
    }

    @Test func aMasterThatIsNotThereFailsWithItsStatus() async throws {
        let stage = try Stage(FakeOrigin([:]))
        let answer = try #require(await stage.requests.load(.probe(stage.asset.url)).answer)
        let error = try #require(answer.failure)
        #expect(error.domain == SubtitleLoaderError.errorDomain && error.code == 3)
        #expect(error.userInfo[SubtitleLoaderError.statusKey] as? Int == 404)
        #expect((error.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString == Stage.master)
        stage.expectNoMisuse()
    }

    @Test(arguments: [FakeOrigin.Page.broken, .whole("<html>"), .status(500)])
    func whatIsNoMasterFails(_ page: FakeOrigin.Page) async throws {
        let stage = try Stage(FakeOrigin([Stage.master: page]))
        let answer = try #require(await stage.requests.load(.toEnd(stage.asset.url)).answer)
        #expect(answer.failure != nil)
        #expect(answer.data.isEmpty)
        stage.expectNoMisuse()
    }

    /// AVFoundation hands on the deepest underlying error: why there was no answer.
    @Test func whatTheTransportSaysReachesThePlayer() async throws {
        let stage = try Stage(FakeOrigin([Stage.master: .offline]))
        let answer = try #require(await stage.requests.load(.toEnd(stage.asset.url)).answer)
        #expect(answer.failure?.domain == NSURLErrorDomain && answer.failure?.code == NSURLErrorNotConnectedToInternet)
        stage.expectNoMisuse()
    }

    @Test func bytesPastTheEndAreAnError() async throws {
        let stage = try Stage()
        let answer = try #require(await stage.requests.load(.bytes(stage.asset.url, .max, .max)).answer)
        #expect(answer.loaderError == .pastEnd)
        stage.expectNoMisuse()
    }

    @Test func aTypeThatIsNotAllowedIsNotTold() async throws {
        let stage = try Stage()
        var load = Load.probe(stage.asset.url)
        load.allowedContentTypes = ["public.data"]
        let answer = try #require(await stage.requests.load(load).answer)
        #expect(answer.information?.contentType == nil && answer.information?.contentLength != 0)
        stage.expectNoMisuse()
    }

    @Test func headersGoAlongButThoseOfTheRequestItself() async throws {
        let stage = try Stage { $0.headers = [("Authorization", "Bearer app")] }
        var load = Load.toEnd(stage.asset.url)
        load.fields = ["User-Agent": "AppleCoreMedia", "If-None-Match": "\"a\"", "Authorization": "player"]
        _ = await stage.requests.load(load)
        let asked = try #require(stage.origin.asked.first { $0.url == Stage.master })
        #expect(asked.field("user-agent") == "AppleCoreMedia")
        #expect(asked.field("authorization") == "Bearer app")
        #expect(asked.field("range") == nil && asked.field("if-none-match") == nil)
    }

    @Test func theTraceTellsOfEachRequest() async throws {
        let events = Locked<[String]>([])
        let stage = try Stage { options in options.trace = { event in events.withLock { $0.append("\(event)") } } }
        _ = await stage.requests.load(.probe(stage.asset.url))
        _ = await stage.requests.load(.toEnd(try url("surtitle-track://subtitles/xx.m3u8")))
        let told = events.withLock { $0 }
        let entry = stage.asset.url.absoluteString
        #expect(told.contains("\(entry): fetch \(Stage.master) and add the tracks"))
        #expect(told.contains("\(Stage.master): fetching"))
        #expect(told.contains { $0.hasPrefix("\(entry): answered, told of ") && $0.hasSuffix("no bytes") })
        #expect(told.contains { $0.hasPrefix("surtitle-track://subtitles/xx.m3u8: failed: ") })
    }

    @Test func aFileOfTheDeviceIsATrackToo() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("norsk språk.srt")
        try Data(Stage.swedishText.utf8).write(to: file)
        let stage = try Stage(subtitles: [ExternalSubtitle(file, language: "nb", name: "Norsk")]) {
            $0.policies.map = .none
        }
        #expect(try await stage.text(try await stage.uri(of: "nb")).contains("#EXTINF:9.000,"))
        #expect(try await stage.text(try await stage.file(of: "nb")).hasPrefix("WEBVTT\n"))
        #expect(stage.origin.asked.map(\.url) == [Stage.master, "https://example.com/a/low.m3u8"])
        stage.expectNoMisuse()
    }

    @Test func whatCannotBeIsRefused() throws {
        func error(_ master: String, _ subtitles: [ExternalSubtitle]) throws -> SubtitleLoaderError? {
            do throws(SubtitleLoaderError) {
                _ = try SubtitleLoader(URL(fileURLWithPath: "/"), subtitles: [])
            } catch {
                #expect(error.route != nil)
            }
            do {
                _ = try SubtitleLoader(try url(master), subtitles: subtitles)
                return nil
            } catch { return error as? SubtitleLoaderError }
        }
        let unknown = ExternalSubtitle(try url("https://example.com/subs"), language: "en", name: "English")
        #expect(try error(Stage.master, [unknown])?.code == .unknownFormat)
        let language = ExternalSubtitle(try url(Stage.english), language: "no language", name: "English")
        #expect(try error(Stage.master, [language])?.route?.tracks?.reason == .notALanguage)
        let told = ExternalSubtitle(
            try url("https://example.com/subs"), language: "en", name: "English", format: .subRip)
        #expect(try error(Stage.master, [told]) == nil)
    }

    /// The player sees their bytes behind a scheme of ours, and the origin is asked for the same ones.
    @Test(arguments: [
        "https://example.com/a/master.m3u8#t=1", "https://[2001:db8::1]:8443/a/m.m3u8?x=%2F&y=%C3%BC",
        "https://me:pw@example.com:444/m.m3u8", "https://example.com/a%20b/m.m3u8", "https://example.com",
        "https://example.com?x", "https://example.com:443/a//../b/./m.m3u8", "https://example.com/m.m3u8?a[]=1%7C2",
        "https://example.com/\(String(repeating: "x", count: 100_000))",
    ])
    func addressesOfMasters(_ address: String) async throws {
        let asked = String(try url(address).absoluteString.prefix { $0 != "#" })
        let origin = FakeOrigin(Stage.pages.merging([asked: .file(Stage.masterText)]) { $1 })
        let loader = try SubtitleLoader(
            try url(address), subtitles: Stage.subtitles(), options: SubtitleLoaderOptions(transport: origin))
        #expect(try await Stage(origin, loader).masterText().contains("Svenska"))
        let given = try SubtitleLoader(
            playlist: Data(Stage.masterText.utf8), at: try url(address), subtitles: Stage.subtitles(),
            options: SubtitleLoaderOptions(transport: FakeOrigin([Stage.english: .file(Stage.englishText)])))
        #expect(try await Stage(origin, given).masterText().contains("English"))
    }
}
