internal import ByteScan

/// What the first bytes of a segment are.
enum MediaFormat {
    case transportStream(PacketLayout)
    case boxes
    case tags
    case unsupported(MediaStartError)

    /// How many bytes tell the format; a whole segment may have fewer.
    static var decidingByteCount: Int { 2_048 }

    init(head: ByteView, isWholeSegment: Bool) {
        if head.startsTag {
            self = .tags
        } else if head.startsBox {
            self = .boxes
        } else if let layout = PacketLayout(head: head, isWholeSegment: isWholeSegment) {
            self = .transportStream(layout)
        } else if head.startsAudio {
            self = .unsupported(.noTimestamp)
        } else {
            self = .unsupported(head.isNoise ? .encrypted : .notMedia)
        }
    }
}

/// Where the packets of a transport stream lie.
struct PacketLayout {
    /// The offset of the first sync byte.
    let start: Int
    /// From one sync byte to the next: 188, or 192 if each packet has four bytes before it (BDAV, "M2TS").
    let stride: Int

    /// The lowest start, up to 1,024 bytes into the segment, with five sync bytes in a row.
    ///
    /// One sync byte is in every 256th noise, five are in every 2 to the 40th. A segment that ends before the fifth
    /// must have all of its sync bytes, and no bytes before the first packet.
    init?(head: ByteView, isWholeSegment: Bool) {
        for start in 0..<max(0, min(head.count &- TransportPacket.byteCount &+ 1, 1_025)) {
            for stride in Swift.stride(from: 188, through: 192, by: 4)
            where Self.hasSyncBytes(head, from: start, stride, isWholeSegment) {
                (self.start, self.stride) = (start, stride)
                return
            }
        }
        return nil
    }

    private static func hasSyncBytes(_ head: ByteView, from start: Int, _ stride: Int, _ isWholeSegment: Bool) -> Bool {
        for number in 0..<5 {
            let offset = start &+ number &* stride
            guard offset < head.count else { return isWholeSegment && start == stride &- TransportPacket.byteCount }
            guard head[offset] == TransportPacket.syncByte else { return false }
        }
        return true
    }
}

extension ByteView {
    /// Whether an ID3 tag begins here, version 2 of any kind (ID3v2.4 3.1).
    var startsTag: Bool {
        hasBytes("ID3", at: 0) && synchsafeNumber(at: 6) != nil && self[3] != 0xFF && self[4] != 0xFF
    }

    /// Whether a box begins here that an MP4 file or a segment of one begins with (ISO 14496-12 4.3, 8.16).
    fileprivate var startsBox: Bool {
        guard count >= 8 else { return false }
        return switch self[4..<8] {
        case "ftyp", "styp", "moov", "moof", "sidx", "ssix", "emsg", "prft": true
        case "pdin", "free", "skip", "wide", "uuid", "mdat": true
        default: false
        }
    }

    /// Whether a frame of AAC, of MPEG audio, or of AC-3 or E-AC-3 begins here.
    fileprivate var startsAudio: Bool {
        guard count >= 2 else { return false }
        // Layer I is not among the formats of HLS, and looks like the byte order mark of UTF-16.
        let isMPEG = self[0] == 0xFF && self[1] & 0xE0 == 0xE0 && self[1] & 0x06 != 0x06
        return isMPEG || self[0] == 0x0B && self[1] == 0x77
    }

    /// Whether the bytes are as many different ones as those of noise, and no text.
    ///
    /// Of 2,048 random bytes all 256 values are there, of 320 about 182, of 16, the fewest that AES makes, about 15.
    fileprivate var isNoise: Bool {
        var values = SIMD4<UInt64>()
        var hasControl = false
        for byte in self {
            let bit = UInt64(1) << UInt64(byte & 63)
            values[Int(byte >> 6)] |= bit
            hasControl = hasControl || byte < 0x20 && !(0x09...0x0D).contains(byte) || byte == 0x7F
        }
        let different = values.indices.reduce(0) { $0 &+ values[$1].nonzeroBitCount }
        return count >= 16 && hasControl && different >= Swift.min(count / 2, 160)
    }
}
