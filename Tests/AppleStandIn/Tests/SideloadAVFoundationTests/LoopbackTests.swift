import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

/// URLSession itself, against a server on this machine.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackTests {
    private static let film = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n"

    @Test func aVideoWithSubtitlesBySession() async throws {
        let server = try LoopbackServer([
            "/master.m3u8": .found(Self.film),
            "/old.m3u8": .moved(to: "/master.m3u8"), "/sv.srt": .found(Stage.swedishText),
        ])
        let base = "http://127.0.0.1:\(server.port)"
        let loader = try SubtitleLoader(
            try url("\(base)/old.m3u8"),
            subtitles: [
                ExternalSubtitle(try url("\(base)/sv.srt"), language: "sv", name: "Svenska"),
                ExternalSubtitle(try url("\(base)/none.vtt"), language: "en", name: "English"),
            ])
        let asset = loader.makeAsset()
        let master = try #require(await asset.resourceLoader.load(.toEnd(asset.url)).answer)
        #expect(master.error == nil)
        #expect(MediaTags.subtitles(in: master.text).map { $0["NAME"] } == ["Svenska"], "the other one is not there")
        #expect(master.text.contains("\n\(base)/low.m3u8\n"), "relative to where the redirect led")
        let file = await asset.resourceLoader.load(.toEnd(try url("surtitle-track://subtitles/sv.vtt"))).answer
        #expect(file?.text.contains("Hej då") == true)
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    /// The player's requests take them from the app's storage.
    @Test func cookiesOfTheMasterReachTheStorageOfTheApp() async throws {
        let server = try LoopbackServer([
            "/master.m3u8": .setting(cookie: "token=abc; Path=/", Self.film)
        ])
        let master = try url("http://127.0.0.1:\(server.port)/master.m3u8")
        let asset = try SubtitleLoader(master, subtitles: []).makeAsset()
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.error == nil)
        let cookies = HTTPCookieStorage.shared.cookies(for: master) ?? []
        #expect(cookies.contains { $0.name == "token" && $0.value == "abc" })
        for cookie in cookies { HTTPCookieStorage.shared.deleteCookie(cookie) }
    }

    /// As the app's delegate answers those of the player's requests.
    @Test(arguments: [true, false])
    func challengesOfTheLoadersOwnFetchesGoToTheApp(_ knows: Bool) async throws {
        let server = try LoopbackServer(["/master.m3u8": .secret(credential: "bWU6c2VjcmV0", Self.film)])
        let app = AppsDelegate(password: knows ? "secret" : nil)
        let master = try url("http://127.0.0.1:\(server.port)/master.m3u8")
        let asset = try SubtitleLoader(master, subtitles: [], delegate: app).makeAsset()
        let answer = try #require(await asset.resourceLoader.load(.toEnd(asset.url)).answer)
        // What came with the challenge is no part of it.
        #expect(answer.text.components(separatedBy: "#EXTM3U").count == (knows ? 2 : 1))
        #expect((answer.error == nil) == knows)
        #expect(app.calls == ["challenge 127.0.0.1"])
    }

    @Test func noMoreIsReadThanIsOfUse() async throws {
        let server = try LoopbackServer(["/endless": .endless])
        let transport = URLSessionTransport()
        let address = try url("http://127.0.0.1:\(server.port)/endless")
        let response = try await transport.response(to: TransportRequest(address, byteLimit: 100_000))
        #expect(response.body.count == 100_000 && response.isCutOff)
        // And the origin is told that it is enough.
        await wait { server.hangUps == 1 }
    }

    /// As long as may be, and a byte longer.
    @Test(arguments: [(0, false), (1, true)]) func theLimitOfABody(_ less: Int, _ isCutOff: Bool) async throws {
        let server = try LoopbackServer(["/film": .found(Self.film)])
        let address = try url("http://127.0.0.1:\(server.port)/film")
        let count = Self.film.utf8.count
        let response = try await URLSessionTransport().response(
            to: TransportRequest(address, byteLimit: count - less))
        #expect(response.body == Data(Self.film.utf8.dropLast(less)) && response.isCutOff == isCutOff)
        #expect(response.status == 200 && response.url == address && response.isDecoded)
    }

    @Test func aCancelEndsTheTask() async throws {
        let server = try LoopbackServer(["/silent": .silent])
        let address = try url("http://127.0.0.1:\(server.port)/silent")
        let transport = URLSessionTransport()
        let task = Task {
            try await transport.response(to: TransportRequest(address, byteLimit: 100))
        }
        await wait { server.heads.count == 1 }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        await wait { server.hangUps == 1 }
        // One that is cancelled before it begins ends too.
        let early = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await URLSessionTransport().response(to: TransportRequest(address, byteLimit: 100))
        }
        await #expect(throws: (any Error).self) { try await early.value }
    }

    @Test func nobodyListens() async throws {
        let address = try url("http://127.0.0.1:1/")
        await #expect(throws: (any Error).self) {
            try await URLSessionTransport().response(to: TransportRequest(address, byteLimit: 100))
        }
    }

    /// The player's and the app's go to the master's origin; a session by itself would send them wherever it is led.
    @Test func credentialsDoNotFollowARedirectElsewhere() async throws {
        let foreign = try LoopbackServer(["/master.m3u8": .found(Self.film)])
        let server = try LoopbackServer([
            "/old.m3u8": .moved(to: "/master.m3u8"),
            "/master.m3u8": .moved(to: "http://127.0.0.1:\(foreign.port)/master.m3u8"),
        ])
        var options = SubtitleLoaderOptions()
        options.headers = [("X-Token", "secret"), ("Authorization", "Bearer secret")]
        let asset = try SubtitleLoader(
            try url("http://127.0.0.1:\(server.port)/old.m3u8"), subtitles: [], options: options
        ).makeAsset()
        var load = Load.toEnd(asset.url)
        load.fields = ["User-Agent": "AppleCoreMedia", "X-Viewer": "secret"]
        #expect(await asset.resourceLoader.load(load).answer?.error == nil)
        #expect(server.heads.map { $0.components(separatedBy: "secret").count } == [4, 4])
        #expect(foreign.heads.map { $0.components(separatedBy: "secret").count } == [1])
        #expect(foreign.heads.allSatisfy { $0.contains("User-Agent: AppleCoreMedia\r\n") })
    }

    /// Another asset of the loader's has gone, and not the one that is played.
    @Test func challengesGoToTheAppAsLongAsAnAssetIsThere() async throws {
        let server = try LoopbackServer(["/master.m3u8": .secret(credential: "bWU6c2VjcmV0", Self.film)])
        let app = AppsDelegate(password: "secret")
        let master = try url("http://127.0.0.1:\(server.port)/master.m3u8")
        let loader = try SubtitleLoader(master, subtitles: [], delegate: app)
        let asset = loader.makeAsset()
        _ = loader.makeAsset()
        let pending = asset.resourceLoader.begin(.toEnd(asset.url))
        await wait { app.calls == ["challenge 127.0.0.1"] }
        #expect(await pending.outcome().answer?.text.hasPrefix("#EXTM3U") == true)
    }

    /// Whoever may ask the app's server for addresses does not thereby reach what a redirect names.
    @Test func aRedirectThatMayNotBeFollowedIsTheAnswer() async throws {
        let foreign = try LoopbackServer(["/master.m3u8": .found(Self.film)])
        let target = "http://127.0.0.1:\(foreign.port)/master.m3u8"
        let server = try LoopbackServer(["/master.m3u8": .moved(to: target)])
        var options = SubtitleLoaderOptions()
        options.addresses = try RouteAddresses(base: Array("http://192.0.2.1/x/".utf8))
        let asset = try SubtitleLoader(
            try url("http://127.0.0.1:\(server.port)/master.m3u8"), subtitles: [], options: options
        ).makeAsset()
        let answer = try #require(await asset.resourceLoader.load(.toEnd(asset.url)).answer)
        #expect(answer.failure?.localizedDescription.contains("a redirect to \(target)") == true)
        #expect(foreign.heads.isEmpty)
    }

    /// Half a playlist is none.
    @Test func anOriginThatBreaksOff() async throws {
        let server = try LoopbackServer(["/master.m3u8": .cutShort(Self.film)])
        let master = try url("http://127.0.0.1:\(server.port)/master.m3u8")
        let asset = try SubtitleLoader(master, subtitles: []).makeAsset()
        let answer = try #require(await asset.resourceLoader.load(.toEnd(asset.url)).answer)
        #expect(answer.error != nil && answer.data.isEmpty)
    }
}
