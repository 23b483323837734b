/// Writes boxes of fragmented MP4 (ISO 14496-12), for tests.
///
///     let video = FragmentedMP4Bytes.Track(id: 1, timescale: 15_360, edits: [(0, 1_024)])
///     FragmentedMP4Bytes.initSegment([video])
///         + FragmentedMP4Bytes.segment([.init(track: 1, decodeTime: 0, composition: 1_024)])
public enum FragmentedMP4Bytes {
    /// A track of the init segment.
    public struct Track: Sendable {
        let id: UInt32
        let timescale: UInt32
        let handler: String
        let edits: [(duration: UInt64, mediaTime: Int64)]
        let version: UInt8
        let sampleDuration: UInt64?

        /// A track with its edit list, which is left out if it has no edits. `version` is that of its boxes, 0 or 1. With a
        /// `sampleDuration` it has a `trex`.
        public init(
            id: UInt32, timescale: UInt32, handler: String = "vide",
            edits: [(duration: UInt64, mediaTime: Int64)] = [], version: UInt8 = 0, sampleDuration: UInt64? = nil
        ) {
            self.sampleDuration = sampleDuration
            self.id = id
            self.timescale = timescale
            self.handler = handler
            self.edits = edits
            self.version = version
        }
    }

    /// What a fragment has of a track.
    public struct Fragment: Sendable {
        let track: UInt32
        let decodeTime: UInt64?
        let version: UInt8
        let runs: [Run]
        let sampleDuration: UInt64?

        /// A fragment of `track` with `runs`, without `tfdt` if it has no `decodeTime`. `sampleDuration` is in its `tfhd`.
        public init(
            track: UInt32, decodeTime: UInt64?, runs: [Run], version: UInt8 = 1, sampleDuration: UInt64? = nil
        ) {
            self.track = track
            self.decodeTime = decodeTime
            self.version = version
            self.runs = runs
            self.sampleDuration = sampleDuration
        }

        /// A fragment with one run, of samples that are all alike. `flags` are added to those of `trun`.
        public init(
            track: UInt32, decodeTime: UInt64?, composition: Int64? = nil, version: UInt8 = 1,
            flags: UInt32 = 0x205, sampleCount: Int = 2
        ) {
            let sample = Sample(lasting: 3, composition: composition ?? 0)
            let run = Run(
                [Sample](repeating: sample, count: sampleCount), flags: flags | (composition == nil ? 0 : 0x800))
            self.init(track: track, decodeTime: decodeTime, runs: [run], version: version)
        }
    }

    /// What a run has of a sample.
    public struct Sample: Sendable {
        let duration: UInt64
        let composition: Int64

        /// A sample that lasts `duration`, and is composed `composition` after it is decoded.
        public init(lasting duration: UInt64 = 0, composition: Int64 = 0) {
            self.duration = duration
            self.composition = composition
        }
    }

    /// A run of samples; its `flags` say what of them is written.
    public struct Run: Sendable {
        let samples: [Sample]
        let flags: UInt32
        let count: UInt64

        /// A run of `samples`, by default with their durations and composition offsets; it may say that it has another `count`.
        public init(_ samples: [Sample], flags: UInt32 = 0x905, count: UInt64? = nil) {
            self.samples = samples
            self.flags = flags
            self.count = count ?? UInt64(samples.count)
        }
    }

    /// A box; its size takes 64 bits if `isLarge`.
    public static func box(_ type: String, _ content: [UInt8], isLarge: Bool = false) -> [UInt8] {
        let size = UInt64(content.count + (isLarge ? 16 : 8))
        let head = .bigEndian(isLarge ? 1 : size, 4) + Array(type.utf8) + (isLarge ? .bigEndian(size, 8) : [])
        return head + content
    }

    /// A box with a version and flags.
    public static func fullBox(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ fields: [UInt8]) -> [UInt8] {
        box(type, .bigEndian(UInt64(version) << 24 | UInt64(flags), 4) + fields)
    }

    /// `ftyp` and `moov`, in which `mvex` comes last, or before the tracks.
    public static func initSegment(_ tracks: [Track], defaultsFirst: Bool = false) -> [UInt8] {
        let movie = fullBox("mvhd", zeros(8) + .bigEndian(1_000, 4) + zeros(84))
        let defaults = box("mvex", tracks.flatMap(trex) + zeros(24))
        let (boxes, head) = (tracks.flatMap(trak), box("ftyp", Array("iso6".utf8) + zeros(4) + Array("cmfc".utf8)))
        return head + box("moov", movie + (defaultsFirst ? defaults + boxes : boxes + defaults))
    }

    private static func trex(_ track: Track) -> [UInt8] {
        guard let duration = track.sampleDuration else { return [] }
        return fullBox("trex", .bigEndian(UInt64(track.id), 4) + .bigEndian(1, 4) + .bigEndian(duration, 4) + zeros(8))
    }

    /// `trak`.
    public static func trak(_ track: Track) -> [UInt8] {
        let times = zeros(track.version == 0 ? 8 : 16)
        let width = track.version == 0 ? 4 : 8
        let header = fullBox(
            "tkhd", version: track.version, flags: 3, times + .bigEndian(UInt64(track.id), 4) + zeros(64))
        let edits = track.edits.flatMap {
            .bigEndian($0.duration, width) + .bigEndian(UInt64(bitPattern: $0.mediaTime), width)
                + .bigEndian(0x1_0000, 4)
        }
        let list = fullBox("elst", version: track.version, .bigEndian(UInt64(track.edits.count), 4) + edits)
        let media =
            fullBox("mdhd", version: track.version, times + .bigEndian(UInt64(track.timescale), 4) + zeros(8))
            + fullBox("hdlr", zeros(4) + Array(track.handler.utf8) + zeros(13)) + box("minf", zeros(30))
        return box("trak", header + (track.edits.isEmpty ? [] : box("edts", list)) + box("mdia", media))
    }

    /// `styp`, `sidx`, `moof` and `mdat`.
    public static func segment(_ fragments: [Fragment]) -> [UInt8] {
        box("styp", Array("msdh".utf8) + zeros(4)) + fullBox("sidx", zeros(28)) + moof(fragments)
            + box("mdat", zeros(24))
    }

    /// `moof`.
    public static func moof(_ fragments: [Fragment]) -> [UInt8] {
        box("moof", fullBox("mfhd", .bigEndian(1, 4)) + fragments.flatMap(traf))
    }

    /// `traf`.
    public static func traf(_ fragment: Fragment) -> [UInt8] {
        let time = fragment.decodeTime.map {
            fullBox("tfdt", version: fragment.version, .bigEndian($0, fragment.version == 0 ? 4 : 8))
        }
        // With a data offset of 64 bits before the duration.
        let duration = fragment.sampleDuration.map { zeros(8) + .bigEndian($0, 4) }
        let head = fullBox(
            "tfhd", flags: 0x20000 | (duration == nil ? 0 : 0x9),
            .bigEndian(UInt64(fragment.track), 4) + (duration ?? []))
        return box("traf", head + (time ?? []) + fragment.runs.flatMap { trun($0, version: fragment.version) })
    }

    private static func trun(_ run: Run, version: UInt8) -> [UInt8] {
        let beforeSamples = [0x1, 0x4].filter { run.flags & $0 != 0 }.flatMap { _ in zeros(4) }
        let samples = run.samples.flatMap { sample in
            (run.flags & 0x100 == 0 ? [] : [UInt8].bigEndian(sample.duration, 4))
                + [0x200, 0x400].filter { run.flags & $0 != 0 }.flatMap { _ in [UInt8].bigEndian(3, 4) }
                + (run.flags & 0x800 == 0 ? [] : [UInt8].bigEndian(UInt64(bitPattern: sample.composition), 4))
        }
        let head = [UInt8].bigEndian(run.count, 4)
        return fullBox("trun", version: version, flags: run.flags, head + beforeSamples + samples)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
