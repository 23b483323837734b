import Sideload
import Support
import Testing

/// Which streams count, and how packets, tables and PES headers lie.
extension TransportStreamStartTests {
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

    /// A picture, and sound that begins before it, at 8,000 ticks.
    private static let pictureAndSound = stream { ts in
        ts.tables([video, audio])
        pictures([(9_000, nil)], &ts)
        sound([8_000, 8_100, 8_200], &ts)
    }

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
                let other = TransportStreamBytes.map(program: 2, [audio])
                ts.packet(pid: 0x20, [UInt8(map.count - 9)] + map.dropFirst(9) + other, .startsUnit)
                sound([1], &ts)
                pictures([(9_000, nil)], &ts)
                pictures([(8_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "a section that begins in a packet which does not say so",
            stream { ts in
                ts.section(pid: 0, TransportStreamBytes.association([(1, 0x20)]))
                let empty = TransportStreamBytes.map(program: 2, [audio])
                let filler = [UInt8](repeating: 0x0E, count: 183 - empty.count)
                ts.packet(
                    pid: 0x20, [0] + TransportStreamBytes.map(program: 2, [audio], descriptors: filler), .startsUnit)
                ts.packet(pid: 0x20, TransportStreamBytes.map(program: 1, [video]))
                sound([1], &ts)
                pictures([(9_000, nil)], &ts)
            }, .found(1)),
        .init(
            "a section that has not the syntax of one",
            stream { ts in
                ts.section(pid: 0, TransportStreamBytes.association([(1, 0x20)]))
                var other = TransportStreamBytes.map(program: 1, [audio])
                other[1] &= 0x7F
                ts.section(pid: 0x20, other)
                ts.section(pid: 0x20, TransportStreamBytes.map(program: 1, [video]))
                sound([1], &ts)
                pictures([(9_000, nil)], &ts)
            }, .found(9_000)),
        .init(
            "a packet that is repeated within a section",
            stream { ts in
                ts.section(pid: 0, TransportStreamBytes.association([(1, 0x20)]))
                let map = TransportStreamBytes.map(program: 1, [video])
                ts.packet(pid: 0x20, [0] + map.prefix(9), .startsUnit)
                ts.packet(pid: 0x20, Array(map[9..<12]))
                ts.packet(pid: 0x20, Array(map[9..<12]), .repeatsCounter)
                ts.packet(pid: 0x20, Array(map[12...]))
                sound([1], &ts)
                pictures([(9_000, nil)], &ts)
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
                ts.pes(pid: 0x100, streamID: 0xE0, pts: 20, .isScrambledAsReserved)
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
            [UInt8](repeating: 0x47, count: 100) + [UInt8](repeating: 1, count: 900) + pictureAndSound, .found(8_000)),
        .init("as many bytes as there may be", [UInt8](repeating: 1, count: 1_024) + pictureAndSound, .found(8_000)),
        .init("and one more", [UInt8](repeating: 1, count: 1_025) + pictureAndSound, .unsupported(.notMedia)),
        .init(
            "half a packet at the end",
            stream { ts in
                ts.tables([video, audio])
                pictures([(9_000, nil)], &ts)
            } + stream { ts in sound([8_000], &ts) }.prefix(187), .found(9_000)),
        .init(
            "an adaptation field that leaves no payload",
            [0x47, 0x40, 0, 0x30, 183] + [UInt8](repeating: 0xFF, count: 183)
                + stream { ts in
                    ts.tables([video])
                    pictures([(9_000, nil)], &ts)
                }, .found(9_000)),
        .init("one packet and no more", stream { ts in ts.packet(pid: 5, [1]) }, .unsupported(.noTimestamp)),
    ]

    /// A PES packet of which a byte is another, and then one that is as it must be.
    private static func changed(_ reason: String, _ place: Int, to byte: UInt8) -> MediaStartCase {
        let segment = stream { ts in
            ts.tables([video])
            var pes = TransportStreamBytes.pes(streamID: 0xE0, pts: 5, dts: 5)
            pes[place] = byte
            ts.unit(pid: 0x100, pes)
            pictures([(9_000, nil)], &ts)
        }
        return .init("\(reason): byte \(place) is \(byte)", segment, .found(9_000))
    }

    /// PTS and DTS of 5 are 31 00 01 00 0B and 11 00 01 00 0B, from the tenth byte on.
    private static let changes: [MediaStartCase] =
        [(9, 0x30), (11, 0), (13, 0x0A), (14, 0x10), (16, 0), (18, 0x0A)].map {
            changed("a marker bit is zero", $0, to: $1)
        } + [(0, 1), (1, 1), (2, 0), (2, 2)].map { changed("no start code", $0, to: $1) }
        + [(3, 0xBC), (3, 0xBE), (3, 0xBF), (3, 0xF0), (3, 0xF2), (3, 0xF8), (3, 0xFF), (3, 0xBB)].map {
            changed("a stream without time stamps", $0, to: $1)
        } + [(6, 0), (6, 0x40), (6, 0xC0)].map { changed("no MPEG-2", $0, to: $1) }
        + [(7, 0), (7, 0x40), (8, 9)].map { changed("no time stamps, or no room for them", $0, to: $1) }

    @Test(arguments: changes) func change(_ row: MediaStartCase) { row.check() }

    @Test(arguments: packets) func packet(_ row: MediaStartCase) { row.check() }
}
