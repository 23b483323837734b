import Delivery
import Support
import Testing
import WebVTT

/// Tracks brought whole, and whether they are there.
@Suite struct TextFetchTests {
    private static let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n"
    private static let mapped =
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n00:01.000 --> 00:02.000\na\n"
    private static let given = TimestampMap(mpegTS: 5)
    private static let withGiven = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n\n00:01.000 --> 00:02.000\na\n"

    private static func row(
        _ reason: String, _ text: String, _ map: FetchMap, asks asked: [String] = ["/a.vtt"], _ result: String,
        _ others: [String: [NaiveOrigin]] = [:]
    ) -> FetchCase {
        let origins = others.merging(["/a.vtt": [NaiveOrigin(Array(text.utf8))]]) { $1 }
        return FetchCase(reason, .content(FetchCase.track("a.vtt"), map: map), origins, asks: asked, result)
    }

    private static let video: [String: [NaiveOrigin]] = [
        "/v.m3u8": [NaiveOrigin(Array(FetchFiles.media.utf8))], "/s0.ts": [NaiveOrigin(FetchFiles.transport)],
    ]
    /// The segment with noise around it.
    private static let packed = [UInt8](repeating: 9, count: 100) + FetchFiles.transport + [9, 9]
    private static let range = "100-\(99 + FetchFiles.transport.count)"
    private static let inParts: [String: [NaiveOrigin]] = [
        "/v.m3u8": [
            NaiveOrigin(
                Array("#EXTM3U\n#EXTINF:6,\n#EXT-X-BYTERANGE:\(FetchFiles.transport.count)@100\nall.ts\n".utf8))
        ], "/all.ts": [NaiveOrigin(packed)],
    ]
    private static let fromVideo = FetchMap.fromVideo(FetchCase.url("v.m3u8"))

    private static func key(_ reason: String, _ count: Int, _ habit: NaiveOrigin.Habit, _ result: String) -> FetchCase {
        let origin = NaiveOrigin([UInt8](repeating: 0, count: count), habit)
        return FetchCase(reason, .key(FetchCase.url("k")), ["/k": [origin]], asks: ["/k"], result)
    }

    /// Any bytes are a key, up to 64 KiB.
    private static let keys: [FetchCase] = [
        key("of AES-128", 16, .honest, "key of 16 bytes"), key("of none", 0, .honest, "key of 0 bytes"),
        key("without a length", 16, .endless, "key of 16 bytes"),
        key("as long as may be", 65_536, .honest, "key of 65536 bytes"),
        key("too long, as is said", 65_537, .honest, "limit: more than the limit of 65536 bytes; raise it"),
        key("too long, as is seen", 65_537, .endless, "limit: more than the limit of 65536 bytes; raise it"),
        key("broken off", 16, .brokenOff, "network: network"), key("missing", 16, .missing, "missing: status 404"),
        key("busy", 16, .busy, "refused: status 503"),
    ]

    @Test(arguments: keys) func key(_ row: FetchCase) { row.check() }

    private static let maps: [FetchCase] = [
        row("as it is", vtt, .own, vtt),
        row("its own map stays", mapped, .own, mapped),
        row("a map in place of none", vtt, .always(given), withGiven),
        row("a map in place of its own", mapped, .always(given), withGiven),
        row("a map because it has none", vtt, .ifNone(given), withGiven),
        row("none because it has one", mapped, .ifNone(given), mapped),
        row("its own counts, and no video is asked for", mapped, fromVideo, mapped, video),
        row(
            "the video's", vtt, fromVideo, asks: ["/a.vtt", "/v.m3u8", "/s0.ts"],
            vtt.replacing("WEBVTT\n", with: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n"), video),
        row(
            "the video's, whose segment is a part of a file", vtt, fromVideo,
            asks: ["/a.vtt", "/v.m3u8", "/all.ts \(range)"],
            vtt.replacing("WEBVTT\n", with: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n"), inParts),
        row(
            "the same, and the whole file must do", vtt, fromVideo,
            asks: ["/a.vtt", "/v.m3u8", "/all.ts \(range)", "/all.ts"],
            vtt.replacing("WEBVTT\n", with: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n"),
            inParts.merging(["/all.ts": [NaiveOrigin(packed, .notSatisfiable)]]) { $1 }),
        row(
            "the video is not there: no map, and why", vtt, fromVideo, asks: ["/a.vtt", "/v.m3u8"],
            vtt + " without map, status 404 of /v.m3u8"),
        row(
            "an arrow ends the header: what follows is no map",
            "WEBVTT\n00:01.000 --> 00:02.000\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:7\n", .ifNone(given),
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n00:01.000 --> 00:02.000\n"
                + "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:7\n"),
        row("no WebVTT", "hello, world", .own, "unusable: no subtitles"),
        row("less than a signature", "WEBV", .own, "unusable: no subtitles"),
        row("nothing but a signature", "WEBVTT", .own, "WEBVTT"),
    ]

    @Test(arguments: maps) func map(_ row: FetchCase) { row.check() }

    private static let subRip = FetchCase.track("a.srt", .subRip)
    private static let bytes = Array(vtt.utf8)

    private static let others: [FetchCase] = [
        FetchCase(
            "SubRip becomes WebVTT", .content(subRip, map: .own), ["/a.srt": [NaiveOrigin(FetchFiles.subRip)]],
            asks: ["/a.srt"], "converted " + FetchFiles.converted),
        FetchCase(
            "and gets a map", .content(subRip, map: .ifNone(given)), ["/a.srt": [NaiveOrigin(FetchFiles.subRip)]],
            asks: ["/a.srt"],
            "converted "
                + FetchFiles.converted.replacing(
                    "WEBVTT\n", with: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n")),
        FetchCase(
            "encoded", .content(FetchCase.track("a.vtt"), map: .own),
            ["/a.vtt": [NaiveOrigin(bytes, .gzip)]], asks: ["/a.vtt"],
            "unusable: encoded (gzip) although identity was asked for; look into the origin"),
        FetchCase(
            "breaks off", .content(FetchCase.track("a.vtt"), map: .own),
            ["/a.vtt": [NaiveOrigin(bytes, .brokenOff)]], asks: ["/a.vtt"], "network: network"),
        FetchCase(
            "too short", .content(FetchCase.track("a.vtt"), map: .own),
            ["/a.vtt": [NaiveOrigin(bytes, .shorterBody)]], asks: ["/a.vtt"], "unusable: wrong length"),
        FetchCase(
            "too long", .content(FetchCase.track("a.vtt"), map: .own),
            ["/a.vtt": [NaiveOrigin(FetchFiles.vtt(200), .endless)]], asks: ["/a.vtt"],
            "limit: more than the limit of 4096 bytes; raise it"),
        FetchCase(
            "too long once converted", .content(subRip, map: .own),
            ["/a.srt": [NaiveOrigin(FetchFiles.subRip + [UInt8](repeating: UInt8(ascii: "<"), count: 3000))]],
            asks: ["/a.srt"], "limit: more than the limit of 4096 bytes; raise it"),
        FetchCase(
            "nothing", .content(FetchCase.track("a.vtt"), map: .own), ["/a.vtt": [NaiveOrigin([])]],
            asks: ["/a.vtt"], "unusable: no subtitles"),
        FetchCase(
            "less than a mark of its encoding", .content(FetchCase.track("a.vtt"), map: .own),
            ["/a.vtt": [NaiveOrigin(Array("WEB".utf8))]], asks: ["/a.vtt"],
            "unusable: no subtitles"),
        FetchCase(
            "line endings alone", .content(subRip, map: .own), ["/a.srt": [NaiveOrigin(Array("\n\r\n".utf8))]],
            asks: ["/a.srt"], "unusable: no subtitles"),
        FetchCase(
            "a playlist, whole", .content(FetchCase.track("d/a.m3u8", .playlist), map: .own),
            ["/d/a.m3u8": [NaiveOrigin(Array(FetchFiles.media.utf8))]], asks: ["/d/a.m3u8"],
            "\(FetchFiles.media.utf8.count) bytes from /d/a.m3u8"),
        FetchCase(
            "a playlist that is none", .content(FetchCase.track("a.m3u8", .playlist), map: .own),
            ["/a.m3u8": [NaiveOrigin(bytes)]], asks: ["/a.m3u8"], "unusable: no playlist"),
        FetchCase(
            "a playlist that is too long, as is seen", .content(FetchCase.track("a.m3u8", .playlist), map: .own),
            ["/a.m3u8": [NaiveOrigin(longPlaylist, .endless)]], asks: ["/a.m3u8"],
            "limit: more than the limit of 2048 bytes; raise it"),
        FetchCase(
            "a playlist that is too long, as is said", .content(FetchCase.track("a.m3u8", .playlist), map: .own),
            ["/a.m3u8": [NaiveOrigin(longPlaylist)]], asks: ["/a.m3u8"],
            "limit: more than the limit of 2048 bytes; raise it"),
        FetchCase(
            "an MP4 of any length", .content(FetchCase.track("a.m3u8", .playlist), map: .own),
            ["/a.m3u8": [NaiveOrigin(movie + [UInt8](repeating: 0, count: 5000))]], asks: ["/a.m3u8"],
            "unusable: \(FetchError.Reason.movie)"),
        FetchCase(
            "an MP4 without a length", .content(FetchCase.track("a.m3u8", .playlist), map: .own),
            ["/a.m3u8": [NaiveOrigin(movie + [UInt8](repeating: 0, count: 5000), .endless)]], asks: ["/a.m3u8"],
            "unusable: \(FetchError.Reason.movie)"),
        FetchCase(
            "a page of any length", .content(FetchCase.track("a.m3u8", .playlist), map: .own),
            ["/a.m3u8": [NaiveOrigin(Array("<html>".utf8) + [UInt8](repeating: 32, count: 5000))]], asks: ["/a.m3u8"],
            "unusable: no playlist"),
    ]
    private static let longPlaylist = Array("#EXTM3U\n".utf8) + [UInt8](repeating: UInt8(ascii: "#"), count: 3000)
    private static let movie = [0, 0, 0, 24] + Array("ftypisom".utf8)

    @Test(arguments: others) func other(_ row: FetchCase) { row.check() }

    private static func presence(
        _ reason: String, _ track: FetchTrack, _ origin: NaiveOrigin, asks asked: [String], _ result: String
    ) -> FetchCase {
        FetchCase(reason, .presence(track), [FetchCase.path(of: track.url): [origin]], asks: asked, result)
    }

    private static let vttTrack = FetchCase.track("a.vtt")
    private static let presences: [FetchCase] = [
        presence("there, by its first bytes", vttTrack, NaiveOrigin(bytes), asks: ["/a.vtt 0-15"], "present"),
        presence("there, sent whole", vttTrack, NaiveOrigin(bytes, .whole), asks: ["/a.vtt 0-15"], "present"),
        presence(
            "there, and no range of it", vttTrack, NaiveOrigin(bytes, .notSatisfiable),
            asks: ["/a.vtt 0-15", "/a.vtt"], "present"),
        presence(
            "there, and the part too long", vttTrack, NaiveOrigin(bytes, .longerBody),
            asks: ["/a.vtt 0-15", "/a.vtt"], "present"),
        presence(
            "there, and shorter than asked for", vttTrack, NaiveOrigin(Array("WEBVTT".utf8)), asks: ["/a.vtt 0-15"],
            "present"),
        presence(
            "not what it should be", vttTrack, NaiveOrigin(Array("<!DOCTYPE html>\n".utf8)), asks: ["/a.vtt 0-15"],
            "unusable: no subtitles"),
        presence("SubRip", subRip, NaiveOrigin(FetchFiles.subRip), asks: ["/a.srt 0-15"], "present"),
        presence("empty", subRip, NaiveOrigin([]), asks: ["/a.srt 0-15", "/a.srt"], "unusable: no subtitles"),
        presence(
            "a playlist", FetchCase.track("a.m3u8", .playlist), NaiveOrigin(Array(FetchFiles.media.utf8)),
            asks: ["/a.m3u8 0-15"], "present"),
        presence(
            "no playlist", FetchCase.track("a.m3u8", .playlist), NaiveOrigin(bytes), asks: ["/a.m3u8 0-15"],
            "unusable: no playlist"),
        presence("missing", vttTrack, NaiveOrigin([], .missing), asks: ["/a.vtt 0-15"], "missing: status 404"),
        presence("nobody answers", vttTrack, NaiveOrigin([], .silent), asks: ["/a.vtt 0-15"], "network: network"),
    ]

    @Test(arguments: presences) func presence(_ row: FetchCase) { row.check() }
}
