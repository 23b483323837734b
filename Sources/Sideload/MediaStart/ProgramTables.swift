internal import ByteScan

// The two tables that name the streams: the association of programs with their maps, and the map of one. Checksums are
// not looked at, because players do not: a packager that writes wrong ones is played.

/// A program, as the program association section names it (ISO 13818-1 2.4.4.3).
struct ProgramReference: BitwiseCopyable {
    let number: UInt16
    /// The stream of the program's map.
    let mapPID: UInt16

    /// The first program of `section`; nil if it has none or is another section.
    init?(section: ByteView) {
        guard let entries = section.entries(ofTable: 0, from: 8) else { return nil }
        for offset in stride(from: 0, to: entries.count &- 3, by: 4) {
            guard let entry = entries.number(at: offset, 4), entry >> 16 != 0 else { continue }
            number = UInt16(truncatingIfNeeded: entry >> 16)
            mapPID = UInt16(truncatingIfNeeded: entry & 0x1FFF)
            return
        }
        return nil
    }
}

/// The audio and video streams of a program map section, in its order (ISO 13818-1 2.4.4.8).
struct ProgramMap: Sequence, IteratorProtocol {
    private let entries: ByteView
    private var offset = 0

    /// The map of `program`; nil if `section` is another section.
    init?(of program: ProgramReference, section: ByteView) {
        guard section.number(at: 3, 2) == UInt64(program.number), let length = section.number(at: 10, 2),
            let entries = section.entries(ofTable: 2, from: 12 &+ Int(length & 0xFFF))
        else { return nil }
        self.entries = entries
    }

    /// The next stream that has pictures or sound.
    mutating func next() -> UInt16? {
        while let type = entries.number(at: offset, 1), let pid = entries.number(at: offset &+ 1, 2),
            let length = entries.number(at: offset &+ 3, 2)
        {
            let start = offset &+ 5
            offset = Swift.min(entries.count, start &+ Int(length & 0xFFF))
            if Self.hasPicturesOrSound(UInt8(type), descriptors: entries[start..<offset]) {
                return UInt16(truncatingIfNeeded: pid & 0x1FFF)
            }
        }
        return nil
    }

    /// Whether a stream of this type has pictures or sound (ISO 13818-1 table 2-34, ATSC A/53, SAMPLE-AES of HLS).
    ///
    /// Not metadata (0x15), sections (0x05, 0x86 with SCTE 35), or private data that no descriptor tells to be a
    /// codec's.
    private static func hasPicturesOrSound(_ type: UInt8, descriptors: ByteView) -> Bool {
        switch type {
        case 0x01...0x04, 0x0F...0x11, 0x1B, 0x1C, 0x1E...0x25, 0x28...0x2B, 0x2D, 0x2E, 0x32...0x34, 0x42: true
        case 0x80, 0x81, 0x83...0x85, 0x87, 0x88, 0xA1, 0xC1, 0xC2, 0xCF, 0xD1, 0xD2, 0xDB, 0xEA: true
        case 0x06: hasCodec(descriptors)
        default: false
        }
    }

    /// Whether one of `descriptors` names a codec: those of DVB for AC-3, E-AC-3, DTS and AAC, or a registration.
    private static func hasCodec(_ descriptors: ByteView) -> Bool {
        var offset = 0
        while offset &+ 2 <= descriptors.count {
            let end = Swift.min(descriptors.count, offset &+ 2 &+ Int(descriptors[offset &+ 1]))
            switch descriptors[offset] {
            case 0x6A, 0x7A, 0x7B, 0x7C: return true
            case 0x05 where isCodec(registration: descriptors[(offset &+ 2)..<end]): return true
            default: offset = end
            }
        }
        return false
    }

    private static func isCodec(registration: ByteView) -> Bool {
        guard registration.count >= 4 else { return false }
        return switch registration.prefix(upTo: 4) {
        case "AC-3", "EAC3", "AC-4", "Opus", "DTS1", "DTS2", "DTS3", "HEVC", "AV01", "VC-1", "drac": true
        default: false
        }
    }
}

extension ByteView {
    /// The bytes from `start` up to the checksum of a section of `table` that is in force; nil if it is none.
    fileprivate func entries(ofTable table: UInt8, from start: Int) -> ByteView? {
        guard count >= 12, self[0] == table, self[1] & 0x80 != 0, self[5] & 0x01 != 0 else { return nil }
        return start <= count &- 4 ? self[start..<(count &- 4)] : nil
    }
}
