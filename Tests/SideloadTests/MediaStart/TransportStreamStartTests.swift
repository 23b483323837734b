import Sideload
import Support
import Testing

/// The first time stamp of MPEG-TS (ISO 13818-1 2.4).
@Suite struct TransportStreamStartTests {
    static let video = TransportStreamBytes.Stream(type: 0x1B, pid: 0x100)
    static let audio = TransportStreamBytes.Stream(type: 0x0F, pid: 0x101)
    private static let end: UInt64 = 1 << 33

    static func stream(isBDAV: Bool = false, _ write: (inout TransportStreamBytes) -> Void) -> [UInt8] {
        var stream = TransportStreamBytes(isBDAV: isBDAV)
        write(&stream)
        return stream.bytes
    }

    /// Pictures of a stream, each with its time stamps.
    static func pictures(_ times: [(pts: UInt64, dts: UInt64?)], _ stream: inout TransportStreamBytes) {
        for (pts, dts) in times { stream.pes(pid: 0x100, streamID: 0xE0, pts: pts, dts: dts) }
    }

    static func sound(_ times: [UInt64], _ stream: inout TransportStreamBytes) {
        for pts in times { stream.pes(pid: 0x101, streamID: 0xC0, pts: pts) }
    }

    private static let times: [MediaStartCase] = [
        .init(
            "audio begins before video",
            stream { ts in
                ts.tables([video, audio])
                pictures([(128_090, 126_000), (135_650, 129_680)], &ts)
                sound([126_000, 127_920], &ts)
            }, .found(126_000)),
        .init(
            "video begins before audio",
            stream { ts in
                ts.tables([video, audio])
                pictures([(90_000, nil)], &ts)
                sound([180_000], &ts)
            }, .found(90_000)),
        .init(
            "B pictures after the first one of an open GOP are shown before it",
            stream { ts in
                ts.tables([video])
                pictures([(10_800, 0), (3_600, 3_600), (7_200, 7_200), (0, 0)], &ts)
            }, .found(3_600)),
        .init(
            "a stream is settled once a picture is decoded at the lowest time stamp",
            stream { ts in
                ts.tables([video])
                pictures([(10_800, 0), (7_200, 3_600), (18_000, 7_200), (3_600, 3_600)], &ts)
            }, .found(7_200)),
        .init(
            "the streams settle each on its own",
            stream { ts in
                ts.tables([video, audio])
                pictures([(10_800, 0), (7_200, 3_600)], &ts)
                sound([9_000, 8_000], &ts)
                pictures([(5_000, 4_500), (20_000, 5_000), (0, 0)], &ts)
            }, .found(5_000)),
        .init(
            "a clock that wraps between video and audio",
            stream { ts in
                ts.tables([video, audio])
                pictures([(500, nil)], &ts)
                sound([end - 1_000], &ts)
            }, .found(end - 1_000)),
        .init(
            "a clock that wraps between audio and video",
            stream { ts in
                ts.tables([audio, video])
                pictures([(end - 1_000, nil)], &ts)
                sound([500], &ts)
            }, .found(end - 1_000)),
        .init(
            "a clock that wraps between the pictures",
            stream { ts in
                ts.tables([video])
                pictures([(7_200, end - 3_600), (end - 100, end - 100)], &ts)
            }, .found(end - 100)),
        .init(
            "the largest time stamp",
            stream { ts in
                ts.tables([video])
                pictures([(end - 1, nil)], &ts)
            }, .found(end - 1)),
        .init(
            "each bit of a time stamp has its place",
            stream { ts in
                ts.tables([video])
                pictures([(0x1_5555_5555, 0x1_5555_5555)], &ts)
            }, .found(0x1_5555_5555)),
        .init(
            "an audio stream that never comes does not hide the video",
            stream { ts in
                ts.tables([video, audio])
                pictures([(10_800, 0), (3_600, 3_600)], &ts)
            }, .found(3_600)),
        .init(
            "a PES packet without a time stamp says nothing",
            stream { ts in
                ts.tables([video])
                ts.pes(pid: 0x100, streamID: 0xE0, pts: nil)
                pictures([(3_600, nil)], &ts)
            }, .found(3_600)),
    ]

    @Test(arguments: times) func lowest(_ row: MediaStartCase) { row.check() }

    private static let refusals: [MediaStartCase] = [
        .init("nothing but tables", stream { ts in ts.tables([video]) }, .unsupported(.noTimestamp)),
        .init(
            "a program with neither pictures nor sound",
            stream { ts in
                ts.tables([.init(type: 0x15, pid: 0x102)])
                ts.pes(pid: 0x102, streamID: 0xBD, pts: 10)
            }, .unsupported(.noTimestamp)),
        .init(
            "all streams are scrambled",
            stream { ts in
                ts.tables([video])
                ts.pes(pid: 0x100, streamID: 0xE0, pts: 10, .isScrambled)
            }, .unsupported(.encrypted)),
        .init(
            "more streams than the limit", stream { ts in ts.tables([video, audio]) }, .unsupported(.tooManyStreams),
            limits: .init(streams: 1)),
        .init(
            "more streams than the limit, without tables",
            stream { ts in
                pictures([(9_000, 7_000)], &ts)
                sound([8_000], &ts)
            }, .unsupported(.tooManyStreams), limits: .init(streams: 1)),
        .init(
            "as many streams as the limit",
            stream { ts in
                ts.tables([video, audio])
                sound([8_000], &ts)
            }, .found(8_000), limits: .init(streams: 2)),
    ]

    @Test(arguments: refusals) func refusal(_ row: MediaStartCase) { row.check() }

    /// The lowest so far counts at the limit; without one there is none.
    @Test func byteLimit() {
        let segment = Self.stream { ts in
            ts.tables([Self.video])
            Self.pictures([(10_800, 0), (3_600, 3_600)], &ts)
        }
        #expect(segment.count == 4 * 188)
        for (limit, answer) in [
            (188, .unsupported(.tooLong)), (3 * 188 - 1, .unsupported(.tooLong)),
            (3 * 188, .found(10_800)), (4 * 188 - 1, .found(10_800)), (4 * 188, .found(3_600)),
            (5 * 188, .found(3_600)),
        ] as [(Int, MediaStartScanner.Answer)] {
            MediaStartCase("limit \(limit)", segment, answer, limits: .init(bytes: limit)).check()
        }
    }

    /// The answer comes with the packet that settles the last stream, and stays.
    @Test func earliness() {
        let segment = Self.stream { ts in
            for _ in 0..<12 { ts.tables([Self.video, Self.audio]) }
            Self.pictures([(10_800, 0), (3_600, 3_600)], &ts)
            Self.sound([9_000], &ts)
            Self.sound([1_000], &ts)
        }
        var scanner = MediaStartScanner()
        for start in stride(from: 0, to: segment.count, by: 188) {
            let answer = segment[start..<(start + 188)].withUnsafeBytes { scanner.write($0) }
            #expect(answer == (start < 26 * 188 ? .needsMoreBytes : .found(3_600)), "packet \(start / 188)")
        }
        #expect(scanner.finish() == .found(3_600))
        scanner.reset()
        #expect(scanner.finish() == .unsupported(.notMedia))
    }
}
