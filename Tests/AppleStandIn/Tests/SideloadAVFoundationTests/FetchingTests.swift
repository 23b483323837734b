import AVFoundation
import Delivery
import Foundation
import Testing

@testable import SideloadAVFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is asked of origins, how much, and for how long.
@Suite(.timeLimit(.minutes(1)))
struct FetchingTests {
    /// A transport that keeps what it has been asked, before an origin that may serve no ranges.
    private final class Log: SubtitleTransport {
        let asked = Locked<[TransportRequest]>([])
        private let origin: FakeOrigin

        init(_ origin: FakeOrigin) { self.origin = origin }

        func response(to request: TransportRequest) async throws -> TransportResponse {
            asked.withLock { $0.append(request) }
            return try await origin.response(to: request)
        }

        func first(_ url: String) -> TransportRequest? {
            asked.withLock { $0.first { $0.url.absoluteString == url } }
        }
    }

    private static let given = "https://subs.example.com/fi/list.m3u8"
    private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n#EXT-X-ENDLIST\n"
    /// 300 KB, more than is asked for at a time.
    private static let long =
        "WEBVTT\n\n00:01.000 --> 00:02.000\nÅ\n\nNOTE\n\(String(repeating: "räksmörgås ", count: 25_000))\n\n"
        + "00:03.000 --> 00:07.250\nÄrligt\n"

    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
    private static func utf16(_ text: String) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    private func loader(
        _ transport: any SubtitleTransport, _ tracks: [ExternalSubtitle],
        _ change: (inout SubtitleLoaderOptions) -> Void = { _ in }
    ) throws -> SubtitleLoader {
        var options = SubtitleLoaderOptions(transport: transport)
        options.webVTT = .bytes
        change(&options)
        return try SubtitleLoader(try url(Stage.master), subtitles: tracks, options: options)
    }

    @Test func theDocumentedDefaults() {
        let options = SubtitleLoaderOptions()
        #expect(options.keptBytes == 16_777_216 && options.limits == FetchLimits())
        #expect(options.patience == .seconds(2) && options.filePatience == .seconds(3))
        #expect(options.policies.map == .auto && !options.replacesDefault && options.shift == .zero)
    }

    /// A playlist may come compressed, since the transport undoes that. One more byte tells that there is more.
    @Test func whatIsAskedFor() async throws {
        let log = Log(FakeOrigin(Stage.pages.merging([Self.given: .whole(Self.list)]) { $1 }))
        let tracks = try Stage.subtitles() + [ExternalSubtitle(url(Self.given), language: "fi", name: "Suomi")]
        let loader = try loader(log, tracks) { $0.limits = FetchLimits(playlist: 5000) }
        let stage = Stage(FakeOrigin([:]), loader)
        _ = try await stage.text(try await stage.uri(of: "fi"))
        _ = try await stage.text(try await stage.uri(of: "en"))
        let codings = { (url: String) in log.first(url)?.fields.filter { $0.name == "Accept-Encoding" }.map(\.value) }
        #expect(codings(Stage.master) == [] && codings("https://example.com/a/low.m3u8") == [])
        #expect(codings(Self.given) == [] && codings(Stage.english) == ["identity"])
        #expect(log.first(Stage.master)?.byteLimit == 5001)
    }

    /// A limit that nothing is longer than.
    @Test func aPlaylistOfAnyLength() async throws {
        let stage = try Stage { $0.limits = FetchLimits(playlist: .max) }
        #expect(try await stage.masterText().contains("Svenska"))
    }

    /// As long as may be, and a byte longer.
    @Test(arguments: [0, 1]) func theLongestPlaylist(_ more: Int) async throws {
        let stage = try Stage { $0.limits = FetchLimits(playlist: Stage.masterText.utf8.count - more) }
        let answer = try #require(await stage.requests.load(.toEnd(stage.asset.url)).answer)
        #expect((answer.error == nil) == (more == 0))
    }

    /// A transport of the app's that has had enough sooner than was asked for: half a playlist is none.
    @Test(arguments: [false, true]) func whatIsCutOff(_ isCutOff: Bool) async throws {
        struct Short: SubtitleTransport {
            let isCutOff: Bool

            func response(to request: TransportRequest) async throws -> TransportResponse {
                TransportResponse(
                    status: 200, url: request.url, body: Data(Stage.masterText.utf8), isCutOff: isCutOff)
            }
        }
        let stage = Stage(FakeOrigin([:]), try loader(Short(isCutOff: isCutOff), []))
        let answer = try #require(await stage.requests.load(.toEnd(stage.asset.url)).answer)
        #expect((answer.error != nil) == isCutOff && answer.data.isEmpty == isCutOff)
    }

    /// It is asked for whole, there and wherever a redirect leads, and is as long as it is.
    @Test(arguments: ["windows-1252", nil as String?]) func aLongFileThatIsNotUTF8(_ encoding: String?) async throws {
        let bytes = encoding == nil ? Self.utf16(Self.long) : Self.latin(Self.long)
        let address = "https://subs.example.com/1.vtt"
        let log = Log(FakeOrigin([Stage.master: .file(Stage.masterText), address: .bytes(bytes)]))
        let track = ExternalSubtitle(
            try url(address), language: "sv", name: "Svenska", encoding: try encoding.map(TextEncoding.init))
        let stage = Stage(FakeOrigin([:]), try loader(log, [track]))
        #expect(try await stage.text(try await stage.uri(of: "sv")).contains("#EXTINF:7.250,"))
        #expect(try await stage.text(try await stage.file(of: "sv")) == Self.long)
        let whole = log.asked.withLock { asked in
            asked.filter { request in
                request.url.absoluteString == address && !request.fields.contains { $0.name == "Range" }
            }
        }
        let decoded = try #require(whole.first { $0.byteLimit == FetchLimits().file })
        #expect(encoding == nil || whole.allSatisfy { $0.byteLimit == FetchLimits().file })
        let redirected = try #require(decoded.redirected(to: url("https://other.example/1.vtt")))
        #expect(!redirected.fields.contains { $0.name == "Range" || $0.name == "If-Range" })
    }

    /// An origin that serves no ranges: of UTF-16 the beginning tells that all of it is needed.
    @Test(arguments: [200, 203]) func aLongFileOfAnOriginWithoutRanges(_ status: Int) async throws {
        struct Whole: SubtitleTransport {
            let body: Data
            let status: Int

            func response(to request: TransportRequest) async throws -> TransportResponse {
                let isFile = request.url.path.hasSuffix(".vtt")
                let body = isFile ? body : Data(Stage.masterText.utf8)
                return TransportResponse(
                    status: isFile ? status : 200, url: request.url, body: body.prefix(request.byteLimit),
                    isCutOff: body.count > request.byteLimit)
            }
        }
        let track = ExternalSubtitle(try url(Stage.english), language: "sv", name: "Svenska")
        let stage = Stage(
            FakeOrigin([:]), try loader(Whole(body: Data(Self.utf16(Self.long)), status: status), [track]))
        #expect(try await stage.text(try await stage.file(of: "sv")) == Self.long)
    }

    @Test(arguments: ["windows-1252", nil as String?]) func aLongFileOfTheDevice(_ encoding: String?) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).vtt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(encoding == nil ? Array(Self.long.utf8) : Self.latin(Self.long)).write(to: file)
        let track = ExternalSubtitle(
            file, language: "sv", name: "Svenska", encoding: try encoding.map(TextEncoding.init))
        let stage = Stage(FakeOrigin([:]), try loader(FakeOrigin([Stage.master: .file(Stage.masterText)]), [track]))
        #expect(try await stage.text(try await stage.uri(of: "sv")).contains("#EXTINF:7.250,"))
        #expect(try await stage.text(try await stage.file(of: "sv")) == Self.long)
    }

    /// A part of a file may begin and end within a character, and what stands in its place is no file of subtitles.
    @Test(arguments: [FakeOrigin.Page.file(long), .whole(long), .status(404)])
    func whatIsNoCharacterOfAPartIsNotTold(_ page: FakeOrigin.Page) async throws {
        let events = Locked<[String]>([])
        let stage = try Stage(FakeOrigin(Stage.pages.merging([Stage.english: page]) { $1 })) { options in
            options.limits = FetchLimits(tail: 33)
            options.trace = { event in
                if case .malformed = event.kind { events.withLock { $0.append("\(event)") } }
            }
        }
        _ = try await stage.masterText()
        _ = try await stage.text(try LiveStage.playlist("en"))
        #expect(events.withLock { $0 } == [])
    }

    /// Nothing is kept of what is another one each time, but cookies are the app's.
    @Test func theSessionKeepsOnlyCookies() {
        let configuration = URLSessionTransport.keepingOnlyCookies
        #expect(configuration.urlCache == nil && configuration.httpCookieStorage === HTTPCookieStorage.shared)
        #expect(configuration.requestCachePolicy == .reloadIgnoringLocalCacheData)
    }

    // MARK: Files of the device

    @Test func aFileAndItsLimit() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("0123456789".utf8).write(to: file)
        for (limit, body, isCutOff) in [(9, "012345678", true), (10, "0123456789", true), (11, "0123456789", false)] {
            let response = try await LocalFile.response(at: file, file.path, limit)
            #expect(response.status == 200 && response.url == file)
            #expect(String(decoding: response.body, as: UTF8.self) == body && response.isCutOff == isCutOff)
        }
        let none = try await LocalFile.response(at: file, file.path + "x", 10)
        #expect(none.status == 404 && none.body.isEmpty && !none.isCutOff)
        // Who has been cancelled before waits for nothing.
        let early = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await LocalFile.response(at: file, file.path, 10)
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func aPlaylistInMemoryAndItsLimit() throws {
        let given = GivenPlaylist(url: [], body: Data("0123456789".utf8))
        for (limit, count, isCutOff) in [(9, 9, true), (10, 10, false), (11, 10, false)] {
            let response = given.response(try url(Stage.master), limit)
            #expect(response.status == 200 && response.body.count == count && response.isCutOff == isCutOff)
        }
    }

    // MARK: What is waited for

    /// A playlist that is not there, or is none, does not wait for tracks.
    @Test func tracksThatStallKeepNoFailureWaiting() async throws {
        let stalled = [Stage.english: FakeOrigin.Page.stalled, Stage.swedish: .stalled]
        let none = try Stage(FakeOrigin(stalled)) { $0.patience = .seconds(600) }
        #expect(await none.requests.load(.toEnd(none.asset.url)).answer?.loaderError == .status)
        await wait { none.origin.cancelledCount == 2 }
        let key = "https://example.com/a/k.bin"
        let other = try Stage(FakeOrigin(stalled.merging([key: .file("0123456789abcdef")]) { $1 })) {
            $0.patience = .seconds(600)
        }
        let answer = await other.requests.load(.toEnd(try url("surtitle-master-\(key)"))).answer
        #expect(answer?.redirect?.url?.absoluteString == key)
    }

    /// Each waits by its own patience: the multivariant playlist, and all else.
    @Test func twoPatiences() async throws {
        let stalled = [Stage.english: FakeOrigin.Page.stalled, Stage.swedish: .stalled]
        let origin = FakeOrigin(Stage.pages.merging(stalled) { $1 })
        let first = try Stage(origin) { ($0.patience, $0.filePatience) = (.milliseconds(10), .seconds(600)) }
        #expect(try await first.masterText().contains("Svenska"))
        let second = try Stage(origin) { ($0.patience, $0.filePatience) = (.seconds(600), .milliseconds(10)) }
        #expect(try await second.text(try LiveStage.playlist("en")).hasSuffix("#EXT-X-ENDLIST\n"))
    }

    /// A fetch beside a live video ends after so long, and with who waits for it.
    @Test func aFetchThatTakesTooLong() async throws {
        let address = Array("https://example.com/a/v.m3u8".utf8)
        let origin = FakeOrigin(["https://example.com/a/v.m3u8": .stalled])
        let loader = try loader(origin, [])
        let maker = SubtitleLoaderOptions(transport: origin).maker()
        let request = Router.Request(loader.router, RouteRequest(loader.router.entry))
        let (step, error) = await maker.fetch(.livePlaylist(address), nil, for: request, within: .milliseconds(20))
        guard case .failure = step else {
            Issue.record("nothing came")
            return
        }
        #expect(error?.url == "https://example.com/a/v.m3u8" && origin.cancelledCount == 1)
        let task = Task { await maker.fetch(.livePlaylist(address), nil, for: request, within: .seconds(600)) }
        await wait { origin.asked.count == 2 }
        task.cancel()
        _ = await task.value
        #expect(origin.cancelledCount == 2)
        // One that comes in time is not cancelled.
        origin.put(.slow(20, .whole("#EXTM3U\n")), at: "https://example.com/a/v.m3u8")
        _ = await maker.fetch(.livePlaylist(address), nil, for: request, within: .seconds(600))
        #expect(origin.cancelledCount == 2)
    }

    // MARK: Values

    @Test func durationsInMilliseconds() {
        #expect(Duration.milliseconds(1500).inMilliseconds == 1500)
        #expect(Duration.milliseconds(-1500).inMilliseconds == -1500)
        #expect(Duration.microseconds(1999).inMilliseconds == 1)
        #expect(Duration.seconds(Int64.max).inMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).inMilliseconds == .min)
        let last = { Duration(secondsComponent: 9_223_372_036_854_775, attosecondsComponent: $0).inMilliseconds }
        #expect(last(807_000_000_000_000_000) == .max)
        #expect(last(808_000_000_000_000_000) == 9_223_372_036_854_775_000, "as far as a number has them")
    }

    @Test func anchorsAtDates() {
        #expect(TrackAnchor.date(Date(timeIntervalSince1970: 1.0015)) == .date(1_002_000_000))
        #expect(TrackAnchor.date(Date(timeIntervalSince1970: -1.5)) == .date(-1_500_000_000))
        #expect(TrackAnchor.date(Date.distantFuture) == .date(.max))
        #expect(TrackAnchor.date(Date.distantPast) == .date(.min))
    }

    /// All shifts together, as far as a number has them.
    @Test(arguments: [(Int64.max, Int64(1), Int64.max), (.min, -1, .min), (.min, .min, .min), (-2000, 500, -1500)])
    func shiftsAddUp(_ own: Int64, _ all: Int64, _ sum: Int64) throws {
        var track = ExternalSubtitle(try url(Stage.english), language: "en", name: "English")
        track.shift = .milliseconds(own)
        let made = try? loader(FakeOrigin([:]), [track]) { $0.shift = .milliseconds(all) }
        if let made { #expect(made.router.tracks[0].configuration.shift == sum) }
        #expect(made != nil || sum == .max || sum == .min)
    }

    @Test func whatGrowsIsWebVTT() {
        let track = ExternalSubtitle(growing: "Said")
        #expect(track.format == .webVTT && track.encoding == nil && track.isGrowing && track.followsLiveVideo)
    }

    /// A URL that has a base of its own is relative to that, and any other to the playlist.
    @Test func relativeURLs() async throws {
        let base = try url("https://subs.example.com/x/")
        let tracks = [
            ExternalSubtitle(try #require(URL(string: "en.vtt", relativeTo: base)), language: "en", name: "English"),
            ExternalSubtitle(try url("b/sv.vtt"), language: "sv", name: "Svenska"),
        ]
        let stage = try Stage(subtitles: tracks)
        _ = try await stage.masterText()
        #expect(stage.origin.count("https://subs.example.com/x/en.vtt") > 0)
        #expect(stage.origin.count("https://example.com/a/b/sv.vtt") > 0)
    }

    /// What the app says of playlists that are edited.
    @Test func optionsOfTheMultivariantPlaylist() async throws {
        let own = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Suomi",LANGUAGE="fi",DEFAULT=YES,AUTOSELECT=YES,URI="fi.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,SUBTITLES="s"
            low.m3u8

            """
        let origin = FakeOrigin(Stage.pages.merging([Stage.master: .file(own)]) { $1 })
        for replaces in [false, true] {
            let stage = try Stage(origin) { $0.replacesDefault = replaces }
            let tags = MediaTags.subtitles(in: try await stage.masterText())
            let defaults = tags.filter { $0["DEFAULT"] == "YES" }.map { $0["LANGUAGE"] }
            #expect(defaults == [replaces ? "en" : "fi"])
        }
        let small = try Stage(origin) { $0.playlistLimits.heldRenditions = 1 }
        let edited = try? await small.masterText()
        #expect(edited?.contains("Svenska") != true, "its own rendition is more than may be remembered")
    }
}
