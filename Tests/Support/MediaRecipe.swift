/// Media segments cooked from any bytes: mostly well-formed, of each format, with what makes each hard.
///
/// The first byte chooses the format; those after it are steps, as many as there are. At the end a few bytes are changed and
/// the segment is cut, if the recipe says so.
public struct MediaRecipe {
    private var steps: ArraySlice<UInt8>

    /// The segment that `recipe` gives.
    public static func segment(_ recipe: [UInt8]) -> [UInt8] {
        var recipe = MediaRecipe(steps: recipe[...])
        let kind = recipe.number(8)
        let spoilers = (0..<recipe.number(4)).map { _ in (place: recipe.number(65_536), value: recipe.byte()) }
        let isCut = recipe.number(8) == 7
        var segment =
            switch kind {
            case 0, 1, 2: recipe.transportStream()
            case 3, 4, 5: recipe.movie()
            case 6: recipe.audio()
            default: Array(recipe.steps)
            }
        guard !segment.isEmpty else { return segment }
        for (place, value) in spoilers { segment[place % segment.count] = value }
        return isCut ? Array(segment.prefix(spoilers.first.map { $0.place % segment.count } ?? segment.count)) : segment
    }

    private mutating func byte() -> UInt8 { steps.popFirst() ?? 0 }

    /// A number below `count`, of two bytes if that is above 256.
    private mutating func number(_ count: Int) -> Int {
        (count > 256 ? Int(byte()) * 256 + Int(byte()) : Int(byte())) % count
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(choices.count)] }

    // MARK: Transport streams

    private mutating func transportStream() -> [UInt8] {
        let style = number(8)
        var stream = TransportStreamBytes(isBDAV: style == 7)
        let base = pick([0, 126_000, 1 << 33 - 1_500, 1 << 32, 1 << 33 - 1] as [UInt64])
        while !steps.isEmpty, stream.bytes.count < 4_000 { step(&stream, base) }
        let garbage = style == 6 ? [UInt8](repeating: 0x47, count: 7) + [UInt8](repeating: 9, count: number(256)) : []
        return garbage + stream.bytes
    }

    private mutating func step(_ stream: inout TransportStreamBytes, _ base: UInt64) {
        let pids: [UInt16] = [0x100, 0x101, 0x102, 0x1000, 0]
        let pid = pids[number(number(16) == 15 ? 5 : 3)]
        let flags = pick(
            [[], [], [], [], .hasError, .isScrambled, .repeatsCounter, .skipsCounter] as [TransportStreamBytes.Flags])
        switch number(8) {
        case 0: stream.tables(streams())
        case 1:
            stream.section(pid: 0, TransportStreamBytes.association([(0, 16), (2, 0x1000)]), share: 1 + number(184))
            let filler = [UInt8](repeating: 0x09, count: number(256))
            let others = TransportStreamBytes.map(program: 1, streams())
            let map = TransportStreamBytes.map(program: 2, streams(), descriptors: filler)
            let share = 20 + number(165)
            if filler.count % 2 == 0 {
                stream.section(pid: 0x1000, others + map, share: share)
            } else {
                stream.sections(pid: 0x1000, [map, others], share: share)
            }
        case 2: stream.packet(pid: pid, [UInt8](repeating: byte(), count: number(185)), flags)
        case 3: stream.section(pid: 0, TransportStreamBytes.association([(1, 0x1000)]))
        default:
            let dts = base &+ UInt64(number(64)) &* 100
            let pts = dts &+ UInt64(number(8)) &* 100
            let form = number(8)
            stream.pes(
                pid: pid, streamID: pick([0xE0, 0xC0, 0xBD, 0xE0, 0xFD, 0xBE]), pts: form == 7 ? nil : pts,
                dts: form < 4 ? dts : nil, share: form % 2 == 0 ? 184 : 1 + number(40), flags)
        }
    }

    private mutating func streams() -> [TransportStreamBytes.Stream] {
        let types: [UInt8] = [0x1B, 0x0F, 0xDB, 0xCF, 0x15, 0x86, 0x06, 0x06, 0x06]
        return (0..<number(4)).map { index in
            let type = pick(types)
            let registration: [UInt8] = pick([
                [], [5, 4] + Array("Opus".utf8), [0x59, 2, 1, 1, 0x6A, 0], [0x56, 1, 1],
            ])
            return .init(type: type, pid: 0x100 + UInt16(index % 3), descriptors: registration)
        }
    }

    // MARK: Fragmented MP4

    private mutating func movie() -> [UInt8] {
        var segment: [UInt8] = []
        let scales: [UInt32] = [90_000, 48_000, 1_000, 44_100, 30_000, 7, 0xFFFF_FFFF, 12_800]
        let isOdd = number(4) == 3
        var tracks = (0..<(isOdd ? number(4) : 1 + number(2))).map { index in
            FragmentedMP4Bytes.Track(
                id: UInt32(1 + (isOdd ? number(3) : index)), timescale: pick(scales),
                handler: pick(["vide", "soun", "soun", "text"]),
                edits: edits(), version: UInt8(number(2)), sampleDuration: pick([nil, nil, 0, 1_024]))
        }
        if number(8) == 7 { tracks = [] }
        let style = number(8)
        if style != 6 { segment += FragmentedMP4Bytes.initSegment(tracks, defaultsFirst: style == 5) }
        while !steps.isEmpty, segment.count < 3_000 { segment += box() }
        return segment
    }

    private mutating func edits() -> [(duration: UInt64, mediaTime: Int64)] {
        (0..<number(4)).map { _ in
            (UInt64(number(65_536)), pick([-1, -1, 0, 1_024, 3_003, -2, 0x7FFF_FFFF]))
        }
    }

    private mutating func box() -> [UInt8] {
        switch number(8) {
        case 0: FragmentedMP4Bytes.box("free", [UInt8](repeating: 1, count: number(64)), isLarge: number(2) == 1)
        case 1: FragmentedMP4Bytes.box("mdat", [UInt8](repeating: 0x47, count: number(700)))
        case 2:
            FragmentedMP4Bytes.box(
                "moof", FragmentedMP4Bytes.traf(fragment(of: number(3))) + [0, 0, 0].prefix(number(4)), isLarge: true)
        case 3 where number(8) == 7: [0, 0, 0, 0] + Array(pick(["mdat", "moof", "free"]).utf8)
        case 4 where number(8) == 7:
            .bigEndian(UInt64(number(64)), 4) + Array(pick(["moof", "moov", "trun", "uuid"]).utf8)
        default: FragmentedMP4Bytes.segment((0..<(1 + number(3))).map { fragment(of: $0) })
        }
    }

    private mutating func fragment(of track: Int) -> FragmentedMP4Bytes.Fragment {
        let time =
            pick([0, 1_024, 90_000, 1 << 40, 1 << 61 - 256, 1 << 61, 0xFFFF_FFFF] as [UInt64]) &+ UInt64(number(256))
        let runs = (0..<(1 + number(4) / 3)).map { _ in
            let flags: UInt32 = pick([0, 0x1, 0x5, 0x305, 0x701, 0x800, 0xA01, 0xF05, 0x905, 0x904])
            // More than are read at a time, now and then.
            let count = number(16) == 15 ? 120 + number(64) : number(4)
            let (duration, composition) = (pick([0, 1_024, 3_003, 0xFFFF_FFFF] as [UInt64]), offset())
            let others = (0..<2).map { _ in offset() }
            return FragmentedMP4Bytes.Run(
                (0..<count).map { .init(lasting: duration, composition: $0 == 0 ? composition : others[$0 % 2]) },
                flags: flags)
        }
        return .init(
            track: UInt32(1 + track), decodeTime: number(8) == 7 ? nil : time, runs: runs, version: UInt8(number(2)),
            sampleDuration: pick([nil, nil, 512, 0]))
    }

    private mutating func offset() -> Int64 { pick([0, 2_048, -1_024, 3_003, -1]) }

    // MARK: Packed audio

    private mutating func audio() -> [UInt8] {
        var segment: [UInt8] = []
        for _ in 0...number(3) {
            let version: UInt8 = pick([4, 3, 4, 3, 2])
            var frames: [[UInt8]] = []
            for _ in 0..<number(4) { frames.append(frame(version)) }
            let flags = pick([0, 0, 0, 0x10, 0x40, 0x80] as [UInt8])
            let after: [UInt8] = flags == 0x40 ? pick([[0, 0, 0, 6, 1, 0], [0, 0, 0, 2, 1, 0], [0, 0, 0, 0]]) : []
            segment += AudioTagBytes.tag(
                version: version, flags: flags, afterHeader: after, frames, padding: number(24))
        }
        return segment + [0xFF, 0xF1, 0x50, 0x80] + [UInt8](repeating: 0x21, count: number(64))
    }

    private mutating func frame(_ version: UInt8) -> [UInt8] {
        switch number(4) {
        // Sizes from 128 on are not the same in both versions.
        case 0: AudioTagBytes.frame("TXXX", [UInt8](repeating: 0x41, count: number(256) * 2), version: version)
        case 1: AudioTagBytes.privateFrame("com.example", .bigEndian(7, 8 + number(2) * 34), version: version)
        default:
            AudioTagBytes.privateFrame(
                AudioTagBytes.owner, .bigEndian(UInt64(number(65_536)) << UInt64(number(20)), 8 - number(8) / 7),
                version: version)
        }
    }
}
