internal import ByteScan

/// A packet of a transport stream that can be read (ISO 13818-1 2.4.3.2).
struct TransportPacket {
    static var syncByte: UInt8 { 0x47 }
    static var byteCount: Int { 188 }

    /// The packet's stream.
    let pid: UInt16
    /// Whether a PES packet or a section begins in the payload.
    let startsUnit: Bool
    /// Whether the payload is scrambled, and so cannot be read.
    let isScrambled: Bool
    /// The continuity counter, of four bits.
    let counter: UInt8
    /// What comes after the header and the adaptation field: at least a byte.
    let payload: ByteView

    /// The packet that `bytes` are; nil if it has an error or no payload.
    init?(_ bytes: ByteView) {
        let hasError = bytes[1] & 0x80 != 0
        let hasPayload = bytes[3] & 0x10 != 0
        let start = bytes[3] & 0x20 == 0 ? 4 : 5 &+ Int(bytes[4])
        guard bytes[0] == Self.syncByte, !hasError, hasPayload, start < bytes.count else { return nil }
        pid = UInt16(bytes[1] & 0x1F) << 8 | UInt16(bytes[2])
        startsUnit = bytes[1] & 0x40 != 0
        isScrambled = bytes[3] & 0xC0 != 0
        counter = bytes[3] & 0x0F
        payload = bytes.suffix(from: start)
    }

    /// Whether a PES packet of audio or video begins in the payload: the stream ids of MPEG's own codecs.
    var startsPicturesOrSound: Bool {
        guard startsUnit, let start = payload.number(at: 0, 4) else { return false }
        return (0x1C0...0x1EF).contains(start)
    }
}

/// Whether a packet goes on where the one before it of its stream has ended.
enum Continuity {
    case next, repeated, broken

    init(from counter: UInt8, to next: UInt8) {
        self = next == (counter &+ 1) & 0x0F ? .next : next == counter ? .repeated : .broken
    }
}
