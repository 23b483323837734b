import Delivery
import Drivers
import M3U8
import Support
import Testing

/// The first time stamp of a video whose segments are encrypted.
@Suite struct EncryptedVideoTests {
    private static let key = hex("2b7e151628aed2a6abf7158809cf4f3c")
    private static let vector = hex("000102030405060708090a0b0c0d0e0f")
    private static let aes = NaiveAES(key: key)
    private static let tick = "tick 126000 at 0"

    private static func hex(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
    }

    /// The number of a segment, as a vector.
    private static func number(_ value: UInt8, _ higher: UInt8 = 0) -> [UInt8] {
        [UInt8](repeating: 0, count: 14) + [higher, value]
    }

    private static func row(
        _ reason: String, _ lines: String, _ media: [String: NaiveOrigin] = [:], asks asked: [String], _ result: String,
        _ decrypt: (@Sendable (Decryption) -> [UInt8]?)? = {
            NaiveAES(key: $0.key).decrypted($0.bytes, vector: $0.vector)
        }
    ) -> FetchCase {
        var origins: [String: [NaiveOrigin]] = [
            "/v.m3u8": [NaiveOrigin(Array(("#EXTM3U\n" + lines).utf8))], "/k": [NaiveOrigin(key)],
            "/s0.ts": [NaiveOrigin(aes.sealed(FetchFiles.transport, vector: vector))],
        ]
        for (path, origin) in media { origins[path] = [origin] }
        var row = FetchCase(
            reason, .mediaStart(video: FetchCase.url("v.m3u8")), origins, asks: ["/v.m3u8"] + asked, result)
        row.decrypt = decrypt
        row.limits = limits
        return row
    }

    private static let iv = "IV=0x000102030405060708090A0b0c0d0e0f"
    private static let line = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",\(iv)\n"
    private static let segment = "#EXTINF:6,\ns0.ts\n"
    private static let limits = FetchLimits(
        tail: 64, block: 3075, file: 4096, playlist: 2048, segment: 8192, requests: 10)
    /// Blocks are of 3072 bytes here, by the limits.
    private static let first = "/s0.ts 0-3071"

    private static func sealed(_ vector: [UInt8]) -> [String: NaiveOrigin] {
        ["/s0.ts": NaiveOrigin(aes.sealed(FetchFiles.transport, vector: vector))]
    }

    /// The segment behind so many packets without a time stamp.
    private static func late(_ count: Int) -> [UInt8] {
        let null = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        return (0..<count).flatMap { _ in null } + FetchFiles.transport
    }

    private static let movie = FetchFiles.initialization

    /// The boxes, and one that is free behind them, which are `count` bytes together.
    private static func filled(_ boxes: [UInt8], to count: Int) -> [UInt8] {
        let rest = count - boxes.count
        return boxes + [0, 0, UInt8(rest >> 8), UInt8(rest & 0xFF)] + Array("free".utf8)
            + [UInt8](repeating: 0, count: rest - 8)
    }

    private static func filledRow(_ reason: String, _ count: Int, _ parts: [String]) -> FetchCase {
        row(
            reason, line + "#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\nf.m4s\n",
            [
                "/i.mp4": NaiveOrigin(aes.sealed(filled(movie, to: count), vector: vector)),
                "/f.m4s": NaiveOrigin(aes.sealed(FetchFiles.fragment, vector: vector)),
            ], asks: ["/k"] + parts + ["/f.m4s 0-3071"], "tick 900000 at 0")
    }

    private static let foreign = "#EXT-X-KEY:METHOD=AES-128,URI=\"skd://x\",KEYFORMAT=\"com.example\"\n"

    private static let rows: [FetchCase] = [
        row("an IV that is given", line + segment, asks: ["/k", first], tick),
        row("KEYFORMAT identity", line.dropLast() + ",KEYFORMAT=\"identity\"\n" + segment, asks: ["/k", first], tick),
        row(
            "the segment's number", "#EXT-X-MEDIA-SEQUENCE:300\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n" + segment,
            sealed(number(44, 1)), asks: ["/k", first], tick),
        row(
            "the number of a segment behind a gap",
            "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-GAP\n#EXTINF:6,\ng.ts\n" + segment,
            sealed(number(8)), asks: ["/k", first], "tick 126000 at 6000"),
        row(
            "a short IV", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x12c\n" + segment, sealed(number(44, 1)),
            asks: ["/k", first], tick),
        row(
            "the key of a line before",
            line + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"c\"\n" + segment,
            asks: ["/k", first], tick),
        row("a key system too", line + foreign + segment, asks: ["/k", first], tick),
        row(
            "a time stamp behind a block", line + segment,
            ["/s0.ts": NaiveOrigin(aes.sealed(late(15), vector: vector))],
            asks: ["/k", first, "/s0.ts 3072-5455"], tick),
        row(
            "the same of an origin without ranges", line + segment,
            ["/s0.ts": NaiveOrigin(aes.sealed(late(15), vector: vector), .whole)],
            asks: ["/k", first, "/s0.ts 3072-6143"], tick),
        row(
            "a byte range",
            line
                + "#EXTINF:6,\n#EXT-X-BYTERANGE:\(aes.sealed(FetchFiles.transport, vector: vector).count)@100\nall.ts\n",
            [
                "/all.ts": NaiveOrigin(
                    [UInt8](repeating: 9, count: 100) + aes.sealed(FetchFiles.transport, vector: vector) + key)
            ],
            asks: ["/k", "/all.ts 100-\(99 + aes.sealed(FetchFiles.transport, vector: vector).count)"], tick),
        row(
            "an init segment and a segment, one key",
            line + "#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\nf.m4s\n",
            [
                "/i.mp4": NaiveOrigin(aes.sealed(movie, vector: vector)),
                "/f.m4s": NaiveOrigin(aes.sealed(FetchFiles.fragment, vector: vector)),
            ], asks: ["/k", "/i.mp4 0-3071", "/f.m4s 0-3071"], "tick 900000 at 0"),
        filledRow("an init segment of whole blocks, so that a block of padding is behind it", 3056, ["/i.mp4 0-3071"]),
        filledRow("the same in two parts", 3200, ["/i.mp4 0-3071", "/i.mp4 3072-3215"]),
        row(
            "an init segment in the clear", "#EXT-X-MAP:URI=\"i.mp4\"\n" + line + "#EXTINF:6,\nf.m4s\n",
            ["/i.mp4": NaiveOrigin(movie), "/f.m4s": NaiveOrigin(aes.sealed(FetchFiles.fragment, vector: vector))],
            asks: ["/i.mp4", "/k", "/f.m4s 0-3071"], "tick 900000 at 0"),
        row(
            "samples alone", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n" + segment,
            ["/s0.ts": NaiveOrigin(FetchFiles.transport)], asks: ["/s0.ts"], tick),
    ]

    private static let failures: [FetchCase] = [
        row(
            "nobody decrypts", line + segment, asks: [], "unusable: the segment is encrypted; give it decrypted", nil),
        row(
            "decrypting fails", line + segment, asks: ["/k", first],
            "unusable: it cannot be decrypted with the key that came; give another key, or the map", { _ in nil }),
        row(
            "another number of bytes comes back", line + segment, asks: ["/k", first],
            "unusable: it cannot be decrypted with the key that came; give another key, or the map", { _ in [0] }),
        row(
            "another key", line + segment, ["/k": NaiveOrigin([UInt8](repeating: 1, count: 16))], asks: ["/k", first],
            "unusable: it cannot be decrypted with the key that came; give another key, or the map"),
        row(
            "a key of 17 bytes", line + segment, ["/k": NaiveOrigin(key + [0])], asks: ["/k"],
            "unusable: it cannot be decrypted with the key that came; give another key, or the map"),
        row("no key", line + segment, ["/k": NaiveOrigin([], .missing)], asks: ["/k"], "missing: status 404"),
        row(
            "a segment of no whole blocks", line + segment,
            ["/s0.ts": NaiveOrigin(Array(FetchFiles.transport[..<100]))],
            asks: ["/k", first], "unusable: it cannot be decrypted with the key that came; give another key, or the map"
        ),
        row(
            "a segment that is no media, nor noise", line + segment,
            ["/s0.ts": NaiveOrigin(aes.sealed(late(60), vector: vector))],
            asks: ["/k", first, "/s0.ts 3072-6143", "/s0.ts 6144-9215"],
            "unusable: no time stamp of audio or video within the limit of bytes; raise it"),
        row(
            "a key system", foreign + segment, asks: [],
            "unusable: encrypted by a method or a key system that is not read here; give the map"),
        row(
            "another method", "#EXT-X-KEY:METHOD=AES-256,URI=\"k\"\n" + segment, asks: [],
            "unusable: encrypted by a method or a key system that is not read here; give the map"),
        row(
            "a key whose URI is a variable", "#EXT-X-KEY:METHOD=AES-128,URI=\"{$k}\"\n" + segment, asks: [],
            "unusable: variable"),
        row("no URI", "#EXT-X-KEY:METHOD=AES-128\n" + segment, asks: [], "unusable: malformed playlist"),
        row(
            "an IV that is none", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12\n" + segment, asks: [],
            "unusable: malformed playlist"),
        row(
            "an init segment has no number",
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-MAP:URI=\"i.mp4\"\n" + segment,
            asks: [], "unusable: malformed playlist"),
        row(
            "a key that is not at an origin", "#EXT-X-KEY:METHOD=AES-128,URI=\"data:,0123456789abcdef\"\n" + segment,
            asks: [], "unusable: not HTTP"),
    ]

    @Test(arguments: rows) func tellsItsTime(_ row: FetchCase) { row.check() }

    @Test(arguments: failures) func saysWhyNot(_ row: FetchCase) { row.check() }

    /// A file comes with the map, and without one if the video cannot be decrypted.
    @Test func aFileComesWithTheMap() {
        let origins: [String: [NaiveOrigin]] = [
            "/v.m3u8": [NaiveOrigin(Array(("#EXTM3U\n" + Self.line + Self.segment).utf8))],
            "/k": [NaiveOrigin(Self.key)],
            "/s0.ts": [NaiveOrigin(Self.aes.sealed(FetchFiles.transport, vector: Self.vector))],
            "/a.vtt": [NaiveOrigin(Array("WEBVTT\n\n00:01.000 --> 00:02.000\na\n".utf8))],
        ]
        let job = FetchJob.content(FetchCase.track("a.vtt"), map: .fromVideo(FetchCase.url("v.m3u8")))
        let found = FetchCase.run(
            job, origins, Self.limits, decrypt: { NaiveAES(key: $0.key).decrypted($0.bytes, vector: $0.vector) },
            { [0..<$0] })
        #expect(
            FetchCase.words(found.result)
                == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\n00:01.000 --> 00:02.000\na\n")
        let not = FetchCase.run(job, origins, Self.limits, decrypt: { _ in nil }, { [0..<$0] })
        #expect(FetchCase.words(not.result).hasSuffix("give another key, or the map of /s0.ts"))
    }

    /// The first block has 64 KiB, those behind it as many as the limit, in whole blocks of AES.
    @Test(arguments: [(262_144, 65_536, 75_199), (65_551, 65_536, 75_199), (40_000, 40_000, 75_199), (9, 16, 31)])
    func howLongBlocksAre(_ block: Int, _ first: Int, _ last: Int) {
        let sealed = Self.aes.sealed([UInt8](Self.late(400)[..<75_199]), vector: Self.vector)
        let origins: [String: [NaiveOrigin]] = [
            "/v.m3u8": [NaiveOrigin(Array(("#EXTM3U\n" + Self.line + Self.segment).utf8))],
            "/k": [NaiveOrigin(Self.key)],
            "/s0.ts": [NaiveOrigin(sealed)],
        ]
        let run = FetchCase.run(
            .mediaStart(video: FetchCase.url("v.m3u8")), origins, FetchLimits(block: block, requests: 4),
            decrypt: { NaiveAES(key: $0.key).decrypted($0.bytes, vector: $0.vector) }, { [0..<$0] })
        let asked = run.requests.map(FetchCase.words).suffix(2)
        #expect(sealed.count == 75_200 && asked == ["/s0.ts 0-\(first - 1)", "/s0.ts \(first)-\(last)"])
    }

    /// No more is held than a block, beside the file.
    @Test func aBlockIsAllThatIsHeld() {
        let row = Self.rows[7]
        let run = FetchCase.run(
            row.job, row.origins, row.limits, decrypt: row.decrypt, { Splits.even(of: $0, size: 100) })
        #expect(run.mostHeld == 3072)
    }

    /// What is asked for by a router's request for the key of a segment may come from where segments come from.
    @Test func theKeyOfASegmentIsNoKeyForAPlayer() {
        let run = FetchCase.run(
            Self.rows[0].job, Self.rows[0].origins, Self.limits, decrypt: Self.rows[0].decrypt, { [0..<$0] })
        #expect(run.requests.map(\.purpose) == [.videoPlaylist, .segmentKey, .segment])
    }
}
