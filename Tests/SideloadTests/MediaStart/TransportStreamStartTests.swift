import Sideload
import Support
import Testing

/// The first time stamp of MPEG-TS (ISO 13818-1 2.4).
@Suite struct TransportStreamStartTests {
    private static let video = TransportStreamBytes.Stream(type: 0x1B, pid: 0x100)
    private static let audio = TransportStreamBytes.Stream(type: 0x0F, pid: 0x101)
    private static let end: UInt64 = 1 << 33

    private static func stream(isBDAV: Bool = false, _ write: (inout TransportStreamBytes) -> Void) -> [UInt8] {
        var stream = TransportStreamBytes(isBDAV: isBDAV)
        write(&stream)
        return stream.bytes
    }

    /// Pictures of a stream, each with its time stamps.
    private static func pictures(_ times: [(pts: UInt64, dts: UInt64?)], _ stream: inout TransportStreamBytes) {
        for (pts, dts) in times { stream.pes(pid: 0x100, streamID: 0xE0, pts: pts, dts: dts) }
    }

    private static func sound(_ times: [UInt64], _ stream: inout TransportStreamBytes) {
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

    private static func typed(_ type: UInt8, _ descriptors: [UInt8] = [], counts: Bool) -> MediaStartCase {
        let segment = stream { ts in
            ts.tables([.init(type: type, pid: 0x102, descriptors: descriptors), video])
            ts.pes(pid: 0x102, streamID: 0xBD, pts: 10)
            pictures([(90_000, nil)], &ts)
        }
        return .init("type \(type), descriptors \(descriptors)", segment, .found(counts ? 10 : 90_000))
    }

    private static let types: [MediaStartCase] = [
        typed(0x01, counts: true), typed(0x02, counts: true), typed(0x03, counts: true), typed(0x0F, counts: true),
        typed(0x11, counts: true), typed(0x24, counts: true), typed(0x33, counts: true), typed(0x81, counts: true),
        typed(0x87, counts: true),
        // SAMPLE-AES: H.264, AAC, AC-3, E-AC-3.
        typed(0xDB, counts: true), typed(0xCF, counts: true), typed(0xC1, counts: true), typed(0xC2, counts: true),
        // Timed metadata, sections, SCTE 35, DSM-CC.
        typed(0x15, counts: false), typed(0x05, counts: false), typed(0x86, counts: false), typed(0x0D, counts: false),
        // Private data: by descriptor.
        typed(0x06, counts: false), typed(0x06, [0x6A, 1, 0], counts: true), typed(0x06, [0x7A, 0], counts: true),
        typed(0x06, [0x59, 2, 0x6A, 0], counts: false), typed(0x06, [0x56, 0, 0x7B, 0], counts: true),
        typed(0x06, [5, 4] + Array("Opus".utf8), counts: true),
        typed(0x06, [5, 4] + Array("ID3 ".utf8), counts: false),
        typed(0x06, [5, 200] + Array("Opu".utf8), counts: false), typed(0x06, [0x6A], counts: false),
    ]

    @Test(arguments: types) func streamType(_ row: MediaStartCase) { row.check() }

    private static let packets: [MediaStartCase] = [
        .init(
            "a PES header one byte a packet",
            stream { ts in
                ts.tables([video, audio])
                ts.pes(pid: 0x100, streamID: 0xE0, pts: 9_000, dts: 8_000, share: 1)
                sound([7_000], &ts)
                ts.pes(pid: 0x100, streamID: 0xE0, pts: 8_500, dts: 8_500, share: 18)
            }, .found(7_000)),
        .init(
            "a packet that is repeated within a PES header",
            stream { ts in
                ts.tables([video])
                let pes = TransportStreamBytes.pes(streamID: 0xE0, pts: 9_000)
                ts.packet(pid: 0x100, Array(pes[..<8]), .startsUnit)
                ts.packet(pid: 0x100, Array(pes[8..<12]))
                ts.packet(pid: 0x100, Array(pes[8..<12]), .repeatsCounter)
                ts.packet(pid: 0x100, Array(pes[12...]))
            }, .found(9_000)),
        .init(
            "a packet lost within a PES header",
            stream { ts in
                ts.tables([video])
                let pes = TransportStreamBytes.pes(streamID: 0xE0, pts: 9_000)
                ts.packet(pid: 0x100, Array(pes[..<8]), .startsUnit)
                ts.packet(pid: 0x100, Array(pes[8...]), .skipsCounter)
                pictures([(9_500, nil)], &ts)
            }, .found(9_500)),
        .init(
            "a map in many packets, after another's",
            stream { ts in
                ts.section(pid: 0, TransportStreamBytes.association([(0, 16), (7, 0x20), (1, 0x21)]))
                let filler = [UInt8](repeating: 0x0E, count: 600)
                let other = TransportStreamBytes.map(program: 1, [audio], descriptors: filler)
                let map = TransportStreamBytes.map(program: 7, [video], descriptors: filler)
                ts.section(pid: 0x20, other + map, share: 100)
                sound([1], &ts)
                pictures([(9_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "a section that ends in the packet in which the next begins",
            stream { ts in
                ts.section(pid: 0, TransportStreamBytes.association([(1, 0x20)]))
                let map = TransportStreamBytes.map(program: 1, [video])
                ts.packet(pid: 0x20, [0] + map.prefix(9), .startsUnit)
                ts.packet(pid: 0x20, [UInt8(map.count - 9)] + map.dropFirst(9) + map, .startsUnit)
                sound([1], &ts)
                pictures([(9_000, nil)], &ts)
                pictures([(8_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "streams whose PES packets come before the map",
            stream { ts in
                sound([4_000], &ts)
                pictures([(9_000, 7_000)], &ts)
                ts.pes(pid: 0x103, streamID: 0xC1, pts: 5)
                ts.tables([video, audio])
                pictures([(3_000, 3_000)], &ts)
            }, .found(3_000)),
        .init(
            "no tables: streams of pictures and sound, by their ids",
            stream { ts in
                ts.pes(pid: 0x102, streamID: 0xBD, pts: 10)
                pictures([(9_000, 7_000)], &ts)
                sound([8_000], &ts)
                pictures([(8_500, 8_500)], &ts)
            }, .found(8_000)),
        .init(
            "packets with an error are passed over",
            stream { ts in
                ts.tables([video])
                ts.pes(pid: 0x100, streamID: 0xE0, pts: 10, .hasError)
                pictures([(9_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "scrambled packets are passed over",
            stream { ts in
                ts.tables([video])
                ts.pes(pid: 0x100, streamID: 0xE0, pts: 10, .isScrambled)
                pictures([(9_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "packets of 192 bytes",
            stream(isBDAV: true) { ts in
                ts.tables([video, audio])
                pictures([(9_000, nil)], &ts)
                sound([8_000, 8_100, 8_200], &ts)
            }, .found(8_000)),
        .init(
            "three packets of 192 bytes and no more",
            stream(isBDAV: true) { ts in
                ts.tables([video])
                pictures([(9_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "bytes before the first packet, sync bytes among them",
            [UInt8](repeating: 0x47, count: 100) + [UInt8](repeating: 1, count: 900)
                + stream { ts in
                    ts.tables([video, audio])
                    pictures([(9_000, nil)], &ts)
                    sound([8_000, 8_100, 8_200], &ts)
                }, .found(8_000)),
        .init(
            "half a packet at the end",
            stream { ts in
                ts.tables([video, audio])
                pictures([(9_000, nil)], &ts)
            } + stream { ts in sound([8_000], &ts) }.prefix(187), .found(9_000)),
        .init(
            "marker bits that are zero",
            stream { ts in
                ts.tables([video])
                var pes = TransportStreamBytes.pes(streamID: 0xE0, pts: 5)
                pes[11] &= 0xFE
                ts.unit(pid: 0x100, pes)
                pictures([(9_000, nil)], &ts)
            }, .found(9_000)),
    ]

    @Test(arguments: packets) func packet(_ row: MediaStartCase) { row.check() }

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
