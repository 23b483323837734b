internal import ByteScan

/// What is known of an audio or video stream of a transport stream.
struct ElementaryStream: BitwiseCopyable {
    let pid: UInt16
    /// The lowest time stamp so far.
    private(set) var lowest: ClockTime?
    /// Whether no later time stamp can be lower.
    private(set) var isSettled = false
    /// A PES header whose end has not come.
    private var header: PESHeader?
    private var counter: UInt8 = 0

    init(pid: UInt16) { self.pid = pid }

    /// Reads the next packet of the stream.
    mutating func read(_ packet: TransportPacket) {
        guard !isSettled else { return }
        if packet.startsUnit {
            header = PESHeader()
        } else {
            switch Continuity(from: counter, to: packet.counter) {
            case .next: break
            case .repeated: return
            case .broken: header = nil
            }
        }
        counter = packet.counter
        guard var header else { return }
        header.append(packet.payload)
        switch header.content {
        case .needsMoreBytes: self.header = header
        case .other: self.header = nil
        case .times(let presentation, let decoding):
            self.header = nil
            note(presentation, decoding)
        }
    }

    /// Pictures come in the order of decoding, and none is shown before it is decoded. So once one is decoded at the
    /// lowest time stamp or after it, all later ones are shown after it, too.
    private mutating func note(_ presentation: ClockTime, _ decoding: ClockTime) {
        let earliest = presentation.orEarlier(lowest)
        lowest = earliest
        isSettled = !decoding.isBefore(earliest)
    }
}

/// The first bytes of a PES packet, which may come in several packets of the stream (ISO 13818-1 2.4.3.6).
struct PESHeader: BitwiseCopyable {
    enum Content {
        case needsMoreBytes
        /// The packet has no time stamp, or is none of audio or video.
        case other
        case times(presentation: ClockTime, decoding: ClockTime)
    }

    /// As many bytes as there are up to the end of the two time stamps.
    private var bytes = SIMD32<UInt8>()
    private var count = 0
    private static var longest: Int { 19 }

    mutating func append(_ part: ByteView) {
        for byte in part.prefix(upTo: min(part.count, Self.longest &- count)) {
            bytes[count] = byte
            count &+= 1
        }
    }

    /// What the header says; a decoding time that it lacks is that of presentation.
    var content: Content {
        guard count >= 9 else { return .needsMoreBytes }
        let hasFlags = bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1 && Self.hasFlags(streamID: bytes[3])
        guard hasFlags, bytes[6] & 0xC0 == 0x80 else { return .other }
        switch (bytes[7] >> 6, bytes[8]) {
        case (2, 5...):
            guard count >= 14 else { return .needsMoreBytes }
            return time(at: 9).map { .times(presentation: $0, decoding: $0) } ?? .other
        case (3, 10...):
            guard count >= 19 else { return .needsMoreBytes }
            guard let presentation = time(at: 9), let decoding = time(at: 14) else { return .other }
            return .times(presentation: presentation, decoding: decoding)
        default: return .other
        }
    }

    /// Whether flags and time stamps come after the length (ISO 13818-1 table 2-21).
    private static func hasFlags(streamID: UInt8) -> Bool {
        switch streamID {
        case 0xBD, 0xC0...0xEF, 0xF3...0xF7, 0xF9...0xFE: true
        default: false
        }
    }

    /// The 33 bits at `offset`, in three parts with a bit 1 after each; nil if one of these is 0.
    private func time(at offset: Int) -> ClockTime? {
        let parts = (0..<5).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[offset &+ $1]) }
        guard parts & 0x01_0001_0001 == 0x01_0001_0001 else { return nil }
        return ClockTime(parts >> 3 & 0x1_C000_0000 | parts >> 2 & 0x3FFF_8000 | parts >> 1 & 0x7FFF)
    }
}
