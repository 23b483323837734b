/// Writes a transport stream (ISO 13818-1 2.4), packet by packet, for tests.
///
///     var stream = TransportStreamBytes()
///     stream.tables([.init(type: 0x1B, pid: 0x100), .init(type: 0x0F, pid: 0x101)])
///     stream.pes(pid: 0x100, streamID: 0xE0, pts: 128_090, dts: 126_000)
public struct TransportStreamBytes {
    /// A stream as the program map names it.
    public struct Stream: Sendable {
        let type: UInt8
        let pid: UInt16
        let descriptors: [UInt8]

        /// A stream of `type`, ISO 13818-1 table 2-34.
        public init(type: UInt8, pid: UInt16, descriptors: [UInt8] = []) {
            self.type = type
            self.pid = pid
            self.descriptors = descriptors
        }
    }

    /// What a packet's header says besides the stream.
    public struct Flags: OptionSet, Sendable {
        /// The flags, a bit each.
        public let rawValue: UInt8
        /// The flags of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A PES packet or a section begins.
        public static let startsUnit = Flags(rawValue: 1)
        /// The packet has an error.
        public static let hasError = Flags(rawValue: 2)
        /// The payload is scrambled.
        public static let isScrambled = Flags(rawValue: 4)
        /// The continuity counter is that of the packet before.
        public static let repeatsCounter = Flags(rawValue: 8)
        /// The continuity counter leaves one out.
        public static let skipsCounter = Flags(rawValue: 16)
        /// The payload is scrambled in the way that the standard reserves (ISO 13818-1 table 2-4).
        public static let isScrambledAsReserved = Flags(rawValue: 32)
    }

    /// The packets so far.
    public private(set) var bytes: [UInt8] = []
    /// How many bytes come before each packet: 4 in BDAV.
    private let leadCount: Int
    private var counters: [UInt16: UInt8] = [:]

    /// An empty stream, of packets of 192 bytes if `isBDAV`.
    public init(isBDAV: Bool = false) { leadCount = isBDAV ? 4 : 0 }

    /// Writes a packet with `payload`, at most 184 bytes; an adaptation field fills what is left.
    public mutating func packet(pid: UInt16, _ payload: [UInt8], _ flags: Flags = []) {
        let last = counters[pid] ?? 15
        let step: UInt8 = flags.contains(.repeatsCounter) ? 0 : flags.contains(.skipsCounter) ? 2 : 1
        let counter = payload.isEmpty ? last : (last &+ step) & 15
        counters[pid] = counter
        let stuffing = 184 - payload.count
        let first = (flags.contains(.hasError) ? 0x80 : 0) | (flags.contains(.startsUnit) ? 0x40 : 0) | UInt8(pid >> 8)
        let control = (stuffing > 0 ? 0x20 : 0) | (payload.isEmpty ? 0 : 0x10) as UInt8
        let scrambling: UInt8 =
            (flags.contains(.isScrambled) ? 0x80 : 0) | (flags.contains(.isScrambledAsReserved) ? 0x40 : 0)
        bytes += [UInt8](repeating: 0, count: leadCount)
        bytes += [0x47, first, UInt8(truncatingIfNeeded: pid), scrambling | control | counter]
        if stuffing > 0 {
            bytes.append(UInt8(stuffing - 1))
            if stuffing > 1 { bytes += [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) }
        }
        bytes += payload
    }

    /// Writes `unit` in packets with `share` bytes of it each, at most 184.
    public mutating func unit(pid: UInt16, _ unit: [UInt8], share: Int = 184, _ flags: Flags = []) {
        for start in stride(from: 0, to: unit.count, by: share) {
            let part = Array(unit[start..<min(unit.count, start + share)])
            packet(pid: pid, part, start == 0 ? flags.union(.startsUnit) : flags)
        }
    }

    /// Writes a PES packet with the time stamps that it is given.
    public mutating func pes(
        pid: UInt16, streamID: UInt8, pts: UInt64?, dts: UInt64? = nil, share: Int = 184, _ flags: Flags = []
    ) {
        unit(pid: pid, Self.pes(streamID: streamID, pts: pts, dts: dts), share: share, flags)
    }

    /// Writes the association, and the map of the one program, in the stream 0x1000.
    public mutating func tables(_ streams: [Stream]) {
        section(pid: 0, Self.association([(1, 0x1000)]))
        section(pid: 0x1000, Self.map(program: 1, streams))
    }

    /// Writes a section, in as many packets as it takes, and stuffing after it.
    public mutating func section(pid: UInt16, _ section: [UInt8], share: Int = 184) {
        let unit = [0] + section
        let rest = (share - unit.count % share) % share
        self.unit(pid: pid, unit + [UInt8](repeating: 0xFF, count: rest), share: share)
    }

    /// Writes `sections` one right after the other, `share` bytes in a packet: one may end in the packet in which the next begins.
    public mutating func sections(pid: UInt16, _ sections: [[UInt8]], share: Int = 184) {
        var starts: [Int] = []
        let all = sections.reduce(into: [UInt8]()) { all, section in
            starts.append(all.count)
            all += section
        }
        var offset = 0
        while offset < all.count {
            // The pointer to the first section that begins takes a byte.
            let begins = starts.first { (offset..<(offset + share - 1)).contains($0) }
            let next = starts.first { $0 > offset } ?? all.count
            let end = min(begins == nil ? min(offset + share, next) : offset + share - 1, all.count)
            let pointer = begins.map { [UInt8($0 - offset)] } ?? []
            packet(pid: pid, pointer + all[offset..<end], begins == nil ? [] : .startsUnit)
            offset = end
        }
    }

    /// A PES packet with the time stamps that it is given, and 40 bytes.
    public static func pes(streamID: UInt8, pts: UInt64?, dts: UInt64? = nil) -> [UInt8] {
        let times: [UInt8] =
            switch (pts, dts) {
            case (let pts?, let dts?): [0xC0, 10] + time(pts, mark: 3) + time(dts, mark: 1)
            case (let pts?, nil): [0x80, 5] + time(pts, mark: 2)
            case (nil, _): [0, 0]
            }
        return [0, 0, 1, streamID, 0, 0, 0x80] + times + [UInt8](repeating: 0xAA, count: 40)
    }

    private static func time(_ ticks: UInt64, mark: UInt64) -> [UInt8] {
        let upper = mark << 36 | (ticks >> 30 & 7) << 33 | 1 << 32
        return .bigEndian(upper | (ticks >> 15 & 0x7FFF) << 17 | 1 << 16 | (ticks & 0x7FFF) << 1 | 1, 5)
    }

    /// A program association section: numbers of programs, and where their maps are.
    public static func association(_ programs: [(number: UInt16, pid: UInt16)]) -> [UInt8] {
        let entries = programs.flatMap { .bigEndian(UInt64($0.number), 2) + .bigEndian(0xE000 | UInt64($0.pid), 2) }
        return section(table: 0, extension: 1, entries)
    }

    /// A program map section.
    public static func map(program: UInt16, _ streams: [Stream], descriptors: [UInt8] = []) -> [UInt8] {
        var entries: [UInt8] = []
        for stream in streams {
            entries.append(stream.type)
            entries += .bigEndian(0xE000 | UInt64(stream.pid), 2)
            entries += .bigEndian(0xF000 | UInt64(stream.descriptors.count), 2)
            entries += stream.descriptors
        }
        let head = [UInt8].bigEndian(0xE100, 2) + .bigEndian(0xF000 | UInt64(descriptors.count), 2) + descriptors
        return section(table: 2, extension: program, head + entries)
    }

    private static func section(table: UInt8, extension: UInt16, _ content: [UInt8]) -> [UInt8] {
        let head = [table] + .bigEndian(0xB000 | UInt64(content.count + 9), 2) + .bigEndian(UInt64(`extension`), 2)
        let section = head + [0xC1, 0, 0] + content
        return section + .bigEndian(UInt64(checksum(section)), 4)
    }

    /// CRC-32 as in annex A.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
    }
}
