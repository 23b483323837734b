import Delivery
import Drivers
import M3U8
import Support
import Testing

/// The first time stamp of a video, from its playlist to the first segment.
@Suite struct VideoFetchTests {
    private static let tick = "tick 126000 at 0"

    private static func row(
        _ reason: String, _ playlists: [String: String], _ media: [String: NaiveOrigin] = [:],
        asks asked: [String], _ result: String
    ) -> FetchCase {
        var origins: [String: [NaiveOrigin]] = [
            "/s0.ts": [NaiveOrigin(FetchFiles.transport)], "/s1.ts": [NaiveOrigin(FetchFiles.transport)],
        ]
        for (path, text) in playlists { origins[path] = [NaiveOrigin(Array(text.utf8))] }
        for (path, origin) in media { origins[path] = [origin] }
        return FetchCase(
            reason, .mediaStart(video: FetchCase.url("v.m3u8")), origins, asks: ["/v.m3u8"] + asked, result)
    }

    private static func media(
        _ reason: String, _ lines: String, _ media: [String: NaiveOrigin] = [:], asks asked: [String], _ result: String
    ) -> FetchCase { row(reason, ["/v.m3u8": "#EXTM3U\n" + lines], media, asks: asked, result) }

    private static let transport = FetchFiles.transport
    /// The segment with noise around it.
    private static let packed = [UInt8](repeating: 9, count: 100) + transport + [UInt8](repeating: 9, count: 50)
    private static let parts = "#EXTINF:6,\n#EXT-X-BYTERANGE:\(transport.count)@100\nall.ts\n"
    private static let range = "100-\(99 + transport.count)"
    private static let movie = FetchFiles.initialization + FetchFiles.fragment
    private static let movieLines =
        "#EXT-X-MAP:URI=\"m.mp4\",BYTERANGE=\"\(FetchFiles.initialization.count)@0\"\n#EXTINF:6,\n"
        + "#EXT-X-BYTERANGE:\(FetchFiles.fragment.count)@\(FetchFiles.initialization.count)\nm.mp4\n"

    private static let segments: [FetchCase] = [
        row("the first segment", ["/v.m3u8": FetchFiles.media], asks: ["/s0.ts"], tick),
        media(
            "relative URIs, dot segments and a fragment", "#EXTINF:6,\nx/../s0.ts#t=1\n", asks: ["/s0.ts"], tick),
        media(
            "a gap before it", "#EXT-X-GAP\n#EXTINF:6.0005,\ngone.ts\n#EXTINF:6,\ns0.ts\n", asks: ["/s0.ts"],
            "tick 125955 at 6000"),
        media("nothing but gaps", "#EXT-X-GAP\n#EXTINF:6,\ngone.ts\n", asks: [], "unusable: no segment"),
        media("a URI without EXTINF is no segment", "s1.ts\n#EXTINF:6,\ns0.ts\n", asks: ["/s0.ts"], tick),
        media("EXTINF that is no time", "#EXTINF:x,\ns0.ts\n", asks: [], "unusable: malformed playlist"),
        media("a byte range", parts, ["/all.ts": NaiveOrigin(packed)], asks: ["/all.ts \(range)"], tick),
        media(
            "a byte range, and the whole came", parts, ["/all.ts": NaiveOrigin(packed, .endless)],
            asks: ["/all.ts \(range)"], tick),
        media(
            "a byte range, and another came", parts, ["/all.ts": NaiveOrigin(packed, .laterPart)],
            asks: ["/all.ts \(range)", "/all.ts"], tick),
        media(
            "a byte range whose offset follows from the segment before",
            "#EXT-X-GAP\n#EXTINF:6,\n#EXT-X-BYTERANGE:60@40\nall.ts\n#EXTINF:6,\n#EXT-X-BYTERANGE:\(transport.count)\nall.ts\n",
            ["/all.ts": NaiveOrigin(packed)], asks: ["/all.ts \(range)"], "tick 126000 at 6000"),
        media(
            "a byte range far into a file of which only the whole comes",
            "#EXTINF:6,\n#EXT-X-BYTERANGE:100@9000\nall.ts\n", ["/all.ts": NaiveOrigin(packed, .endless)],
            asks: ["/all.ts 9000-9099"], "limit: more than the limit of 8192 bytes; raise it"),
        media(
            "a byte range behind the end", "#EXTINF:6,\n#EXT-X-BYTERANGE:100@8000\nall.ts\n",
            ["/all.ts": NaiveOrigin(packed)], asks: ["/all.ts 8000-8099", "/all.ts"],
            "unusable: no media segment; give MPEG-TS, fragmented MP4 or packed audio"),
        media(
            "a byte range of nothing", "#EXTINF:6,\n#EXT-X-BYTERANGE:0@4\ns0.ts\n", asks: [],
            "unusable: malformed playlist"),
        media(
            "a byte range that is none", "#EXTINF:6,\n#EXT-X-BYTERANGE:x\ns0.ts\n", asks: [],
            "unusable: malformed playlist"),
        media(
            "a byte range that is none, of a gap",
            "#EXT-X-GAP\n#EXTINF:6,\n#EXT-X-BYTERANGE:x\ngone.ts\n#EXTINF:6,\ns0.ts\n", asks: ["/s0.ts"],
            "tick 126000 at 6000"),
        media(
            "a byte range past all numbers", "#EXTINF:6,\n#EXT-X-BYTERANGE:9999999999999999999@1\ns0.ts\n", asks: [],
            "unusable: malformed playlist"),
        media(
            "the init segment first", "#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\nf.m4s\n",
            ["/i.mp4": NaiveOrigin(FetchFiles.initialization), "/f.m4s": NaiveOrigin(FetchFiles.fragment)],
            asks: ["/i.mp4", "/f.m4s"], "tick 900000 at 0"),
        media(
            "both in one file", movieLines, ["/m.mp4": NaiveOrigin(movie)],
            asks: [
                "/m.mp4 0-\(FetchFiles.initialization.count - 1)",
                "/m.mp4 \(FetchFiles.initialization.count)-\(movie.count - 1)",
            ], "tick 900000 at 0"),
        media(
            "both in one file that is always sent whole", movieLines, ["/m.mp4": NaiveOrigin(movie, .whole)],
            asks: [
                "/m.mp4 0-\(FetchFiles.initialization.count - 1)",
                "/m.mp4 \(FetchFiles.initialization.count)-\(movie.count - 1)",
            ], "tick 900000 at 0"),
        media(
            "the init segment is missing", "#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\nf.m4s\n", asks: ["/i.mp4"],
            "missing: status 404"),
        media(
            "EXT-X-MAP without a URI", "#EXT-X-MAP:X=1\n#EXTINF:6,\nf.m4s\n", asks: [], "unusable: malformed playlist"),
        media("the segment is missing", "#EXTINF:6,\nf.m4s\n", asks: ["/f.m4s"], "missing: status 404"),
        media(
            "encrypted whole", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:6,\ns0.ts\n", asks: [],
            "unusable: the segment is encrypted; give it decrypted"),
        media(
            "no longer encrypted", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:6,\ns0.ts\n",
            asks: ["/s0.ts"], tick),
        media(
            "samples alone encrypted", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:6,\ns0.ts\n", asks: ["/s0.ts"],
            tick),
        media(
            "no media", "#EXTINF:6,\nt\n", ["/t": NaiveOrigin(FetchFiles.cues)], asks: ["/t"],
            "unusable: no media segment; give MPEG-TS, fragmented MP4 or packed audio"),
        media(
            "a segment of another host", "#EXTINF:6,\nhttp://other.example/s\n", asks: ["http://other.example/s"],
            "missing: status 404"),
        media("a segment that no request can be made for", "#EXTINF:6,\nskd://x\n", asks: [], "unusable: not HTTP"),
        media("a space in the URI", "#EXTINF:6,\na b.ts\n", asks: [], "unusable: not HTTP"),
        media("a variable", "#EXTINF:6,\n{$x}.ts\n", asks: [], "unusable: variable"),
        row("no playlist", ["/v.m3u8": "hello\n"], asks: [], "unusable: no playlist"),
        row("nothing", ["/v.m3u8": ""], asks: [], "unusable: no playlist"),
        row("a playlist that is not there", [:], asks: [], "missing: status 404"),
    ]

    @Test(arguments: segments) func segment(_ row: FetchCase) { row.check() }

    private static let audio = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\na.m3u8\n"
    private static let video = "#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS=\"mp4a.40.2, AVC1.64001e\"\nd/w.m3u8\n"

    private static let masters: [FetchCase] = [
        row(
            "the first variant with video",
            ["/v.m3u8": "#EXTM3U\n" + audio + video + audio, "/d/w.m3u8": FetchFiles.media],
            ["/d/s0.ts": NaiveOrigin(transport)], asks: ["/d/w.m3u8", "/d/s0.ts"], tick),
        row(
            "a variant with a resolution",
            [
                "/v.m3u8": "#EXTM3U\n" + audio + "#EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=1x1\nw.m3u8\n",
                "/w.m3u8": FetchFiles.media,
            ], asks: ["/w.m3u8", "/s0.ts"], tick),
        row(
            "without video the first", ["/v.m3u8": "#EXTM3U\n" + audio + audio, "/a.m3u8": FetchFiles.media],
            asks: ["/a.m3u8", "/s0.ts"], tick),
        row(
            "a variable in a variant that does not count",
            [
                "/v.m3u8": "#EXTM3U\n" + audio.replacing("a.m3u8", with: "{$x}.m3u8") + video,
                "/d/w.m3u8": FetchFiles.media,
            ], ["/d/s0.ts": NaiveOrigin(transport)], asks: ["/d/w.m3u8", "/d/s0.ts"], tick),
        row(
            "a variable in the variant that counts",
            ["/v.m3u8": "#EXTM3U\n" + audio + video.replacing("d/w.m3u8", with: "{$x}/w.m3u8")], asks: [],
            "unusable: variable"),
        row("no variant", ["/v.m3u8": "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO\n"], asks: [], "unusable: no segment"),
        row(
            "a variant that is a multivariant playlist itself",
            ["/v.m3u8": "#EXTM3U\n" + audio, "/a.m3u8": "#EXTM3U\n" + audio], asks: ["/a.m3u8"],
            "unusable: no variant"),
    ]

    @Test(arguments: masters) func master(_ row: FetchCase) { row.check() }

    /// Relative URIs are resolved against where the playlist came from.
    @Test func redirected() {
        let run = FetchRun(
            .mediaStart(video: FetchCase.url("v.m3u8")),
            reply: { request in
                switch String(decoding: request.url, as: UTF8.self) {
                case "https://o.example/v.m3u8":
                    return .init(
                        NaiveOrigin(Array(FetchFiles.media.utf8)).respond(range: nil, ifRange: nil),
                        from: Array("http://edge.example/x/y.m3u8?z".utf8))
                case "http://edge.example/x/s0.ts":
                    return .init(NaiveOrigin(Self.transport).respond(range: nil, ifRange: nil))
                default: return .init(nil)
                }
            })
        #expect(FetchCase.words(run.result) == Self.tick)
    }

    /// Whether the first segment stays the first is told by the media playlist, if need be by its end.
    @Test func tellsWhatStays() {
        let master = "#EXT-X-STREAM-INF:BANDWIDTH=2\nw.m3u8\n"
        let segments = String(repeating: "#EXTINF:6,\ns0.ts\n", count: 90)
        let rows: [(reason: String, lines: String, stays: Bool)] = [
            ("complete", segments + "#EXT-X-ENDLIST\n", true),
            ("complete, without a last line feed", segments + "#EXT-X-ENDLIST", true),
            ("on demand", "#EXT-X-PLAYLIST-TYPE:VOD\n" + segments, true),
            ("segments come at its end", "#EXT-X-PLAYLIST-TYPE:EVENT\n" + segments, true),
            ("its window slides", segments, false),
            ("a type that is none", "#EXT-X-PLAYLIST-TYPE:LIVE\n" + segments, false),
            ("longer than the limit", segments + segments + "#EXT-X-ENDLIST\n", false),
        ]
        for row in rows {
            for (path, text) in [("/v.m3u8", row.lines), ("/w.m3u8", row.lines)] {
                var origins = [
                    path: [NaiveOrigin(Array(("#EXTM3U\n" + text).utf8))], "/s0.ts": [NaiveOrigin(Self.transport)],
                ]
                if path == "/w.m3u8" { origins["/v.m3u8"] = [NaiveOrigin(Array(("#EXTM3U\n" + master).utf8))] }
                for split in FetchCase.splits {
                    let run = FetchCase.run(
                        .mediaStart(video: FetchCase.url("v.m3u8")), origins, learnsWhatStays: true, split)
                    guard case .answer(.mediaStart(let start)) = run.result else {
                        Issue.record("\(row.reason): \(FetchCase.words(run.result))")
                        continue
                    }
                    #expect(start.stays == row.stays, "\(row.reason), \(path)")
                    #expect(FetchCase.words(run.result) == Self.tick, "\(row.reason), \(path)")
                }
            }
        }
    }

    /// A file gets the same map whether the job finds it out or somebody puts it in later.
    @Test func aMapMayBePutInLater() {
        for cues in [
            "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n\n",
            "WEBVTT",
        ] {
            let origins = [
                "/a.vtt": [NaiveOrigin(Array(cues.utf8))], "/v.m3u8": [NaiveOrigin(Array(FetchFiles.media.utf8))],
                "/s0.ts": [NaiveOrigin(Self.transport)],
            ]
            let track = FetchCase.track("a.vtt")
            let once = FetchCase.run(.content(track, map: .fromVideo(FetchCase.url("v.m3u8"))), origins) { [0..<$0] }
            let own = FetchCase.run(.content(track, map: .own), origins) { [0..<$0] }
            let start = FetchCase.run(.mediaStart(video: FetchCase.url("v.m3u8")), origins) { [0..<$0] }
            guard case .answer(.text(let text)) = own.result, case .answer(.mediaStart(let found)) = start.result else {
                Issue.record("\(cues): no text, or no start")
                continue
            }
            let later = text.map == nil ? text.mapped(by: found.map) : text
            #expect(once.result == .answer(.text(later)), "\(cues)")
        }
    }

    /// No more of a playlist is read than to its first segment, and no more of a segment than to its time stamp.
    @Test func takesNoMoreThanNeeded() {
        let playlist = Array((FetchFiles.media + String(repeating: "#EXTINF:6,\ns1.ts\n", count: 90)).utf8)
        let segment = Self.transport + [UInt8](repeating: 0x47, count: 4000)
        let origins = ["/v.m3u8": [NaiveOrigin(playlist)], "/s0.ts": [NaiveOrigin(segment)]]
        let run = FetchCase.run(.mediaStart(video: FetchCase.url("v.m3u8")), origins) { Splits.even(of: $0, size: 1) }
        #expect(FetchCase.words(run.result) == Self.tick)
        #expect(run.mostTaken <= Self.transport.count)
        #expect(run.mostHeld == 0)
    }
}
