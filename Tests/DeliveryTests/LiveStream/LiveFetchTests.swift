import ByteScan
import Drivers
import M3U8
import Support
import Testing

@testable import Delivery

/// What is fetched for a channel: the video's playlist, with directives, and segments' time stamps.
struct LiveFetchTests {
    static let rows: [(String, String?, String)] = [
        ("_HLS_msn=7", "7", "https://e.example/v.m3u8?_HLS_msn=7"),
        ("_HLS_msn=7&_HLS_part=2&_HLS_skip=YES", "7", "https://e.example/v.m3u8?_HLS_msn=7&_HLS_part=2"),
        ("_HLS_part=2", nil, "https://e.example/v.m3u8?_HLS_part=2"),
        (
            "a=b&_HLS_msn=0000000000000000007&_HLS_msn=8", "0000000000000000007",
            "https://e.example/v.m3u8?_HLS_msn=0000000000000000007"
        ),
    ]

    @Test(arguments: rows)
    func rule9DirectivesGoOnAsTheyAre(_ query: String, _ segment: String?, _ url: String) throws {
        let directives = try #require(Array(query.utf8).withView { LiveDirectives(query: $0) })
        #expect(directives.segment == segment.map { Array($0.utf8) })
        #expect(String(decoding: directives.url(of: Array("https://e.example/v.m3u8".utf8)), as: UTF8.self) == url)
    }

    @Test(arguments: [
        "", "_HLS_msn", "_HLS_msn=", "_HLS_msn=-1", "_HLS_msn=7a", "_hls_msn=7", "_HLS_msn=999999999999999999999",
        "x_HLS_msn=7", "_HLS_skip=YES",
    ])
    func rule9OtherFieldsAreNone(_ query: String) {
        let directives = Array(query.utf8).withView { LiveDirectives(query: $0) }
        #expect(directives == nil)
    }

    @Test(arguments: [
        ("v.m3u8?token=x", "v.m3u8?_HLS_msn=7&_HLS_part=2&token=x"), ("v?A=1&z=2", "v?A=1&_HLS_msn=7&_HLS_part=2&z=2"),
        ("v?_HLS_msn=1&b", "v?_HLS_msn=7&_HLS_part=2&b"), ("v?", "v?_HLS_msn=7&_HLS_part=2"),
        ("v?z=2&A=1", "v?_HLS_msn=7&_HLS_part=2&z=2&A=1"),
    ])
    func rule9DirectivesStandBeforeWhatComesAfterThem(_ playlist: String, _ expected: String) {
        let url = LiveDirectives(segment: 7, part: 2).url(of: Array(playlist.utf8))
        #expect(String(decoding: url, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("v", "v"), ("v?", "v"), ("v?a=b", "v?a=b"), ("v?_HLS_msn=1&a=b&_HLS_part=2&_HLS_skip=YES&c", "v?a=b&c"),
        ("v?_HLS_msn=1", "v"), ("v?x_HLS_a=1&_hls_b=2", "v?x_HLS_a=1&_hls_b=2"), ("v?a?b&_HLS_", "v?a?b"),
    ])
    func rule9DirectivesAreRemoved(_ url: String, _ expected: String) {
        #expect(String(decoding: LiveDirectives.removed(from: Array(url.utf8)), as: UTF8.self) == expected)
    }

    static func want(_ uri: String, _ range: Range<Int>? = nil, map: String? = nil, segment: UInt64 = 7) -> LiveWant {
        LiveWant(
            segment: segment, media: LiveWant.Part(MediaPart(uri: Array(uri.utf8), range: range)),
            initialization: map.map { LiveWant.Part(MediaPart(uri: Array($0.utf8), range: nil)) })
    }

    private static func job(_ want: LiveWant) -> FetchJob {
        .segmentStart(want, playlist: FetchCase.url("d/v.m3u8"))
    }

    /// A segment behind so many packets of nothing: 349 of them are more than 64 KiB.
    private static func late(_ packets: Int) -> [UInt8] {
        let null = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        return (0..<packets).flatMap { _ in null } + FetchFiles.transport
    }

    /// Without a time stamp in its first 64 KiB a segment is asked for as a whole, unless that is all of it.
    @Test(arguments: [
        (job(want("s.ts")), NaiveOrigin(late(349)), ["/d/s.ts 0-65535", "/d/s.ts"], "tick 126000 at 0"),
        (job(want("s.ts")), NaiveOrigin(late(300)), ["/d/s.ts 0-65535"], "tick 126000 at 0"),
        (
            job(want("s.ts")), NaiveOrigin([UInt8](late(349)[..<65_536])), ["/d/s.ts 0-65535"],
            "unusable: no time stamp of audio or video; give a whole segment, of packed audio with its ID3 tag"
        ),
        (job(want("s.ts")), NaiveOrigin(late(349), .whole), ["/d/s.ts 0-65535"], "tick 126000 at 0"),
        (
            job(want("s.ts", 0..<65_536)), NaiveOrigin(late(349)), ["/d/s.ts 0-65535"],
            "unusable: no time stamp of audio or video; give a whole segment, of packed audio with its ID3 tag"
        ),
    ])
    func theFirstBytesMayNotTell(_ job: FetchJob, _ origin: NaiveOrigin, _ asked: [String], _ result: String) {
        let limits = FetchLimits(segment: 1 << 20)
        for split in [{ [0..<$0] }, { Splits.even(of: $0, size: 1000) }] as [(Int) -> [Range<Int>]] {
            let run = FetchCase.run(job, ["/d/s.ts": [origin]], limits, split)
            #expect(run.requests.map(FetchCase.words) == asked && FetchCase.words(run.result) == result)
            #expect(run.requests.allSatisfy { $0.purpose == .segment })
        }
    }

    @Test func aPlaylistIsFetchedWhole() {
        let text = Array(FetchFiles.media.utf8)
        let run = FetchCase.run(.livePlaylist(FetchCase.url("d/v.m3u8?x")), ["/d/v.m3u8?x": [NaiveOrigin(text)]]) {
            [0..<$0]
        }
        #expect(run.requests.map(FetchCase.words) == ["/d/v.m3u8?x"])
        #expect(run.requests.map(\.purpose) == [.videoPlaylist])
        #expect(FetchCase.words(run.result) == "\(text.count) bytes from /d/v.m3u8?x")
    }

    /// Whoever decrypts nothing cannot use it.
    @Test func anEncryptedPartSaysSo() {
        let key = MediaKey(uri: Array("k".utf8), vector: [UInt8](repeating: 0, count: 16))
        for (encryption, isEncrypted) in [(MediaEncryption.none, false), (.aes128(key), true), (.other, true)] {
            let part = LiveWant.Part(MediaPart(uri: [], range: nil, encryption: encryption))
            #expect(part.isEncrypted == isEncrypted)
        }
    }

    static let jobs: [FetchCase] = {
        let transport = NaiveOrigin(FetchFiles.transport)
        let packed = [UInt8](repeating: 9, count: 100) + FetchFiles.transport + [9]
        let range = 100..<(100 + FetchFiles.transport.count)
        return [
            FetchCase(
                "a segment", job(want("s0.ts")), ["/d/s0.ts": [transport]], asks: ["/d/s0.ts 0-65535"],
                "tick 126000 at 0"),
            FetchCase(
                "a byte range", job(want("../all.ts#y", range)), ["/all.ts": [NaiveOrigin(packed)]],
                asks: ["/all.ts 100-\(range.upperBound - 1)"], "tick 126000 at 0"),
            FetchCase(
                "an initialization section", job(want("/s.m4s", map: "/i.mp4")),
                ["/i.mp4": [NaiveOrigin(FetchFiles.initialization)], "/s.m4s": [NaiveOrigin(FetchFiles.fragment)]],
                asks: ["/i.mp4", "/s.m4s 0-65535"], "tick 900000 at 0"),
            FetchCase(
                "a segment that is gone", job(want("gone.ts")), [:], asks: ["/d/gone.ts 0-65535"], "missing: status 404"
            ),
            FetchCase(
                "no time stamp", job(want("a.vtt")), ["/d/a.vtt": [NaiveOrigin(Array("WEBVTT\n".utf8))]],
                asks: ["/d/a.vtt 0-65535"],
                "unusable: no media segment; give MPEG-TS, fragmented MP4 or packed audio"),
        ]
    }()

    @Test(arguments: jobs) func timeStampsOfSegments(_ row: FetchCase) { row.check() }
}
