import Sideload
import Testing
import WebVTT

@testable import Delivery

/// A track whose file or playlist answers 404: the video never suffers.
@Suite struct MissingTrackTests {
    private static let playlist = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8)

    @Test func isLeftOutWhereThatIsKnownInTime() throws {
        let router = try Routes.router()
        let text = Routes.text(
            try router.master(Self.playlist, from: router.master, leavingOut: [0, 2, 7, -1]).resource.bytes)
        #expect(!text.contains("en.m3u8") && !text.contains("de.m3u8") && text.contains("zh-hant.m3u8"))
        let none = try router.master(Self.playlist, from: router.master, leavingOut: [0, 1, 2])
        #expect(
            Routes.text(none.resource.bytes)
                == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttps://origin.example/film/v.m3u8\n")
        #expect(none.verdict == .multivariant && none.addedBytes == 0)
    }

    /// A track is left out if its origin says that there is nothing, or has something else there; any other failure may pass.
    @Test(
        arguments: [
            (.status(404), true), (.status(410), true), (.status(400), true), (.status(499), true),
            (.status(399), false),
            (.status(500), false), (.notSubtitles, true), (.network, false), (.tooLong(limit: 1), false),
            (.redirect(FetchRedirect(status: 302, source: [], target: [])), false),
        ] as [(FetchError.Reason, Bool)])
    func whatLeavesATrackOut(_ reason: FetchError.Reason, _ isLeftOut: Bool) throws {
        let router = try Routes.router()
        var request = Router.Request(router, RouteRequest(router.entry))
        let error = FetchError(reason: reason, purpose: .subtitles, url: [])
        while case .fetch(let wanted) = request.next() {
            switch wanted.track {
            case nil:
                request.take(.answer(.playlist(FetchedPlaylist(bytes: Self.playlist, url: router.master))), of: wanted)
            case 1: request.take(.failure(error), of: wanted)
            default: request.take(.answer(.present), of: wanted)
            }
        }
        guard case .answer(let made) = request.next() else {
            Issue.record("no answer")
            return
        }
        #expect(made.leftOut == (isLeftOut ? [.init(track: 1, reason: .fetch(error))] : []))
        #expect(Routes.text(made.resource.bytes).contains("zh-hant.m3u8") != isLeftOut && made.missing == nil)
    }

    /// A track that was to be left out is empty if that came too late.
    @Test(arguments: [RoutePolicies.MissingTrack.leaveOut, .empty])
    func isAValidEmptyFile(_ policy: RoutePolicies.MissingTrack) throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.missingTrack = policy }
        let map = TimestampMap(mpegTS: 126_000)
        #expect(router.missingFile()?.bytes == Array("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n".utf8))
        let file = try #require(router.missingFile(map: map))
        #expect(Routes.text(file.bytes) == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\n")
        #expect(file.contentType == .webVTT)
    }

    @Test func theGivenMapWins() throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in
            policies.map = .given(TimestampMap(mpegTS: 9))
        }
        let text = Routes.text(try #require(router.missingFile(map: TimestampMap(mpegTS: 126_000))).bytes)
        #expect(text.contains("MPEGTS:9\n"))
    }

    @Test func fails() throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.missingTrack = .fail }
        #expect(router.missingFile() == nil)
        #expect(try router.missingPlaylist(of: 0, lasting: MediaDuration(milliseconds: 1)) == nil)
    }

    /// A playlist of somebody else's passes by here, so that its files are covered, and so is it.
    @Test func aGivenPlaylistAndItsFiles() throws {
        let router = try Routes.router()
        let rendition = "surtitle-track://subtitles/de.m3u8"
        #expect(Routes.text(router.tracks[2].rendition) == rendition)
        let url = Array("https://origin.example/de.m3u8".utf8)
        #expect(
            router.plan(RouteRequest(rendition))
                == .fetch(OriginRequest(url: url, headers: []), use: .subtitlePlaylist(track: 2)))
        let given = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nde/1.vtt?a\n#EXT-X-ENDLIST\n"
        let mapped = try router.givenPlaylist(Array(given.utf8), from: url)
        let address = "surtitle-cues-https://origin.example/de/1.vtt?a"
        #expect(Routes.text(mapped.resource.bytes).contains("\n\(address)\n"))
        #expect(router.words(address) == "fetch https://origin.example/de/1.vtt?a and hand over the WebVTT")
        let made = try #require(try router.missingPlaylist(of: 2, lasting: MediaDuration(milliseconds: 5_000)))
        let file = "surtitle-track://subtitles/de.vtt"
        #expect(Routes.text(made.bytes).contains("#EXTINF:5.000,\n\(file)\n"))
        #expect(router.plan(RouteRequest(file)) == .emptyFile(track: 2))
    }

    /// Below a base only listed origins have addresses, and files of other people may be anywhere.
    @Test func aProxyCoversThemIfThatIsSaid() throws {
        let base = try RouteAddresses(base: Array("http://p/".utf8))
        for (policy, isCovered) in [(RoutePolicies.MissingTrack.leaveOut, false), (.empty, true)] {
            let router = try Routes.router(Routes.tracks) { configuration in
                configuration.addresses = base
                configuration.policies.missingTrack = policy
            }
            let rendition = isCovered ? "http://p/track/de.m3u8" : "https://origin.example/de.m3u8"
            #expect(Routes.text(router.tracks[2].rendition) == rendition)
        }
    }

    /// Where it is to fail, the player goes to the origin by itself, and no address of ours exists.
    @Test func aGivenPlaylistThatIsNotCovered() throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.missingTrack = .fail }
        for name in ["de.m3u8", "de.vtt"] {
            guard case .fail(let error) = router.plan(RouteRequest("surtitle-track://subtitles/\(name)")) else {
                Issue.record("\(name) is not ours")
                continue
            }
            #expect(error.isUnknownTrack)
        }
        #expect(router.words("surtitle-cues-https://a/1.vtt") == "redirect to https://a/1.vtt")
    }
}
