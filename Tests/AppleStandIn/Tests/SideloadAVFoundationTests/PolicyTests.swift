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

/// What the policies change.
@Suite(.timeLimit(.minutes(1)))
struct PolicyTests {
    private let key = "https://example.com/a/k.bin"

    @Test func keysAreFetchedAndHandedOver() async throws {
        let stage = try Stage { $0.policies.keys = .fetch }
        let playlist = try await stage.text(try url("surtitle-variant-https://example.com/a/low.m3u8"))
        #expect(playlist.contains("URI=\"surtitle-key-https://example.com/a/k.bin\""))
        #expect(playlist.contains("https://example.com/a/s1.ts"))
        #expect(try await stage.text(try url("surtitle-key-\(key)")) == "0123456789abcdef")
        stage.expectNoMisuse()
    }

    @Test func keysAreRedirectedTo() async throws {
        let stage = try Stage { $0.policies.keys = .redirect }
        let answer = try #require(await stage.requests.load(.toEnd(try url("surtitle-key-\(key)"))).answer)
        #expect(answer.redirect?.url?.absoluteString == key)
        stage.expectNoMisuse()
    }

    /// What a reference that begins with a variable has become in the player: a segment or a key below the entry's prefix.
    @Test(arguments: ["surtitle-master-", "surtitle-variant-"])
    func whatIsNoPlaylistIsRedirectedTo(_ prefix: String) async throws {
        let stage = try Stage { $0.policies.variants = .mapped }
        for _ in 1...2 {
            let answer = try #require(await stage.requests.load(.toEnd(try url(prefix + key))).answer)
            #expect(answer.redirect?.url?.absoluteString == key && answer.text == "")
        }
        let playlist = try await stage.text(try url(prefix + "https://example.com/a/low.m3u8"))
        #expect(playlist.contains("#EXTINF") && !playlist.contains("#EXT-X-STREAM-INF"))
        stage.expectNoMisuse()
    }

    @Test func keysAreLeftToTheApp() async throws {
        let app = AppsDelegate()
        let stage = try Stage(delegate: app) { $0.policies.keys = .decline }
        #expect(await stage.requests.load(.toEnd(try url("surtitle-key-\(key)"))).answer?.text == "the app's")
        #expect(app.calls == ["load surtitle-key-\(key)"])
        stage.expectNoMisuse()
    }

    /// For offline use the system asks for an AES-128 key as for one of DRM.
    @Test func aKeyBelowOurAddressIsOursAndMayBeKept() async throws {
        let app = AppsDelegate()
        let stage = try Stage(delegate: app) { $0.policies.keys = .fetch }
        var load = Load.toEnd(try url("surtitle-key-\(key)")).withInformation
        load.allowedContentTypes = [AVStreamingKeyDeliveryPersistentContentKeyType]
        let answer = try #require(await stage.requests.load(load).answer)
        #expect(answer.text == "0123456789abcdef" && app.calls.isEmpty)
        #expect(answer.information?.contentType == AVStreamingKeyDeliveryPersistentContentKeyType)
        stage.expectNoMisuse()
    }

    /// They are sent with the redirected request.
    @Test(arguments: RoutePolicies.AppHeaders.allCases)
    func aRedirectCarriesItsHeaderFields(_ policy: RoutePolicies.AppHeaders) async throws {
        let stage = try Stage { options in
            options.policies.variants = .redirect
            options.policies.appHeaders = policy
            options.headers = [("Authorization", "Bearer app")]
        }
        for (address, isMasters) in [
            ("surtitle-variant-https://example.com/a/low.m3u8", true),
            ("surtitle-variant-https://cdn.example/b", false),
        ] {
            var load = Load.toEnd(try url(address))
            load.fields = ["User-Agent": "AppleCoreMedia", "Cookie": "player"]
            let redirect = try #require(await stage.requests.load(load).answer?.redirect)
            let goes = isMasters || policy == .everywhere
            #expect(redirect.value(forHTTPHeaderField: "Authorization") == (goes ? "Bearer app" : nil))
            #expect(redirect.value(forHTTPHeaderField: "Cookie") == (goes ? "player" : nil))
            #expect(redirect.value(forHTTPHeaderField: "User-Agent") == "AppleCoreMedia")
            #expect(redirect.value(forHTTPHeaderField: "Range") == nil)
        }
        stage.expectNoMisuse()
    }

    @Test func aMissingFileIsLeftOut() async throws {
        let stage = try Stage(FakeOrigin(Stage.pages.merging([Stage.swedish: .status(404)]) { $1 }))
        #expect(MediaTags.subtitles(in: try await stage.masterText()).map { $0["LANGUAGE"] } == ["en"])
        stage.expectNoMisuse()
    }

    @Test(arguments: [404, 410, 500])
    func aMissingFileIsEmptyIfThatIsThePolicy(_ status: Int) async throws {
        let pages = Stage.pages.merging([Stage.swedish: .status(status), Stage.english: .broken]) { $1 }
        let stage = try Stage(FakeOrigin(pages)) { $0.policies.missingTrack = .empty }
        for language in ["en", "sv"] {
            #expect(try await stage.text(try await stage.file(of: language)) == Stage.empty)
        }
        stage.expectNoMisuse()
    }

    /// It would have been redirected to, where it is not, and that ends the playback.
    @Test func aFileThatIsMissedTooLateIsEmpty() async throws {
        let late = FakeOrigin(Stage.pages.merging([Stage.english: .stalled]) { $1 })
        let stage = try Stage(late) { $0.patience = .milliseconds(20) }
        #expect(MediaTags.subtitles(in: try await stage.masterText()).count == 2)
        late.put(.status(404), at: Stage.english)
        let file = try await stage.file(of: "en")
        #expect(try await stage.text(file) == Stage.empty)
        // And it is the file's own, once it is there.
        late.put(.file(Stage.englishText), at: Stage.english)
        #expect(try await stage.text(file) == Stage.englishText)
        stage.expectNoMisuse()
    }

    /// Once it was missing the player is not sent to it, until the loader forgets that.
    @Test func aFileThatWasMissingIsRedirectedToAgain() async throws {
        let origin = FakeOrigin(Stage.pages.merging([Stage.english: .stalled]) { $1 })
        let stage = try Stage(origin, subtitles: [Stage.subtitles()[0]]) {
            $0.patience = .milliseconds(20)
            $0.policies.map = .none
            $0.webVTT = .redirect
        }
        _ = try await stage.masterText()
        origin.put(.status(404), at: Stage.english)
        let file = try await stage.file(of: "en")
        #expect(try await stage.text(file) == Stage.empty)
        stage.loader.forget()
        let answer = try #require(await stage.requests.load(.toEnd(file)).answer)
        #expect(answer.redirect?.url?.absoluteString == Stage.english)
        stage.expectNoMisuse()
    }

    @Test func aMissingFileFailsIfThatIsThePolicy() async throws {
        let stage = try Stage(FakeOrigin(Stage.pages.merging([Stage.swedish: .status(404)]) { $1 })) {
            $0.policies.missingTrack = .fail
        }
        let answer = try #require(await stage.requests.load(.toEnd(try await stage.uri(of: "sv"))).answer)
        #expect(answer.loaderError == .status && answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 404)
        stage.expectNoMisuse()
    }

    @Test func aGivenPlaylistPassesThroughTheRouter() async throws {
        let given = "https://subs.example.com/fi/list.m3u8"
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n#EXTINF:4,\n2.vtt\n#EXT-X-ENDLIST\n"
        let pages: [String: FakeOrigin.Page] = [
            given: .whole(text), "https://subs.example.com/fi/1.vtt": .file(Stage.englishText),
        ]
        let stage = try Stage(
            FakeOrigin(Stage.pages.merging(pages) { $1 }),
            subtitles: [ExternalSubtitle(try url(given), language: "fi", name: "Suomi")]
        ) { $0.policies.missingTrack = .empty }
        let playlist = try await stage.text(try await stage.uri(of: "fi"))
        let files = playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        #expect(try await stage.text(try url(files[0])) == Stage.englishText)
        #expect(try await stage.text(try url(files[1])) == Stage.empty, "404")
        stage.expectNoMisuse()
    }

    @Test func aMissingGivenPlaylistIsReplaced() async throws {
        let given = "https://subs.example.com/fi/list.m3u8"
        let stage = try Stage(subtitles: [ExternalSubtitle(try url(given), language: "fi", name: "Suomi")]) {
            $0.policies.missingTrack = .empty
        }
        #expect(try await stage.text(try await stage.file(of: "fi")) == Stage.empty)
        stage.expectNoMisuse()
    }

    /// One 503 is no reason for a file to stay empty.
    @Test(arguments: [FakeOrigin.Page.status(503), .broken, .status(404)])
    func anEmptyFileInPlaceOfOneIsNotKept(_ page: FakeOrigin.Page) async throws {
        let given = "https://subs.example.com/fi/list.m3u8"
        let file = "https://subs.example.com/fi/1.vtt"
        let origin = FakeOrigin(
            Stage.pages.merging([
                given: .whole("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n#EXT-X-ENDLIST\n"), file: page,
            ]) { $1 })
        let stage = try Stage(origin, subtitles: [ExternalSubtitle(try url(given), language: "fi", name: "Suomi")]) {
            $0.policies.webVTT = .bytes
        }
        let playlist = try await stage.text(try await stage.uri(of: "fi"))
        let address = try url(
            try #require(playlist.split(separator: "\n").map(String.init).first { !$0.hasPrefix("#") }))
        #expect(try await stage.text(address) == Stage.empty)
        origin.put(.file(Stage.englishText), at: file)
        #expect(try await stage.text(address) == Stage.englishText)
        // And that one stays.
        origin.put(page, at: file)
        #expect(try await stage.text(address) == Stage.englishText)
        stage.expectNoMisuse()
    }

    /// The app's fields may be credentials: they go to the master's origin alone, unless the policy is that they go everywhere.
    @Test(arguments: RoutePolicies.AppHeaders.allCases)
    func credentialsGoWhereThePolicyLetsThem(_ policy: RoutePolicies.AppHeaders) async throws {
        let stage = try Stage { options in
            options.headers = [("Authorization", "Bearer app")]
            options.policies.appHeaders = policy
            options.policies.webVTT = .bytes
            options.policies.keys = .fetch
        }
        _ = try await stage.text(try await stage.file(of: "en"))
        _ = try await stage.text(try url("surtitle-key-\(key)"))
        _ = try await stage.text(try url("surtitle-variant-https://example.com/a/low.m3u8"))
        #expect(Set(stage.origin.asked.map(\.url)).isSuperset(of: [Stage.master, Stage.english, Stage.swedish, key]))
        for asked in stage.origin.asked {
            let goes = policy == .everywhere || asked.url.hasPrefix("https://example.com/")
            #expect(asked.field("authorization") == (goes ? "Bearer app" : nil), "\(asked.url)")
        }
        stage.expectNoMisuse()
    }

    /// The map of a local file is the video's, and not what the file itself would tell of a video.
    @Test func aFileOfTheDeviceGetsTheVideosMap() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).vtt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(Stage.englishText.utf8).write(to: file)
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns1.aac\n#EXT-X-ENDLIST\n"
        let origin = FakeOrigin([
            Stage.master: .file(Stage.masterText), "https://example.com/a/low.m3u8": .whole(media),
            "https://example.com/a/s1.aac": .status(503),
        ])
        let stage = try Stage(origin, subtitles: [ExternalSubtitle(file, language: "en", name: "English")]) {
            $0.policies.webVTT = .bytes
        }
        let address = try await stage.file(of: "en")
        for count in 1...2 {
            #expect(try await stage.text(address) == Stage.englishText)
            #expect(origin.count("https://example.com/a/s1.aac") == count, "without the map it is not kept")
        }
        stage.expectNoMisuse()
    }

    @Test func aMadePlaylistHasSegmentsAndKeysByAddressesOfOurs() async throws {
        var options = SubtitleLoaderOptions(transport: FakeOrigin(Stage.pages))
        options.policies.keys = .fetch
        options.policies.segments = .redirect
        let made = MadePlaylist.Key(uri: Array("k.bin".utf8))
        let segments = (1...2).map { number in
            MadePlaylist.Segment(
                uri: Array("s\(number).ts".utf8), duration: MediaDuration(milliseconds: 4000), key: made)
        }
        let loader = try SubtitleLoader(
            MadePlaylist(segments), relativeTo: try url("https://example.com/a/"), options: options)
        let asset = loader.makeAsset()
        let text = try #require(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.text)
        #expect(text.contains("URI=\"surtitle-key-https://example.com/a/k.bin\""))
        #expect(text.contains("\nsurtitle-segment-https://example.com/a/s2.ts\n"))
        let answer = await asset.resourceLoader.load(.toEnd(try url("surtitle-key-\(key)"))).answer
        #expect(answer?.text == "0123456789abcdef")
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    @Test func aServerOfTheAppsHandsOutTheFiles() async throws {
        let stage = try Stage { $0.policies.webVTT = .served(base: Array("http://127.0.0.1:8080/".utf8)) }
        let file = try await stage.file(of: "sv").absoluteString
        #expect(file.hasPrefix("http://127.0.0.1:8080/"))
        let resource = try #require(try await stage.loader.resource(for: RouteRequest(file)))
        #expect(String(decoding: resource.bytes, as: UTF8.self).contains("Hej då"))
        #expect(try await stage.loader.resource(for: RouteRequest("https://example.com/a.ts")) == nil)
        await #expect(throws: SubtitleLoaderError.self) {
            try await stage.loader.resource(for: RouteRequest("surtitle-track://subtitles/xx.vtt"))
        }
        stage.expectNoMisuse()
    }

    /// A file that somebody else's playlist has named is known from then on.
    @Test(arguments: [false, true])
    func aServerOfTheAppsHandsOutWhatAGivenPlaylistNames(_ isAsked: Bool) async throws {
        let given = "https://subs.example.com/fi/list.m3u8"
        let folder = "https://subs.example.com/fi/"
        let files = (1...3).map { "#EXTINF:4,\n\($0).vtt\n" }.joined()
        let pages: [String: FakeOrigin.Page] = [
            "\(folder)1.vtt": .file(Stage.englishText), "\(folder)2.vtt": .file(Stage.englishText),
            "\(folder)3.vtt": .file(Stage.englishText),
            given: .whole("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(files)#EXT-X-ENDLIST\n"),
        ]
        let stage = try Stage(
            FakeOrigin(Stage.pages.merging(pages) { $1 }),
            subtitles: [ExternalSubtitle(try url(given), language: "fi", name: "Suomi")]
        ) {
            $0.policies.webVTT = .served(base: Array("http://192.0.2.1/".utf8))
            if isAsked { $0.webVTT = .served(base: { URL(string: "http://192.0.2.1/") }) }
        }
        let file = try await stage.file(of: "fi").absoluteString
        for number in 1...3 {
            let own = file.replacingOccurrences(of: "3.vtt", with: "\(number).vtt")
            let resource = try #require(try await stage.loader.resource(for: RouteRequest(own)))
            #expect(String(decoding: resource.bytes, as: UTF8.self).hasSuffix("Good bye\n"))
        }
        let other = file.replacingOccurrences(of: "3.vtt", with: "4.vtt")
        #expect(other != file)
        #expect(try await stage.loader.resource(for: RouteRequest(other)) == nil)
    }

    /// Whoever reaches the app's server can write any address: it gets none but those that a playlist has named.
    @Test func aServerOfTheAppsHandsOutNothingElse() async throws {
        let inner = "http://10.0.0.1/inner"
        let given = "https://subs.example.com/fi/list.m3u8"
        let pages: [String: FakeOrigin.Page] = [
            inner: .file("0123456789abcdef"), "\(inner).vtt": .file(Stage.englishText),
            "\(inner).m3u8": .file(Stage.mediaText), "https://subs.example.com/fi/1.vtt": .file(Stage.englishText),
            given: .whole("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n#EXT-X-ENDLIST\n"),
        ]
        let stage = try Stage(
            FakeOrigin(Stage.pages.merging(pages) { $1 }),
            subtitles: [ExternalSubtitle(try url(given), language: "fi", name: "Suomi")]
        ) {
            $0.webVTT = .served(base: { URL(string: "http://192.0.2.1/subs/") })
            $0.policies.keys = .fetch
        }
        let own = try await stage.file(of: "fi").absoluteString
        #expect(own.hasPrefix("http://192.0.2.1/subs/file?"))
        #expect(try await stage.loader.resource(for: RouteRequest(own)) != nil)
        for address in ["key-\(inner)", "cues-\(inner).vtt", "variant-\(inner).m3u8", "master-\(inner).m3u8"] {
            let name = try #require("surtitle-\(address)".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let forged = RouteRequest("http://192.0.2.1/subs/file?\(name)")
            #expect(try await stage.loader.resource(for: forged) == nil, "\(address)")
        }
        #expect(!stage.origin.asked.contains { $0.url.hasPrefix(inner) })
    }

    /// For an app's own transport, which follows redirects by itself.
    @Test(arguments: RoutePolicies.AppHeaders.allCases)
    func aRequestSaysHowItsRedirectsAreFollowed(_ policy: RoutePolicies.AppHeaders) async throws {
        let transport = RequestLog(FakeOrigin(Stage.pages))
        var options = SubtitleLoaderOptions(transport: transport)
        options.headers = [("X-Token", "app")]
        options.policies.appHeaders = policy
        let loader = try SubtitleLoader(try url(Stage.master), subtitles: Stage.subtitles(), options: options)
        _ = try await Stage(transport.origin, loader).masterText()
        func names(_ request: TransportRequest) -> Set<String> { Set(request.fields.map(\.name)) }
        #expect(transport.requests.count == 3)
        for request in transport.requests {
            #expect(request.redirected(to: try url("http://example.com/b")) == nil, "from https to http")
            let own = try #require(request.redirected(to: try url("https://example.com/b")))
            let other = try #require(own.redirected(to: try url("https://other.example/c"), from: own.url))
            #expect(own.url.path == "/b" && other.byteLimit == request.byteLimit)
            #expect(names(own) == names(request).union(["X-Token"]))
            #expect(names(other) == (policy == .everywhere ? names(own) : names(own).subtracting(["X-Token"])))
            #expect(names(other).contains("Range") == (request.url.absoluteString != Stage.master))
        }
        // One that the app has made of another: nobody's policies are known.
        let fields = [("Authorization", "1"), ("user-agent", "2"), ("Range", "bytes=0-1")]
        let plain = TransportRequest(try url(Stage.master), fields: fields, byteLimit: 1)
        #expect(plain.redirected(to: try url("http://example.com/b")) == nil)
        let own = plain.redirected(to: try url("https://example.com/b"))
        #expect(own.map(names) == ["Authorization", "user-agent", "Range"])
        #expect(plain.redirected(to: try url("https://other.example/b")).map(names) == ["user-agent", "Range"])
    }
}

/// A transport that keeps what it has been asked.
private final class RequestLog: SubtitleTransport {
    let origin: FakeOrigin
    private let asked = Locked<[TransportRequest]>([])
    var requests: [TransportRequest] { asked.withLock { $0 } }

    init(_ origin: FakeOrigin) { self.origin = origin }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        asked.withLock { $0.append(request) }
        return try await origin.response(to: request)
    }
}
