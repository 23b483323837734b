import AVFoundation
import Delivery
import Foundation
import Support
import Testing

@testable import SideloadAVFoundation

/// How files reach the player, and that they are in sync, as an app has it that says nothing.
@Suite(.timeLimit(.minutes(1)))
struct WayTests {
    private static let key = Array("0123456789abcdef".utf8)
    private static let low = "https://example.com/a/low.m3u8"
    private static let segment = "https://example.com/a/s1.ts"
    private static let given = "https://subs.example.com/fi/list.m3u8"
    private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n#EXTINF:4,\n2.vtt\n#EXT-X-ENDLIST\n"

    /// A segment whose first time stamp is 1.4 s, as ffmpeg begins them.
    private static let transport = stream(at: 126_000)

    private static func stream(at start: UInt64) -> [UInt8] {
        var stream = TransportStreamBytes()
        stream.tables([.init(type: 0x1B, pid: 0x100)])
        for picture in 0..<12 as Range<UInt64> {
            stream.pes(pid: 0x100, streamID: 0xE0, pts: start + picture * 3600, dts: start + picture * 3600)
        }
        return stream.bytes
    }

    private static func origin(_ media: String, _ segment: FakeOrigin.Page) -> FakeOrigin {
        FakeOrigin(
            Stage.pages.merging([
                low: .whole("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(media)#EXTINF:4,\ns1.ts\n#EXT-X-ENDLIST\n"),
                Self.segment: segment, given: .whole(list),
                "https://subs.example.com/fi/1.vtt": .file(Stage.englishText),
            ]) { $1 })
    }

    private static let plain = ("", FakeOrigin.Page.bytes(transport))
    private static let sealed = (
        "#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-KEY:METHOD=AES-128,URI=\"k.bin\"\n",
        FakeOrigin.Page.bytes(
            NaiveAES(key: key).sealed(transport, vector: [UInt8](repeating: 0, count: 15) + [1]))
    )
    private static let map = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n"

    private func events(_ log: Locked<[LoadingEvent]>) -> [SubtitleDelivery] {
        log.withLock { events in
            events.compactMap { event in
                if case .delivered(let delivery) = event.kind { delivery } else { nil }
            }
        }
    }

    /// A TS of ffmpeg's is not 1.4 s early, in the clear or by AES-128.
    @Test(arguments: [plain, sealed])
    func inSyncByDefault(_ media: String, _ segment: FakeOrigin.Page) async throws {
        let log = Locked<[LoadingEvent]>([])
        let stage = try Stage(Self.origin(media, segment)) { $0.trace = { event in log.withLock { $0.append(event) } } }
        for language in ["en", "sv"] {
            let file = try await stage.file(of: language)
            #expect(file.host == "127.0.0.1" && file.path.hasSuffix(".vtt"))
            #expect(try await stage.text(file).hasPrefix("WEBVTT\n" + Self.map))
        }
        #expect(Set(events(log).map { "\($0)" }) == ["track 1 by loopback", "track 2 by loopback"])
        stage.expectNoMisuse()
    }

    /// Why there is no map is told, whether the file is made for its playlist or for itself.
    @Test(arguments: [(SubtitleWay.automatic, SubtitleDelivery.Means.direct), (.bytes, .bytes)])
    func aVideoWithoutAMapIsSaid(_ way: SubtitleWay, _ means: SubtitleDelivery.Means) async throws {
        let log = Locked<[LoadingEvent]>([])
        let media = Self.sealed.0.replacingOccurrences(of: "k.bin", with: "none.bin")
        let stage = try Stage(Self.origin(media, Self.sealed.1)) {
            $0.webVTT = way
            $0.trace = { event in log.withLock { $0.append(event) } }
        }
        let file = try await stage.file(of: "en")
        #expect(means == .bytes || file.absoluteString == Stage.english, "nothing to change")
        #expect(try await stage.text(file) == Stage.englishText)
        let reasons = log.withLock { events in
            events.compactMap { event in
                if case .noMap(let error) = event.kind { error.status } else { nil }
            }
        }
        #expect(reasons == [404])
        #expect(events(log).first == SubtitleDelivery(track: 0, means: means, undone: means == .bytes ? [] : [.map]))
    }

    @Test func whatNeedNotChangeIsAtItsOwnURL() async throws {
        let own = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\na\n"
        let origin = Self.origin("", Self.plain.1)
        origin.put(.file(own), at: Stage.english)
        let stage = try Stage(origin)
        #expect(try await stage.file(of: "en").absoluteString == Stage.english)
        // A video that begins at zero: no map says the same.
        origin.put(.bytes(Self.stream(at: 0)), at: Self.segment)
        origin.put(.file(Stage.englishText), at: Stage.english)
        #expect(try await Stage(origin).file(of: "en").absoluteString == Stage.english)
        let bare = try Stage(Self.origin("", Self.plain.1)) { $0.policies.map = .none }
        #expect(try await bare.file(of: "en").absoluteString == Stage.english)
        #expect(try await bare.file(of: "sv").host == "127.0.0.1", "SubRip")
    }

    /// The player does not know the app's header fields, so that a file whose origin wants them passes by here.
    @Test func aFileBehindTheAppsFieldsPassesByHere() async throws {
        let own = "https://example.com/a/en.vtt"
        let origin = Self.origin("", Self.plain.1)
        origin.put(.file(Stage.englishText), at: own)
        let tracks = try [own, Stage.english].enumerated().map { index, address in
            ExternalSubtitle(try url(address), language: index == 0 ? "en" : "sv", name: "\(index)")
        }
        for way in [SubtitleWay.automatic, .direct] {
            let stage = try Stage(origin, subtitles: tracks) {
                $0.headers = [("Authorization", "Bearer app")]
                $0.policies.map = .none
                $0.webVTT = way
            }
            let file = try await stage.file(of: "en")
            if case .direct = way {
                #expect(file.absoluteString == own)
                #expect(stage.loader.subtitles[0].delivery?.undone == [.headers])
            } else {
                #expect(file.host == "127.0.0.1")
                #expect(try await stage.text(file) == Stage.englishText)
                #expect(origin.asked.filter { $0.url == own }.allSatisfy { $0.field("authorization") == "Bearer app" })
            }
            #expect(try await stage.file(of: "sv").absoluteString == Stage.english, "another origin does not get them")
            stage.expectNoMisuse()
        }
    }

    /// The ways of a configuration are the loader's.
    @Test(arguments: [
        ("auto", "none", [Stage.english, "127.0.0.1"]), ("auto", "auto", ["127.0.0.1", "127.0.0.1"]),
        ("direct", "none", [Stage.english, Stage.swedish]), ("bytes", "none", ["subtitles", "subtitles"]),
    ])
    func theWayOfAConfiguration(_ way: String, _ map: String, _ places: [String]) async throws {
        let text = """
            {"master": "\(Stage.master)", "webvtt": "\(way)", "map": "\(map)", "tracks": [
             {"uri": "\(Stage.english)", "language": "en", "name": "English"},
             {"uri": "\(Stage.swedish)", "language": "sv", "name": "Svenska"}]}
            """
        let origin = Self.origin("", Self.plain.1)
        let loader = try SubtitleLoader(json: Data(text.utf8), options: SubtitleLoaderOptions(transport: origin))
        let stage = Stage(origin, loader)
        for (language, place) in zip(["en", "sv"], places) {
            let file = try await stage.file(of: language)
            #expect(place.contains("/") ? file.absoluteString == place : file.host == place)
            #expect(try await stage.text(file).contains(map == "auto" ? Self.map : language == "en" ? "Hello" : "Hej"))
        }
        stage.expectNoMisuse()
    }

    /// Cues are shifted by what their track says and what all of them are, whatever tells it, and the length with them.
    @Test(arguments: [SubtitleWay.automatic, .bytes, .direct])
    func cuesAreShifted(_ way: SubtitleWay) async throws {
        var tracks = try Stage.subtitles()
        tracks[0].shift = .milliseconds(-500)
        let stage = try Stage(Self.origin("", Self.plain.1), subtitles: tracks) {
            $0.policies.map = .none
            $0.webVTT = way
            $0.shift = .milliseconds(2000)
        }
        #expect(try await stage.text(try await stage.uri(of: "en")).contains("#EXTINF:8.750,"))
        #expect(try await stage.text(try await stage.uri(of: "sv")).contains("#EXTINF:11.000,"))
        let (english, swedish) = (try await stage.file(of: "en"), try await stage.file(of: "sv"))
        if case .direct = way {
            #expect(english.absoluteString == Stage.english)
            #expect(stage.loader.subtitles.map { $0.delivery?.undone } == [[.shift], [.conversion, .shift]])
        } else {
            #expect(try await stage.text(english).contains("00:01.500 --> 00:04.000\nHello"))
            #expect(try await stage.text(swedish).contains("02.000 --> 00:00:04.500\nHej"))
        }
        stage.expectNoMisuse()
    }

    /// What the app's policy forbids is said.
    @Test func aFileThatGoesDirectHasNoMap() async throws {
        let log = Locked<[LoadingEvent]>([])
        let stage = try Stage(Self.origin("", Self.plain.1)) {
            $0.webVTT = .direct
            $0.trace = { event in log.withLock { $0.append(event) } }
        }
        #expect(try await stage.file(of: "sv").absoluteString == Stage.swedish)
        #expect(events(log).first == SubtitleDelivery(track: 1, means: .direct, undone: [.map, .conversion]))
    }

    @Test func bytesByTheDelegate() async throws {
        let stage = try Stage(Self.origin("", Self.plain.1)) { $0.webVTT = .bytes }
        let file = try await stage.file(of: "en")
        #expect(file.scheme == "surtitle-track")
        #expect(try await stage.text(file).hasPrefix("WEBVTT\n" + Self.map))
        stage.expectNoMisuse()
    }

    /// AirPlay needs another base when the route changes: it is asked for each playlist.
    @Test func aServerOfTheAppsHasItsBaseFromAClosure() async throws {
        let count = Locked(0)
        let stage = try Stage(Self.origin("", Self.plain.1)) {
            $0.keptBytes = 0
            $0.webVTT = .served(base: {
                count.withLock { $0 += 1 }
                return URL(string: "http://192.0.2.\(count.withLock { $0 })/subs/")
            })
        }
        #expect(try await stage.file(of: "en").host == "192.0.2.1")
        let file = try await stage.file(of: "en")
        #expect(file.host == "192.0.2.2" && file.path == "/subs/file")
        let resource = try #require(try await stage.loader.resource(for: RouteRequest(file.absoluteString)))
        #expect(String(decoding: resource.bytes, as: UTF8.self).hasPrefix("WEBVTT\n" + Self.map))
    }

    /// What is not done to a file that its origin hands out is said, each thing by itself.
    @Test func whatIsUndoneIsSaid() async throws {
        var tracks = try Stage.subtitles()
        tracks[1] = ExternalSubtitle(
            try url(Stage.swedish), language: "sv", name: "Svenska", format: .webVTT,
            encoding: try TextEncoding("windows-1252"))
        let direct = try Stage(Self.origin("", Self.plain.1), subtitles: tracks) {
            $0.webVTT = .direct
            $0.policies.map = .none
            $0.policies.missingTrack = .empty
        }
        _ = (try await direct.file(of: "en"), try await direct.file(of: "sv"))
        let delivery = direct.loader.subtitles.map(\.delivery)
        #expect(delivery[0] == SubtitleDelivery(track: 0, means: .direct, undone: [.cover]))
        #expect(delivery[1] == SubtitleDelivery(track: 1, means: .direct, undone: [.conversion, .cover]))
        let redirected = try Stage(Self.origin("", Self.plain.1), subtitles: [tracks[0]]) {
            $0.webVTT = .redirect
            $0.policies.map = .none
        }
        _ = try await redirected.file(of: "en")
        #expect(redirected.loader.subtitles[0].delivery == SubtitleDelivery(track: 0, means: .redirect))
    }

    /// A playlist with the address of an empty file in place of one that was missing is not kept.
    @Test func aPlaylistWhoseFileWasMissingIsMadeAnew() async throws {
        let origin = Self.origin("", Self.plain.1)
        origin.put(.status(500), at: Stage.english)
        let stage = try Stage(origin) {
            $0.policies.map = .none
            $0.policies.missingTrack = .empty
        }
        #expect(try await stage.file(of: "en").host == "127.0.0.1")
        origin.put(.file(Stage.englishText), at: Stage.english)
        #expect(try await stage.file(of: "en").absoluteString == Stage.english)
        #expect(try await stage.file(of: "sv") == stage.file(of: "sv"))
        #expect(origin.count(Stage.swedish) == 2, "whether it is there, and all of it: one that was there is kept")
    }

    @Test func segmentsOfAGivenPlaylistGoByLoopback() async throws {
        let tracks = [ExternalSubtitle(try url(Self.given), language: "fi", name: "Suomi")]
        let stage = try Stage(Self.origin("", Self.plain.1), subtitles: tracks)
        let playlist = try await stage.text(try await stage.uri(of: "fi"))
        let files = try playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try url(String($0)) }
        #expect(files.count == 2 && files.allSatisfy { $0.host == "127.0.0.1" })
        #expect(try await stage.text(files[0]).hasPrefix("WEBVTT\n" + Self.map))
        #expect(try await stage.text(files[1]).hasPrefix("WEBVTT\nX-TIMESTAMP-MAP="), "404: empty, with a map")
        #expect(!files.contains { $0.absoluteString.contains("example") })
        #expect(stage.loader.subtitles[0].delivery == SubtitleDelivery(track: 0, means: .loopback))
    }

    @Test func anAddressChangesWithItsBytes() async throws {
        let origin = Self.origin("", Self.plain.1)
        let stage = try Stage(origin) { $0.keptBytes = 0 }
        let before = try await stage.file(of: "en")
        #expect(try await stage.file(of: "en") == before)
        origin.put(.file(Stage.englishText + "\n00:08.000 --> 00:09.000\nx\n"), at: Stage.english)
        #expect(try await stage.file(of: "en") != before)
    }

    /// The token stands in nothing that is logged, and the listener ends with the loader.
    @Test func theTokenIsInNoTrace() async throws {
        let log = Locked<[LoadingEvent]>([])
        var stage: Stage? = try Stage(Self.origin("", Self.plain.1)) {
            $0.trace = { event in log.withLock { $0.append(event) } }
        }
        let file = try #require(try await stage?.file(of: "en"))
        _ = try await stage?.text(file)
        let token = file.path.split(separator: "/")[0]
        #expect(token.count == 32 && log.withLock { $0 }.allSatisfy { !"\($0)".contains(token) })
        #expect(stage?.loader.subtitles.allSatisfy { !String(reflecting: $0).contains(token) } == true)
        #expect(stage?.loader.needsNewItem == false)
        stage = nil
        let other = try Stage(Self.origin("", Self.plain.1))
        var isThere = true
        while isThere, !Task.isCancelled {
            isThere = (try? await other.text(file)) != nil
            try? await Task.sleep(for: .milliseconds(5))
        }
        #expect(!isThere)
    }

    /// A line's ending stays, and a blank line is none of a file.
    @Test(arguments: [SubtitleWay.automatic, .bytes, .served(base: { URL(string: "http://192.0.2.1/subs/") })])
    func aGivenPlaylistWithCarriageReturns(_ way: SubtitleWay) async throws {
        let origin = Self.origin("", .status(404))
        let text = Self.list.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n"
        origin.put(.whole(text), at: Self.given)
        let stage = try Stage(
            origin, subtitles: [ExternalSubtitle(try url(Self.given), language: "fi", name: "Suomi")]
        ) { $0.webVTT = way }
        let playlist = try await stage.text(try await stage.uri(of: "fi"))
        let (lines, given) = (playlist.components(separatedBy: "\r\n"), text.components(separatedBy: "\r\n"))
        #expect(zip(lines, given).allSatisfy { $0 == $1 || $1.hasSuffix(".vtt") } && lines.count == given.count)
        if case .served = way {
            let file = try #require(try await stage.loader.resource(for: RouteRequest(lines[3])))
            #expect(file.bytes == Array(Stage.englishText.utf8))
        } else {
            #expect(try await stage.text(try url(lines[3])) == Stage.englishText)
        }
    }

    /// Only the player knows what they name.
    @Test func aGivenPlaylistWithVariables() async throws {
        let origin = Self.origin("", .status(404))
        let list = Self.list.replacingOccurrences(of: "1.vtt", with: "{$n}.vtt")
        origin.put(.whole(list.replacingOccurrences(of: "2.vtt", with: "fi/{$n}.vtt")), at: Self.given)
        let stage = try Stage(
            origin, subtitles: [ExternalSubtitle(try url(Self.given), language: "fi", name: "Suomi")])
        let playlist = try await stage.text(try await stage.uri(of: "fi"))
        #expect(playlist.contains("\n{$n}.vtt\n"))
        #expect(playlist.contains("\nsurtitle-cues-https://subs.example.com/fi/fi/{$n}.vtt\n"))
    }

    /// What is remembered of a playlist that goes on is what a player may still ask for.
    @Test func aGivenPlaylistThatGoesOn() async throws {
        let origin = Self.origin("", .status(404))
        let stage = try Stage(
            origin, subtitles: [ExternalSubtitle(try url(Self.given), language: "fi", name: "Suomi")])
        let rendition = try await stage.uri(of: "fi")
        var addresses: [String] = []
        for number in 0..<40 {
            let segments = (number..<(number + 5)).map { "#EXTINF:4,\n\($0).vtt\n" }.joined()
            origin.put(
                .whole("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(number)\n\(segments)"),
                at: Self.given)
            origin.put(.file(Stage.englishText), at: "https://subs.example.com/fi/\(number).vtt")
            let listed = try await stage.text(rendition).split(separator: "\n").filter { !$0.hasPrefix("#") }
            addresses.append(try #require(listed.first.map(String.init)))
        }
        #expect(stage.loader.listener.fileCount == 11)
        for (number, address) in addresses.enumerated().suffix(7) {
            #expect(try await stage.text(try url(address)) == Stage.englishText, "\(number)")
        }
    }

    /// Whether the video is live, how long the file is, and the file itself: all of that has 3 s together.
    @Test func nothingComes() async throws {
        let isInTime = try await takes(lessThan: .seconds(5.5)) {
            let origin = FakeOrigin([
                Stage.master: .file(Stage.masterText), Self.low: .stalled, Stage.english: .stalled,
            ])
            let stage = try Stage(
                origin, subtitles: [ExternalSubtitle(try url(Stage.english), language: "en", name: "English")]
            ) { $0.patience = .milliseconds(10) }
            #expect(try await stage.text(try await stage.uri(of: "en")).hasSuffix("#EXT-X-ENDLIST\n"))
        }
        #expect(isInTime, "3 s each would be 9 s")
    }

    /// A file, and the video that tells its map, are asked for as the player asks: with AVURLAssetHTTPHeaderFieldsKey it
    /// says who it is.
    @Test(arguments: [SubtitleWay.automatic, .loopback, .bytes])
    func theFileIsAskedForAsThePlaylistIs(_ way: SubtitleWay) async throws {
        let english = "https://example.com/subs/en.vtt"
        let origin = Self.origin("", .bytes(Self.transport))
        origin.put(.file(Stage.englishText), at: english)
        let stage = try Stage(
            origin, subtitles: [ExternalSubtitle(try url(english), language: "en", name: "English")]
        ) { $0.webVTT = way }
        func text(_ address: URL) async throws -> String {
            if address.host == "127.0.0.1" { return try await stage.text(address) }
            var load = Load.toEnd(address)
            load.fields = ["Authorization": "Bearer viewer"]
            return try #require(await stage.requests.load(load).answer).text
        }
        let tags = MediaTags.subtitles(in: try await text(stage.asset.url))
        let playlist = try await text(try url(try #require(tags.first?["URI"])))
        let file = try #require(playlist.split(separator: "\n").first { !$0.hasPrefix("#") })
        #expect(try await text(try url(String(file))).contains(Self.map))
        #expect(origin.asked.map(\.url).contains(Self.segment))
        for asked in origin.asked { #expect(asked.field("Authorization") == "Bearer viewer", "\(asked.url)") }
    }
}
