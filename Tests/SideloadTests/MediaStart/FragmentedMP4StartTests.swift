import Sideload
import Support
import Testing

/// The first time stamp of fragmented MP4 (ISO 14496-12).
@Suite struct FragmentedMP4StartTests {
    typealias MP4 = FragmentedMP4Bytes
    private static let video = MP4.Track(id: 1, timescale: 90_000)
    private static let end: UInt64 = 1 << 33

    private static func start(
        _ reason: String, _ track: MP4.Track, _ fragment: MP4.Fragment, _ ticks: UInt64
    ) -> MediaStartCase {
        .init(reason, MP4.initSegment([track]) + MP4.segment([fragment]), .found(ticks))
    }

    /// The last column is worked out with fractions, apart from both forms.
    private static let times: [MediaStartCase] = [
        start("the decode time", video, .init(track: 1, decodeTime: 900_000), 900_000),
        start("and the composition offset", video, .init(track: 1, decodeTime: 900_000, composition: 7_200), 907_200),
        start("an offset below zero", video, .init(track: 1, decodeTime: 900_000, composition: -7_200), 892_800),
        start("a time below zero wraps", video, .init(track: 1, decodeTime: 0, composition: -3_000), end - 3_000),
        start(
            "an offset of version 0 has no sign", video,
            .init(track: 1, decodeTime: 0, composition: 0xFFFF_FFFF, version: 0), 0xFFFF_FFFF),
        start(
            "the flags of the first sample, and its duration, size and flags, come before the offset", video,
            .init(track: 1, decodeTime: 10, composition: 7_200, flags: 0x705), 7_210),
        start(
            "nothing comes before the offset", video,
            .init(track: 1, decodeTime: 10, composition: 7_200, flags: 0), 7_210),
        start("a decode time of 32 bits", video, .init(track: 1, decodeTime: 0xFFFF_FFFF, version: 0), 0xFFFF_FFFF),
        start("a decode time past the clock's end", video, .init(track: 1, decodeTime: 1 << 40 + 5), 5),
        start(
            "another time scale", .init(id: 1, timescale: 12_800, version: 1),
            .init(track: 1, decodeTime: 1_024, composition: 1_024), 14_400),
        // 1024 / 44100 s are 2089.795… ticks, 1 / 180000 s is half a tick, 1 / 180001 s is less.
        start("rounded to the nearest", .init(id: 1, timescale: 44_100), .init(track: 1, decodeTime: 1_024), 2_090),
        start("half a tick is rounded up", .init(id: 1, timescale: 180_000), .init(track: 1, decodeTime: 1), 1),
        start("less than half is not", .init(id: 1, timescale: 180_001), .init(track: 1, decodeTime: 1), 0),
        start(
            "half a tick below zero is rounded up", .init(id: 1, timescale: 180_000),
            .init(track: 1, decodeTime: 0, composition: -1), 0),
        start(
            "more than half below zero is not", .init(id: 1, timescale: 180_000),
            .init(track: 1, decodeTime: 0, composition: -2), end - 1),
        // 90000 (2^61 - 1) / 4294967295 modulo 2^33.
        start(
            "the latest time", .init(id: 1, timescale: 0xFFFF_FFFF), .init(track: 1, decodeTime: 1 << 61 - 1),
            11_250),
        start(
            "the latest time, many a tick", .init(id: 1, timescale: 1), .init(track: 1, decodeTime: 1 << 61 - 1),
            end - 90_000),
    ]

    @Test(arguments: times) func time(_ row: MediaStartCase) { row.check() }

    private static func edited(
        _ reason: String, _ edits: [(duration: UInt64, mediaTime: Int64)], scale: UInt32 = 90_000,
        _ ticks: UInt64
    ) -> [MediaStartCase] {
        [0, 1].map { version in
            start(
                "\(reason), version \(version)", .init(id: 1, timescale: scale, edits: edits, version: version),
                .init(track: 1, decodeTime: 900_000, composition: 7_200), ticks)
        }
    }

    private static let edits: [MediaStartCase] =
        edited("an edit that begins later", [(0, 7_200)], 900_000)
        + edited("the first edit counts", [(0, 7_200), (0, 100)], 900_000)
        + edited("an empty edit before does not count", [(100, -1), (0, 7_200)], 900_000)
        + edited("nor do two", [(100, -1), (50, -1), (0, 200)], 907_000)
        + edited("nothing but an empty edit", [(100, -1)], 907_200)
        + edited("an empty edit after", [(5, 7_200), (100, -1)], 900_000)
        + edited("an edit that begins below zero, though no list should", [(0, -2)], 907_202)
        + edited(
            "24 empty edits", [(duration: UInt64, mediaTime: Int64)](repeating: (1, -1), count: 24) + [(0, 0)],
            907_200)
        + [
            start(
                "the latest edit", .init(id: 1, timescale: 90_000, edits: [(0, 1 << 61 - 1)], version: 1),
                .init(track: 1, decodeTime: 0), 1),
            start(
                "the earliest edit", .init(id: 1, timescale: 90_000, edits: [(0, 1 - 1 << 61)], version: 1),
                .init(track: 1, decodeTime: 0), end - 1),
            start(
                "as many empty edits as are read", .init(id: 1, timescale: 90_000, edits: empties(41) + [(0, 0)]),
                .init(track: 1, decodeTime: 9), 9),
        ]
    @Test(arguments: edits) func edit(_ row: MediaStartCase) { row.check() }

    private static func empties(_ count: Int) -> [(duration: UInt64, mediaTime: Int64)] {
        .init(repeating: (1, -1), count: count)
    }

    /// A file whose boxes have no more than the fields that are read, and of one some bytes fewer.
    private static func least(_ version: UInt8, without cut: (type: String, count: Int)? = nil) -> [UInt8] {
        func box(_ type: String, _ fields: [UInt8]) -> [UInt8] {
            MP4.fullBox(type, version: version, Array(fields.dropLast(cut?.type == type ? cut?.count ?? 0 : 0)))
        }
        let width = version == 0 ? 4 : 8
        let times = [UInt8](repeating: 0, count: 2 * width)
        let track =
            box("tkhd", times + .bigEndian(1, 4))
            + MP4.box("edts", box("elst", .bigEndian(1, 4) + .bigEndian(1, width) + .bigEndian(100, width)))
            + MP4.box(
                "mdia", box("mdhd", times + .bigEndian(90_000, 4)) + box("hdlr", [0, 0, 0, 0] + Array("vide".utf8)))
        let defaults = MP4.box("mvex", box("trex", .bigEndian(1, 4) + .bigEndian(1, 4) + .bigEndian(5, 4)))
        let fragment =
            box("tfhd", .bigEndian(1, 4)) + box("tfdt", .bigEndian(9_000, width)) + box("trun", .bigEndian(1, 4))
        return MP4.box("ftyp", []) + MP4.box("moov", MP4.box("trak", track) + defaults)
            + MP4.box("moof", MP4.box("traf", fragment))
    }

    private static let fields: [MediaStartCase] = [UInt8(0), 1].flatMap { version in
        [MediaStartCase("no more than is read, version \(version)", least(version), .found(8_900))]
            + ["tkhd", "elst", "mdhd", "hdlr", "trex", "tfhd", "tfdt", "trun"].map {
                .init(
                    "\($0) without its last byte, version \(version)", least(version, without: ($0, 1)),
                    .unsupported(.malformed))
            }
    }

    @Test(arguments: fields) func field(_ row: MediaStartCase) { row.check() }

    /// A data offset of 64 bits, and the index of the sample description, come before the duration, if they are there.
    private static let fragmentHeaders: [MediaStartCase] = ([(0, 0), (0x1, 8), (0x2, 4), (0x3, 12)] as [(UInt32, Int)])
        .map { flags, count in
            let head = MP4.fullBox(
                "tfhd", flags: flags | 0x8,
                .bigEndian(1, 4) + [UInt8](repeating: 9, count: count) + .bigEndian(3_600, 4))
            let run = MP4.fullBox("trun", flags: 0x800, .bigEndian(2, 4) + .bigEndian(14_400, 4) + .bigEndian(0, 4))
            let fragment = head + MP4.fullBox("tfdt", .bigEndian(900_000, 4)) + run
            return .init(
                "a duration after \(count) bytes",
                MP4.initSegment([video]) + MP4.box("moof", MP4.box("traf", fragment)), .found(903_600))
        }

    @Test(arguments: fragmentHeaders) func fragmentHeader(_ row: MediaStartCase) { row.check() }

    /// Pictures, by how long after it is decoded each is shown.
    private static func pictures(_ compositions: [Int64], lasting duration: UInt64 = 3_600) -> [MP4.Sample] {
        compositions.map { .init(lasting: duration, composition: $0) }
    }

    private static func run(
        _ reason: String, _ runs: [MP4.Run], version: UInt8 = 0, sampleDuration: UInt64? = nil,
        of track: MP4.Track = video, _ ticks: UInt64
    ) -> MediaStartCase {
        let fragment = MP4.Fragment(
            track: 1, decodeTime: 900_000, runs: runs, version: version, sampleDuration: sampleDuration)
        return .init(reason, MP4.initSegment([track]) + MP4.segment([fragment]), .found(ticks))
    }

    /// An open GOP of 25 pictures a second: the first is shown after the three that come next.
    private static let openGOP: [Int64] = [14_400, 0, 0, 0, 3_600]

    private static let runs: [MediaStartCase] = [
        run("leading pictures are shown before the first", [.init(pictures(openGOP))], 903_600),
        run("offsets below zero", [.init(pictures([10_800, -3_600, -3_600]))], version: 1, 900_000),
        run(
            "as long as the fragment says", [.init(pictures(openGOP), flags: 0x804)], sampleDuration: 3_600, 903_600),
        run(
            "as long as the movie says", [.init(pictures(openGOP), flags: 0x801)],
            of: .init(id: 1, timescale: 90_000, sampleDuration: 3_600), 903_600),
        run(
            "the fragment says otherwise than the movie", [.init(pictures(openGOP), flags: 0x801)], sampleDuration: 900,
            of: .init(id: 1, timescale: 90_000, sampleDuration: 3_600), 900_900),
        run(
            "a sample says otherwise than the fragment", [.init(pictures(openGOP), flags: 0xF05)], sampleDuration: 900,
            903_600),
        run("nobody says how long", [.init(pictures(openGOP), flags: 0x800)], 900_000),
        .init(
            "the movie says it before its tracks",
            MP4.initSegment([.init(id: 1, timescale: 90_000, sampleDuration: 3_600)], defaultsFirst: true)
                + MP4.segment([.init(track: 1, decodeTime: 900_000, runs: [.init(pictures(openGOP), flags: 0x800)])]),
            .found(903_600)),
        run(
            "the pictures go on in another run",
            [.init(pictures([14_400])), .init([]), .init(pictures([0, 0]), flags: 0x900), .init(pictures([0]))],
            903_600),
        run(
            "a run without a word of its samples lasts, too",
            [.init(pictures([0, 0]), flags: 0), .init(pictures([-9_000]))], version: 1, sampleDuration: 3_600, 898_200),
        run(
            "more samples than are read at a time",
            [.init(pictures([Int64](repeating: 400_000, count: 130) + [0], lasting: 10), flags: 0xF05)], 901_300),
        .init(
            "the pictures of another fragment do not count",
            MP4.initSegment([video, audio])
                + MP4.segment([.init(track: 1, decodeTime: 9_000, runs: [.init(pictures([7_200, 0]))])])
                + MP4.segment([.init(track: 1, decodeTime: 0)]) + MP4.segment([.init(track: 2, decodeTime: 48_000)]),
            .found(12_600)),
        .init(
            "an open GOP that breaks off in its second run",
            Array(
                (MP4.initSegment([video])
                    + MP4.box(
                        "moof",
                        MP4.traf(
                            .init(
                                track: 1, decodeTime: 9_000, runs: [.init(pictures([7_200])), .init(pictures([0, 0]))]))
                    ))
                    .dropLast()), .found(16_200)),
    ]

    @Test(arguments: runs) func lowestOfTheSamples(_ row: MediaStartCase) { row.check() }

    private static let audio = MP4.Track(id: 2, timescale: 48_000, handler: "soun", edits: [(0, 1_024)])
    private static let text = MP4.Track(id: 3, timescale: 1_000, handler: "text")
    private static let both = MP4.initSegment([video, audio, text])

    private static let files: [MediaStartCase] = [
        .init(
            "the lowest of both tracks",
            both + MP4.segment([.init(track: 1, decodeTime: 9_000), .init(track: 2, decodeTime: 4_800)]), .found(7_080)),
        .init(
            "a clock that wraps between the tracks",
            both + MP4.segment([.init(track: 1, decodeTime: 500), .init(track: 2, decodeTime: 512)]),
            .found(end - 960)),
        .init(
            "a fragment a track, with pictures between them",
            both + MP4.segment([.init(track: 1, decodeTime: 9_000)]) + MP4.segment([.init(track: 1, decodeTime: 0)])
                + MP4.segment([.init(track: 3, decodeTime: 0)]) + MP4.segment([.init(track: 2, decodeTime: 4_800)])
                + MP4.segment([.init(track: 2, decodeTime: 0)]), .found(7_080)),
        .init(
            "a track that never comes", both + MP4.segment([.init(track: 1, decodeTime: 9_000)]), .found(9_000)),
        .init(
            "a track that is none of the movie's",
            both + MP4.segment([.init(track: 9, decodeTime: 0), .init(track: 1, decodeTime: 9_000)]), .found(9_000)),
        .init(
            "a fragment without samples, and one without a decode time",
            both
                + MP4.segment([
                    .init(track: 1, decodeTime: 0, sampleCount: 0), .init(track: 1, decodeTime: nil),
                    .init(track: 1, decodeTime: 9_000),
                ]), .found(9_000)),
        .init(
            "an init segment twice, as of a self-initialising segment",
            both + both + MP4.segment([.init(track: 1, decodeTime: 9_000), .init(track: 2, decodeTime: 4_800)]),
            .found(7_080)),
        .init(
            "large sizes, a file's last box without one, boxes unknown",
            MP4.initSegment([video]) + MP4.box("free", [1, 2, 3], isLarge: true) + MP4.box("emsg", [])
                + MP4.box("\0abc", [9])
                + MP4.box("moof", MP4.traf(.init(track: 1, decodeTime: 9_000)), isLarge: true) + [0, 0, 0, 0]
                + Array("mdat".utf8) + [1, 2], .found(9_000)),
        .init(
            "a moof without a size, to the file's end",
            MP4.initSegment([video]) + [0, 0, 0, 0] + Array("moof".utf8) + MP4.traf(.init(track: 1, decodeTime: 9_000)),
            .found(9_000)),
        .init(
            "a few bytes in a box that are no box",
            MP4.initSegment([video]) + MP4.box("moof", MP4.box("mfhd", [1, 2]) + [0, 0, 0, 9])
                + MP4.segment([.init(track: 1, decodeTime: 9_000)]), .found(9_000)),
        .init(
            "seven bytes are none",
            MP4.initSegment([video]) + MP4.box("moof", [0, 0, 0, 9, 0, 0, 0])
                + MP4.segment([.init(track: 1, decodeTime: 9_000)]), .found(9_000)),
        .init(
            "eight are a box",
            MP4.initSegment([video]) + MP4.box("moof", [0, 0, 0, 9, 0, 0, 0, 0])
                + MP4.segment([.init(track: 1, decodeTime: 9_000)]), .unsupported(.malformed)),
        .init(
            "boxes with nothing in them",
            MP4.initSegment([video]) + MP4.box("free", [], isLarge: true) + MP4.box("moof", MP4.box("free", []))
                + MP4.segment([.init(track: 1, decodeTime: 9_000)]), .found(9_000)),
    ]

    @Test(arguments: files) func file(_ row: MediaStartCase) { row.check() }

    private static func movie(_ boxes: [UInt8]) -> [UInt8] { MP4.box("ftyp", []) + MP4.box("moov", boxes) }

    private static func lasting(_ duration: UInt64, at time: UInt64) -> [UInt8] {
        let run = MP4.Run([.init(lasting: duration)], flags: 0x100)
        return MP4.initSegment([video]) + MP4.segment([.init(track: 1, decodeTime: time, runs: [run])])
    }

    private static let refusals: [MediaStartCase] = [
        .init("a sample that ends at the latest time", lasting(1, at: 1 << 61 - 2), .found(end - 2)),
        .init("one that ends after it", lasting(1, at: 1 << 61 - 1), .unsupported(.malformed)),
        .init(
            "an edit as late as no time is",
            MP4.initSegment([.init(id: 1, timescale: 1, edits: [(0, 1 << 61)], version: 1)]),
            .unsupported(.malformed)),
        .init(
            "one empty edit more than is read",
            MP4.initSegment([.init(id: 1, timescale: 1, edits: empties(42) + [(0, 0)])]),
            .unsupported(.malformed)),
        .init("no init segment", MP4.segment([.init(track: 1, decodeTime: 9_000)]), .unsupported(.noInitSegment)),
        .init("an init segment alone", both, .unsupported(.noTimestamp)),
        .init("a movie with text alone", MP4.initSegment([text]), .unsupported(.noTimestamp)),
        .init("no time scale", MP4.initSegment([.init(id: 1, timescale: 0)]), .unsupported(.malformed)),
        .init(
            "a time too late to be one", MP4.initSegment([video]) + MP4.segment([.init(track: 1, decodeTime: 1 << 61)]),
            .unsupported(.malformed)),
        .init(
            "an edit too late", MP4.initSegment([.init(id: 1, timescale: 1, edits: [(0, .min)], version: 1)]),
            .unsupported(.malformed)),
        .init(
            "more empty edits than are read",
            MP4.initSegment([.init(id: 1, timescale: 1, edits: .init(repeating: (1, -1), count: 60))]),
            .unsupported(.malformed)),
        .init(
            "a box larger than the one around it", movie([0, 0, 0, 99] + Array("trak".utf8)), .unsupported(.malformed)),
        .init("a box smaller than its header", movie([0, 0, 0, 7] + Array("trak".utf8)), .unsupported(.malformed)),
        .init(
            "a large box smaller than its header",
            movie([0, 0, 0, 1] + Array("trak".utf8) + [0, 0, 0, 0, 0, 0, 0, 15]), .unsupported(.malformed)),
        .init(
            "the largest size",
            movie([0, 0, 0, 1] + Array("trak".utf8) + [UInt8](repeating: 0xFF, count: 8)), .unsupported(.malformed)),
        .init(
            "the largest size, in a file",
            MP4.box("ftyp", []) + [0, 0, 0, 1] + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8) + both,
            .unsupported(.noTimestamp)),
        .init(
            "fewer samples than it says",
            MP4.initSegment([video])
                + MP4.segment([.init(track: 1, decodeTime: 0, runs: [.init(pictures([0, 0]), flags: 0x800, count: 3)])]),
            .unsupported(.malformed)),
        .init(
            "samples that last until no time is",
            MP4.initSegment([video])
                + MP4.segment([
                    .init(
                        track: 1, decodeTime: 0, runs: [.init([], flags: 0, count: 0xFFFF_FFFF)],
                        sampleDuration: 0xFFFF_FFFF)
                ]), .unsupported(.malformed)),
        .init(
            "more durations than the limit of tracks",
            MP4.initSegment([
                .init(id: 1, timescale: 1, sampleDuration: 1),
                .init(id: 2, timescale: 1, handler: "text", sampleDuration: 1),
            ]), .unsupported(.tooManyStreams), limits: .init(streams: 1)),
        .init("fields that are missing", movie(MP4.box("trak", MP4.box("tkhd", []))), .unsupported(.malformed)),
        .init("more tracks than the limit", both, .unsupported(.tooManyStreams), limits: .init(streams: 1)),
        .init(
            "as many tracks as the limit", both + MP4.segment([.init(track: 1, decodeTime: 9_000)]), .found(9_000),
            limits: .init(streams: 2)),
        .init(
            "a box of pictures past the limit", both + MP4.box("mdat", [UInt8](repeating: 7, count: 3_000)),
            .unsupported(.tooLong), limits: .init(bytes: 3_000)),
    ]

    @Test(arguments: refusals) func refusal(_ row: MediaStartCase) { row.check() }
}
