import ByteScan
import Delivery
import Foundation
import M3U8
import Sideload
import Testing
import WebVTT

@Suite struct ConfigurationTests {
    private func read(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration(Array(text.utf8))
    }

    @Test func saysNothingUnlessTold() throws {
        let configuration = try read(" {}\n")
        #expect(configuration.keys.isEmpty && configuration.tracks.isEmpty && configuration.edits.isEmpty)
        #expect(configuration.uris.isEmpty && configuration.uris.mapping() == nil && configuration.keptVariants == nil)
        #expect(configuration.map == .auto && !configuration.isSegmented && configuration.target == nil)
        #expect(!configuration.replacesDefault)
        let standard = SideloadLimits()
        #expect(configuration.limits.heldRenditions == standard.heldRenditions)
        #expect(throws: SubtitleTrackError.self) { try configuration.subtitleTracks() }
    }

    @Test func readsEveryFieldOfATrack() throws {
        let configuration = try read(
            """
            {"replace-default": true, "tracks": [
              {"uri": "subs/en.m3u8", "language": "eng", "name": "English", "default": true, "forced": true, "sdh": true,
               "autoselect": false, "stable-id": "s1", "group": "g", "assoc-language": "fr", "duration": 90.5},
              {"uri": "sv.vtt", "file": "a/b\\u002fsv.srt", "kind": "captions", "duration": "1:30.5", "language": "sv"},
              {"type": "m3u8", "uri": "http://a/?id=5", "kind": "subtitles", "sdh": false},
              {"uri": "a/sv%20x.webvtt?b#c", "type": "vtt", "duration": "10:00:00"}
            ]}
            """)
        #expect(configuration.keys == [.replaceDefault, .tracks] && configuration.replacesDefault)
        let tracks = configuration.tracks
        #expect(tracks.map { $0.track.uri } == ["subs/en.m3u8", "sv.vtt", "http://a/?id=5", "a/sv%20x.webvtt?b#c"])
        #expect(tracks.map { $0.track.name } == ["English", "Svenska (SDH)", "subtitles", "sv x"])
        #expect(tracks.map { $0.track.language } == ["eng", "sv", nil, nil])
        #expect(tracks.map { $0.track.isDefault } == [true, false, false, false])
        #expect(tracks.map { $0.track.isForced } == [true, false, false, false])
        #expect(tracks.map { $0.track.isSDH } == [true, true, false, false])
        #expect(tracks.map { $0.track.isAutoselected } == [false, true, true, true])
        #expect(tracks.map { $0.track.groupID } == ["g", nil, nil, nil])
        #expect(tracks.map { $0.track.stableRenditionID } == ["s1", nil, nil, nil])
        #expect(tracks.map { $0.track.associatedLanguage } == ["fr", nil, nil, nil])
        #expect(tracks.map { $0.format } == [.playlist, .webVTT, .playlist, .webVTT])
        #expect(tracks.map { $0.track.kind } == [.subtitles, .captions, .subtitles, .subtitles])
        #expect(tracks.map { $0.file } == [nil, "a/b/sv.srt", nil, nil])
        let nanoseconds: [UInt64?] = [90_500_000_000, 90_500_000_000, nil, 36_000_000_000_000]
        #expect(tracks.map { $0.duration?.nanoseconds } == nanoseconds)
    }

    @Test func readsHowAFileIsRead() throws {
        let configuration = try read(
            """
            {"tracks": [{"uri": "de.srt", "shift": -1.4, "encoding": "windows-1252"}, {"uri": "fr.vtt", "shift": "1:00.5"},
                        {"uri": "it.vtt", "shift": 12}, {"uri": "sv.vtt"}]}
            """)
        #expect(configuration.tracks.map { $0.shift } == [-1400, 60_500, 12_000, 0])
        #expect(configuration.tracks.map { $0.encoding } == ["windows-1252", nil, nil, nil])
    }

    /// What the tracks add to a playlist is what the same tracks add that are made in code.
    @Test func sideloadsWhatCodeDoes() throws {
        let configuration = try read(
            """
            {"tracks": [{"uri": "en.m3u8", "language": "en", "name": "English", "default": true},
                        {"uri": "sv.m3u8", "language": "sv", "name": "Svenska", "stable-id": "a+/=.-_"}]}
            """)
        let tracks = try SubtitleTracks([
            SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true),
            SubtitleTrack(uri: "sv.m3u8", language: "sv", name: "Svenska", stableRenditionID: "a+/=.-_"),
        ])
        let playlist = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8)
        #expect(
            try configuration.subtitleTracks().sideloaded(into: playlist) == tracks.sideloaded(into: playlist))
    }

    @Test func readsWhatARouterIsMadeOf() throws {
        let configuration = try read(
            """
            {"master": "https://a/m", "schemes": {"key": "ckey", "track": "my-track"}, "headers": {"X-A": "b c", "x-a": ""},
             "probe": "data-only", "variants": "redirect", "segments": "redirect", "keys": "decline",
             "webvtt": {"served": "http://localhost/"}, "missing-track": "empty", "map": "900000"}
            """)
        #expect(configuration.master == Array("https://a/m".utf8))
        #expect(configuration.addresses.recognise(Array("ckey-http://k/1".utf8))?.role == .key)
        #expect(configuration.addresses.trackPrefix == Array("my-track://subtitles/".utf8))
        #expect(configuration.headers == [HeaderLine("X-A", "b c"), HeaderLine("x-a", "")])
        let policies = configuration.policies
        #expect(policies.probe == .dataOnly && policies.variants == .redirect && policies.segments == .redirect)
        #expect(policies.keys == .decline && policies.missingTrack == .empty)
        #expect(policies.webVTT == .served(base: Array("http://localhost/".utf8)))
        #expect(policies.map == .given(TimestampMap(mpegTS: 900_000)) && configuration.map == policies.map)
        // Without the key there is no map; every word of a policy is one.
        #expect(try read("{\"master\": \"https://a/m\"}").policies == RoutePolicies())
        for word in ["auto", "direct", "bytes", "redirect"] { _ = try read("{\"webvtt\": \"\(word)\"}") }
        let auto = try read("{\"master\": \"https://a/m\", \"map\": \"auto\"}")
        #expect(auto.policies.map == .auto)
        for probe in RoutePolicies.Probe.allCases {
            #expect(try read("{\"probe\": \"\(probe.name)\"}").policies.probe == probe)
        }
    }

    @Test func readsOrigins() throws {
        #expect(try read("{}").origins == .listed([]) && read("{\"origins\": []}").origins == .listed([]))
        #expect(try read("{\"origins\": \"any\"}").origins == .any)
        let texts = ["https://a", "http://b:8080"]
        let origins = try texts.map { try #require(RouteOrigin(Array($0.utf8))) }
        #expect(try read("{\"origins\": [\"https://a\", \"http://b:8080\"]}").origins == .listed(origins))
    }

    /// Numbers of surtitle.h are places in the list, and a role may be told of three kinds.
    @Test func kindsOfEditsStandInOrder() {
        let names = EditKind.all.map { text(Array(ByteView($0.name))) }
        let verbs = ["set", "replace", "remove", "drop", "append-line"]
        #expect(names == verbs + ["map-uri", "scheme", "host", "append-query", "keep-variants"])
        #expect(EditKind.all.filter(\.takesRole) == [.scheme, .host, .appendQuery])
    }

    @Test func readsEdits() throws {
        let configuration = try read(
            """
            {"edits": [{"set": "EXT-X-STREAM-INF:NAME=\\"a=b:c\\""}, {"replace": "#EXT-X-MEDIA:LANGUAGE=en"},
              {"append-line": "#EXT-X-END: x"}, {"remove": "EXT-X-MEDIA:A:B"}, {"drop": "#EXT-X-KEY"}],
             "keep-variants": "BANDWIDTH<=2"}
            """)
        let words = configuration.edits.map { edit in
            switch edit {
            case .append(let line): "append " + String(decoding: line, as: UTF8.self)
            case .lines(.drop(let tag)): "drop \(text(tag.spelling))"
            case .lines(.remove(let tag, let name)): "remove \(text(tag.spelling)) \(text(name))"
            case .lines(.set(let tag, let name, let value)): "set \(text(tag.spelling)) \(text(name)) \(text(value))"
            case .lines(.replace(let tag, let name, let value)):
                "replace \(text(tag.spelling)) \(text(name)) \(text(value))"
            }
        }
        #expect(
            words == [
                "set EXT-X-STREAM-INF NAME \"a=b:c\"", "replace EXT-X-MEDIA LANGUAGE en", "append #EXT-X-END: x",
                "remove EXT-X-MEDIA A:B", "drop EXT-X-KEY",
            ])
        #expect(configuration.keptVariants != nil)
        var rewriter = PlaylistPipeline(try configuration.recipe())
        var output: [UInt8] = []
        let playlist = Array("#EXTM3U\n#EXT-X-KEY:METHOD=NONE\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n".utf8)
        try unsafe playlist.withUnsafeBytes { bytes in
            try unsafe rewriter.write(bytes) { unsafe output.append(contentsOf: $0.bytes) }
        }
        rewriter.finish { unsafe output.append(contentsOf: $0.bytes) }
        #expect(
            text(output) == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,NAME=\"a=b:c\"\nv\n#EXT-X-END: x\n",
            "\(text(output))")
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: [
        ("\"map-uri\": \"https://a/b/\"", "https://a/b/v"), ("\"append-query\": \"k=v\"", "v?k=v"),
        ("\"append-query\": [\"k=v\", \"l=w\"]", "v?k=v&l=w"),
        ("\"append-query\": {\"variant\": [\"a=1\"], \"all\": \"b=2\", \"key\": \"c=3\"}", "v?a=1&b=2"),
        ("\"map-uri\": \"https://a/\", \"scheme\": \"http\", \"host\": \"b:8\"", "http://b:8/v"),
        ("\"map-uri\": \"https://a/\", \"host\": {\"variant\": \"c\", \"all\": \"b\"}", "https://c/v"),
        ("\"map-uri\": \"skd://a/\", \"scheme\": {\"all\": \"skd:https\"}", "https://a/v"),
        ("\"scheme\": {\"variant\": \"http\"}, \"host\": {}, \"append-query\": []", "v"),
    ])
    func mapsURIs(_ members: String, _ uri: String) throws {
        let configuration = try read("{\(members)}")
        var rewriter = PlaylistPipeline(try configuration.recipe(), limits: configuration.pipelineLimits)
        var output: [UInt8] = []
        let playlist = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n".utf8)
        try unsafe playlist.withUnsafeBytes { bytes in
            try unsafe rewriter.write(bytes) { unsafe output.append(contentsOf: $0.bytes) }
        }
        rewriter.finish { unsafe output.append(contentsOf: $0.bytes) }
        #expect(text(output) == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(uri)\n")
    }

    @Test func readsLimits() throws {
        let configuration = try read(
            """
            {"limits": {"longest-line": 1, "past-limit": "fail", "held-renditions": 2, "longest-group-id": 3,
             "appended-tags": 4, "held-variables": 5, "longest-uri": 1073741824}}
            """)
        #expect(configuration.limits.lines.longestLine == 1 && configuration.limits.lines.policy == .fail)
        #expect(configuration.limits.heldRenditions == 2 && configuration.limits.longestGroupID == 3)
        #expect(configuration.limits.appendedTags == 4 && configuration.uriLimits.heldVariables == 5)
        #expect(configuration.uriLimits.longestURI == 1 << 30)
        #expect(try read("{\"limits\": {\"past-limit\": \"pass-through\"}}").limits.lines.policy == .passThrough)
    }

    @Test func readsMapAndSegments() throws {
        #expect(try read("{\"map\": \"auto\"}").map == .auto)
        #expect(try read("{\"map\": \"none\"}").map == .none)
        #expect(try read("{\"map\": \"126000\"}").map == .given(TimestampMap(mpegTS: 126_000)))
        let local = Timestamp(milliseconds: 10_000)
        #expect(
            try read("{\"map\": \"900000:00:00:10.000\"}").map == .given(TimestampMap(mpegTS: 900_000, local: local)))
        let segments = try read("{\"segment\": true, \"target\": 5.966633333}")
        #expect(segments.isSegmented && segments.target?.nanoseconds == 5_966_633_333)
        #expect(try read("{\"target\": \"0:06\"}").target?.nanoseconds == 6_000_000_000)
    }

    @Test func aThousandTracksAreEnough() throws {
        func text(_ count: Int) -> String {
            "{\"tracks\":[" + (0..<count).map { "{\"uri\":\"\($0).m3u8\"}" }.joined(separator: ",") + "]}"
        }
        #expect(try read(text(Configuration.mostTracks)).tracks.count == 1000)
        #expect(throws: ConfigurationError.self) { try read(text(Configuration.mostTracks + 1)) }
    }
}
