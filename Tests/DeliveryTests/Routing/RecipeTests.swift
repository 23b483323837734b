import Delivery
import M3U8
import Sideload
import Testing
import WebVTT

/// What the published recipes do by hand, row by row.
@Suite struct RecipeTests {
    private static let playlist = """
        #EXTM3U
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="A",URI="audio/a.m3u8?x=1#y"
        #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"
        v/1.m3u8?token=%2F&b=c
        #EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="a"
        http://other.example/v2.m3u8

        """

    /// "A delegate gets a URL with a made-up scheme, restores the real one": on whole URLs and inside playlists.
    @Test func aMadeUpSchemeThereAndBack() throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.variants = .mapped }
        #expect(Routes.text(router.entry) == "surtitle-master-" + Routes.master)
        #expect(router.addresses.recognise(router.entry)?.url == router.master)
        let edited = try router.master(Array(Self.playlist.utf8), from: router.master)
        let lines = Routes.text(edited.resource.bytes).split(separator: "\n").map { String($0) }
        #expect(lines.contains("surtitle-variant-https://origin.example/film/v/1.m3u8?token=%2F&b=c"))
        #expect(lines.contains("surtitle-variant-http://other.example/v2.m3u8"))
        let audio = "URI=\"surtitle-rendition-https://origin.example/film/audio/a.m3u8?x=1#y\""
        #expect(lines.contains { $0.hasSuffix(audio) })
        for line in lines where line.hasPrefix("surtitle-variant-") {
            let url = String(line.dropFirst("surtitle-variant-".count))
            #expect(router.words(line) == "fetch \(url) and map its URIs")
        }
    }

    /// "The master is asked for three times: 2 bytes, its length, an enormous length."
    @Test func theMasterIsAskedForThreeTimes() throws {
        let router = try Routes.router()
        let resource = try router.master(Array(Self.playlist.utf8), from: router.master).resource
        let length = resource.bytes.count
        let asked: [(ByteRequest, Bool)] = [
            (ByteRequest(offset: 0, length: 2, toEnd: false), true),
            (ByteRequest(offset: 0, length: length, toEnd: false), false),
            (ByteRequest(offset: 0, length: .max, toEnd: false), false),
            (ByteRequest(offset: 0, length: .max, toEnd: true), false),
        ]
        for (bytes, wantsInformation) in asked {
            let request = RouteRequest(router.entry, bytes, wantsInformation: wantsInformation)
            let plan = router.plan(request)
            #expect(plan == .fetch(OriginRequest(url: router.master, headers: []), use: .master))
            let answer = router.answer(request, plan, with: resource)
            #expect(answer.information?.length == (wantsInformation ? length : nil))
            #expect(answer.data == (wantsInformation ? .none : .range(0..<length)))
        }
    }

    /// "Segments are redirected (302) to their real URL": an option; by default they are absolute.
    @Test func segmentsAreRedirected() throws {
        let media =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:4,\n../s/1.ts?a#b\n#EXT-X-ENDLIST\n"
        let url = Array("https://origin.example/film/v/1.m3u8".utf8)
        let plain = try Routes.router().mediaPlaylist(Array(media.utf8), from: url)
        #expect(Routes.text(plain.resource.bytes).contains("\nhttps://origin.example/film/s/1.ts?a#b\n"))
        #expect(Routes.text(plain.resource.bytes).contains("URI=\"https://origin.example/film/v/init.mp4\""))
        #expect(plain.verdict == .media)
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.segments = .redirect }
        let mapped = Routes.text(try router.mediaPlaylist(Array(media.utf8), from: url).resource.bytes)
        let address = "surtitle-segment-https://origin.example/film/s/1.ts?a#b"
        #expect(mapped.contains("\n\(address)\n"))
        #expect(mapped.contains("URI=\"surtitle-segment-https://origin.example/film/v/init.mp4\""))
        #expect(
            router.plan(RouteRequest(address)) == .redirect(to: Array("https://origin.example/film/s/1.ts?a#b".utf8)))
        // They are in media playlists, which have to pass by here for that.
        #expect(router.policies.variantsInEffect == .mapped)
        #expect(router.words("surtitle-variant-https://a/b") == "fetch https://a/b and map its URIs")
    }

    /// "Subtitle playlist requests are recognised by a URL of their own": any case, dashes; an unknown track says so.
    @Test func subtitlePlaylistsHaveURLsOfTheirOwn() throws {
        let router = try Routes.router()
        #expect(router.tracks.map { Routes.text($0.name) } == ["en", "zh-hant", "de"])
        #expect(
            router.tracks.map { Routes.text($0.rendition) } == [
                "surtitle-track://subtitles/en.m3u8", "surtitle-track://subtitles/zh-hant.m3u8",
                "surtitle-track://subtitles/de.m3u8",
            ])
        for url in [
            "surtitle-track://subtitles/zh-hant.m3u8", "surtitle-track://subtitles/zh-Hant.m3u8?x=y#z",
            "SURTITLE-TRACK://SUBTITLES/ZH-HANT.M3U8",
        ] {
            #expect(router.plan(RouteRequest(url)) == .subtitlePlaylist(track: 1), "\(url)")
        }
        #expect(router.plan(RouteRequest("surtitle-track://subtitles/zh-hant.VTT")) == .subtitleFile(track: 1))
        for name in [
            "fr.m3u8", "zh.m3u8", "zh-hant", "zh-hant.srt", "zh-hant.m3u8.vtt", "", ".m3u8", "a/en.m3u8", "en.m3u8/",
        ] {
            guard case .fail(let error) = router.plan(RouteRequest("surtitle-track://subtitles/\(name)?q")) else {
                Issue.record("\(name) is no track")
                continue
            }
            #expect(error.isUnknownTrack && error.name == Array(name.utf8))
            #expect("\(error)" == "there is no track \(name.debugDescription)")
        }
        // The origin's are never taken for ours.
        #expect(router.plan(RouteRequest("https://subtitles/en.m3u8")) == .decline(.otherURL))
        let playlist = try router.subtitlePlaylist(of: 1, lasting: MediaDuration(milliseconds: 9_500))
        #expect(playlist.contentType == .playlist)
        #expect(
            Routes.text(playlist.bytes).hasSuffix(
                "#EXTINF:9.500,\nsurtitle-track://subtitles/zh-hant.vtt\n#EXT-X-ENDLIST\n"))
    }

    /// "The master is recognised by its suffix": here by the entry URL, and by content, whatever the name.
    @Test func theMasterIsRecognisedByWhatItIs() throws {
        let router = try Routes.router()
        let edited = try router.master(Array(Self.playlist.utf8), from: router.master)
        #expect(edited.verdict == .multivariant && edited.addedBytes > 0)
        let text = Routes.text(edited.resource.bytes)
        #expect(text.contains("BANDWIDTH=1,AUDIO=\"a\",SUBTITLES=\"subs\"\nhttps://origin.example/film/v/1.m3u8"))
        #expect(
            text.contains("URI=\"surtitle-track://subtitles/en.m3u8\"")
                && text.contains("URI=\"surtitle-track://subtitles/de.m3u8\""))
        // A single rendition under the same URL is one by content.
        let media = try router.master(
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.ts\n".utf8), from: router.master)
        #expect(media.verdict == .media && media.addedBytes == 0)
        #expect(Routes.text(media.resource.bytes).hasSuffix("\nhttps://origin.example/film/1.ts\n"))
        let error = #expect(throws: RouteError.self) { try router.master(Array("<html>".utf8), from: router.master) }
        #expect(error?.verdict == .notPlaylist)
    }

    /// "A playlist is generated with N segments through one scheme and its key through another; the key is fetched and handed over."
    @Test func aPlaylistOfSegmentsAndKeysThroughOtherSchemes() throws {
        let router = try Routes.router([]) { configuration in
            configuration.policies.keys = .fetch
            configuration.policies.segments = .redirect
            try? configuration.addresses.setScheme(Array("rdtp".utf8), of: .segment)
            try? configuration.addresses.setScheme(Array("ckey".utf8), of: .key)
        }
        let key = MadePlaylist.Key(uri: Array("https://keys.example/1?a=b".utf8), vector: Array(0..<16))
        let segments = (1...3).map { number in
            MadePlaylist.Segment(
                uri: Array("\(number).ts".utf8), duration: MediaDuration(milliseconds: 9_009),
                key: number < 3 ? key : nil)
        }
        let made = try router.mediaPlaylist(MadePlaylist(segments))
        #expect(
            Routes.text(made.bytes) == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:10
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-KEY:METHOD=AES-128,URI="ckey-https://keys.example/1?a=b",IV=0x000102030405060708090a0b0c0d0e0f
                #EXTINF:9.009,
                rdtp-https://origin.example/film/1.ts
                #EXTINF:9.009,
                rdtp-https://origin.example/film/2.ts
                #EXT-X-KEY:METHOD=NONE
                #EXTINF:9.009,
                rdtp-https://origin.example/film/3.ts
                #EXT-X-ENDLIST

                """)
        #expect(router.words("rdtp-https://origin.example/film/1.ts") == "redirect to https://origin.example/film/1.ts")
        let plan = router.plan(RouteRequest("ckey-https://keys.example/1?a=b"))
        #expect(plan == .fetch(OriginRequest(url: Array("https://keys.example/1?a=b".utf8), headers: []), use: .key))
        let resource = router.key(Array(repeating: 7, count: 16))
        #expect(resource.contentType.uniformType == nil)
        let answer = router.answer(RouteRequest("ckey-https://keys.example/1?a=b"), plan, with: resource)
        #expect(answer == ResourceAnswer(information: nil, data: .range(0..<16)))
    }

    /// "Other providers take part (DRM)": what is not ours is declined.
    @Test func otherProvidersTakePart() throws {
        let router = try Routes.router()
        #expect(router.plan(RouteRequest("skd://key/1")) == .decline(.keySystem))
        for url in [
            "https://a/b", "surtitle-master", "surtitle:x", "", "app://x", "surtitle-masters-https://a/", "data:,x",
        ] {
            #expect(router.plan(RouteRequest(url)) == .decline(.otherURL), "\(url)")
        }
        for type in ["AVStreamingKeyDeliveryContentKeyType", "AVStreamingKeyDeliveryPersistentContentKeyType"] {
            var request = RouteRequest(router.entry)
            request.contentTypes = [Array("public.m3u-playlist".utf8), Array(type.utf8)]
            #expect(router.plan(request) == .decline(.contentKey))
        }
        // But a key that has an address of ours, which is asked for so for offline use, is ours and may be kept.
        for (policy, isOurs) in [(RoutePolicies.Keys.fetch, true), (.redirect, true), (.decline, false)] {
            let router = try Routes.router { (policies: inout RoutePolicies) in policies.keys = policy }
            var request = RouteRequest("surtitle-key-https://a/k", wantsInformation: true)
            request.contentTypes = [Array("com.apple.streamingkeydelivery.persistentcontentkey".utf8)]
            let plan = router.plan(request)
            if case .decline = plan { #expect(!isOurs) } else { #expect(isOurs) }
            let told = router.answer(request, plan, with: router.key([1])).information
            #expect(told?.contentType.uniformType == request.contentTypes[0])
        }
        // Nothing that a playlist says of skd: is changed.
        let keys = try Routes.router { (policies: inout RoutePolicies) in policies.keys = .fetch }
        let media =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"\n#EXTINF:4,\nhttps://a/1.ts\n"
        #expect(try keys.mediaPlaylist(Array(media.utf8), from: keys.master).resource.bytes == Array(media.utf8))
    }

    /// "An asset from bytes in memory: type, length, ranges."
    @Test func anAssetFromBytesInMemory() throws {
        let type = ContentType(uniformType: Array("public.mpeg-4".utf8), mediaType: Array("video/mp4".utf8))
        let resource = Resource(Array(0..<100), type)
        let router = try Routes.router([])
        let plan = RoutePlan.subtitleFile(track: 0)
        func answer(_ offset: Int64, _ length: Int, _ toEnd: Bool = false, information: Bool = false) -> ResourceAnswer
        {
            let bytes = ByteRequest(offset: offset, length: length, toEnd: toEnd)
            return router.answer(RouteRequest("x:", bytes, wantsInformation: information), plan, with: resource)
        }
        let first = answer(0, 2, information: true)
        #expect(first.information == resource.information && first.data == .none)
        #expect(resource.information.length == 100 && resource.information.servesRanges)
        #expect(answer(0, 2).data == .range(0..<2))
        #expect(answer(98, 10).data == .range(98..<100) && answer(5, 0).data == .range(5..<5))
        #expect(answer(40, 0, true).data == .range(40..<100) && answer(100, 1).data == .range(100..<100))
        #expect(answer(101, 1).data == .unsatisfiable && answer(-1, 1).data == .unsatisfiable)
    }

    /// "Text tracks as data": the same fields from code and from JSON.
    @Test func textTracksAsData() throws {
        let text = """
            {"master": "https://a/m.m3u8", "tracks": [
              {"uri": "https://b/en", "language": "en", "name": "English", "duration": 90.5, "kind": "captions",
               "default": true, "mime-type": "text/vtt"},
              {"uri": "sv", "language": "sv", "name": "Svenska", "mime-type": "Application/X-SubRip; charset=utf-8"},
              {"uri": "de", "language": "de", "name": "Deutsch", "type": "m3u8", "mime-type": "text/vtt"},
              {"uri": "fi.srt", "language": "fi", "name": "Suomi"}
            ]}
            """
        let read = try Configuration(Array(text.utf8))
        let english = SubtitleTrack(
            uri: "https://b/en", language: "en", name: "English", isDefault: true, isSDH: true, kind: .captions)
        var made = [
            TrackConfiguration(english, mediaType: Array("text/vtt".utf8)),
            TrackConfiguration(
                SubtitleTrack(uri: "sv", language: "sv", name: "Svenska"), mediaType: Array("application/x-subrip".utf8)
            ),
            TrackConfiguration(SubtitleTrack(uri: "de", language: "de", name: "Deutsch"), format: .playlist),
            TrackConfiguration(SubtitleTrack(uri: "fi.srt", language: "fi", name: "Suomi")),
        ].compactMap { $0 }
        made[0].duration = DecimalSeconds(nanoseconds: 90_500_000_000)
        #expect(made == read.tracks)
        #expect(read.tracks.map { $0.format } == [.webVTT, .subRip, .playlist, .subRip])
        let routers = try [read, Configuration(master: "https://a/m.m3u8", tracks: made)].map { try Router($0) }
        let playlist = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n".utf8)
        let edited = try routers.map { try $0.master(playlist, from: $0.master).resource.bytes }
        #expect(edited[0] == edited[1] && Routes.text(edited[0]).contains("CHARACTERISTICS="))
        #expect(TrackConfiguration(SubtitleTrack(uri: "a", name: "A")) == nil)
        #expect(Array("text/plain".utf8).withView { SubtitleFormat(mediaType: $0) } == nil)
    }
}
