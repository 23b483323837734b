internal import ByteScan

/// Puts sections together from the packets of one stream (ISO 13818-1 2.4.4).
struct SectionBuffer: ~Copyable {
    private var bytes = ReusableBuffer<UInt8>()
    /// The counter of the last packet; nil if no section is open.
    private var counter: UInt8?

    /// Forgets all and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll()
        counter = nil
    }

    /// Appends what `packet` has of the open section, whose end may be in the packet in which another begins.
    mutating func append(endIn packet: TransportPacket) {
        guard let counter else { return }
        switch Continuity(from: counter, to: packet.counter) {
        case .next: break
        case .repeated: return
        case .broken: return removeAll()
        }
        self.counter = packet.counter
        let end = packet.startsUnit ? min(packet.sectionStart, packet.payload.count) : packet.payload.count
        bytes.append(packet.payload[(packet.startsUnit ? 1 : 0)..<end])
        closeIfDone()
    }

    /// Opens the section that begins in `packet`, if one does.
    mutating func append(startIn packet: TransportPacket) {
        guard packet.startsUnit else { return }
        removeAll()
        bytes.append(packet.payload.suffix(from: min(packet.sectionStart, packet.payload.count)))
        counter = packet.counter
        closeIfDone()
    }

    /// The first section if all of it is there, valid until the buffer next changes.
    var whole: ByteView? {
        guard let head = bytes.view.number(at: 0, 3) else { return nil }
        let count = 3 &+ Int(head & 0xFFF)
        return count <= bytes.count ? bytes.view.prefix(upTo: count) : nil
    }

    /// Forgets the first section, of `count` bytes.
    mutating func removeFirst(_ count: Int) {
        bytes.removeFirst(count)
        closeIfDone()
    }

    /// Forgets the rest if there is no section in it: nothing, or stuffing.
    private mutating func closeIfDone() { if bytes.isEmpty || bytes[0] == 0xFF { removeAll() } }
}

extension TransportPacket {
    /// Where in the payload of a packet that starts a unit the first section begins.
    fileprivate var sectionStart: Int { 1 &+ Int(payload[0]) }
}
