/// A transport stream as a list of packets, for the oracle of first time stamps.
///
/// Everything is worked out anew for each number of packets that may have been enough.
struct NaivePackets {
    private struct Packet {
        let pid: Int
        let startsUnit: Bool
        let counter: Int
        let payload: [UInt8]
    }

    /// Nil in place of those that cannot be read.
    private var packets: [Packet?] = []
    private var isScrambled: [Bool] = []

    /// The packets of `bytes`; nil if it is no transport stream.
    init?(_ bytes: [UInt8]) {
        let candidates = (0...1_024).flatMap { start in [(start, 188), (start, 192)] }
        let isWhole = bytes.count < 2_048
        let place = candidates.first { start, stride in
            guard bytes.count >= start + 188 else { return false }
            let offsets = (0..<5).map { start + $0 * stride }
            guard offsets.filter({ $0 < bytes.count }).allSatisfy({ bytes[$0] == 0x47 }) else { return false }
            return offsets[4] < bytes.count || isWhole && start == stride - 188
        }
        guard let (first, step) = place else { return nil }
        for start in stride(from: first, through: bytes.count - 188, by: step) {
            let packet = Array(bytes[start..<(start + 188)])
            let payloadStart = packet[3] & 0x20 == 0 ? 4 : 5 + Int(packet[4])
            let isReadable = packet[0] == 0x47 && packet[1] < 0x80 && packet[3] & 0x10 != 0 && payloadStart < 188
            isScrambled.append(isReadable && packet[3] & 0xC0 != 0)
            guard isReadable, packet[3] & 0xC0 == 0 else {
                packets.append(nil)
                continue
            }
            packets.append(
                Packet(
                    pid: Int(packet[1] & 0x1F) * 256 + Int(packet[2]), startsUnit: packet[1] & 0x40 != 0,
                    counter: Int(packet[3] & 15), payload: Array(packet[payloadStart...])))
        }
    }

    /// The answer: that after the first packet with which it is known.
    func answer(_ streamLimit: Int, _ ending: String) -> NaiveMediaStart.Answer {
        let tables = tables()
        for count in 0...packets.count {
            let found = streams(tables, among: count)
            if found.streams.count > streamLimit { return .refused("tooManyStreams") }
            if found.isComplete, found.streams.allSatisfy(\.isSettled) {
                let lowest = NaiveMediaStart.lowest(found.streams.compactMap(\.lowest))
                return lowest.map { .found($0) } ?? .refused("noTimestamp")
            }
            guard count == packets.count else { continue }
            let lowest = NaiveMediaStart.lowest(found.streams.compactMap(\.lowest))
            let reason = ending == "noTimestamp" && isScrambled.contains(true) ? "encrypted" : ending
            return lowest.map { .found($0) } ?? .refused(reason)
        }
        return .refused(ending)
    }

    // MARK: Tables

    private struct Tables {
        /// The index of the packet that completes the association, and where it says the map is.
        var association: (index: Int, pid: Int)?
        /// The index of the packet that completes the map, and its streams with pictures or sound.
        var map: (index: Int, pids: [Int])?
    }

    private func tables() -> Tables {
        var tables = Tables()
        for (index, section) in sections(ofPID: 0, from: 0) where section[0] == 0 && isInForce(section) {
            let entries = section.dropFirst(8).dropLast(4)
            let programs = stride(from: entries.startIndex, to: entries.endIndex - 3, by: 4).map {
                entries[$0..<($0 + 4)]
            }
            guard let program = programs.first(where: { $0.prefix(2) != [0, 0] }) else { continue }
            let pid = Int(NaiveMediaStart.number(program.suffix(2)) & 0x1FFF)
            tables.association = (index, pid)
            tables.map = map(ofProgram: Array(program.prefix(2)), pid, from: index + 1)
            break
        }
        return tables
    }

    private func map(ofProgram number: [UInt8], _ pid: Int, from start: Int) -> (index: Int, pids: [Int])? {
        for (index, section) in sections(ofPID: pid, from: start)
        where section[0] == 2 && isInForce(section) && Array(section[3..<5]) == number {
            let first = 12 + Int(NaiveMediaStart.number(section[10..<12]) & 0xFFF)
            guard first <= section.count - 4 else { continue }
            var rest = section[first..<(section.count - 4)]
            var pids: [Int] = []
            while rest.count >= 5 {
                let head = Array(rest.prefix(5))
                let descriptors = rest.dropFirst(5).prefix(Int(NaiveMediaStart.number(head[3...4]) & 0xFFF))
                let pid = Int(NaiveMediaStart.number(head[1...2]) & 0x1FFF)
                if counts(head[0], Array(descriptors)), !pids.contains(pid) { pids.append(pid) }
                rest = rest.dropFirst(5 + descriptors.count)
            }
            return (index, pids)
        }
        return nil
    }

    private func isInForce(_ section: [UInt8]) -> Bool {
        section.count >= 12 && section[1] >= 0x80 && section[5] % 2 == 1
    }

    private func counts(_ type: UInt8, _ descriptors: [UInt8]) -> Bool {
        let video: [UInt8] = [1, 2, 0x10, 0x1B] + Array(0x1E...0x25) + Array(0x28...0x2B) + [0x32, 0x33, 0x34, 0x42]
        let others: [UInt8] = [0x80, 0xD1, 0xD2, 0xEA, 0xDB]
        let audio: [UInt8] = [
            3, 4, 0xF, 0x11, 0x1C, 0x2D, 0x2E, 0x81, 0x83, 0x84, 0x85, 0x87, 0x88, 0xA1, 0xC1, 0xC2, 0xCF,
        ]
        if (video + others + audio).contains(type) { return true }
        guard type == 6 else { return false }
        let names = ["AC-3", "EAC3", "AC-4", "Opus", "DTS1", "DTS2", "DTS3", "HEVC", "AV01", "VC-1", "drac"]
        var rest = descriptors[...]
        while rest.count >= 2 {
            let head = Array(rest.prefix(2))
            let content = rest.dropFirst(2).prefix(Int(head[1]))
            if [0x6A, 0x7A, 0x7B, 0x7C].contains(head[0]) { return true }
            if head[0] == 5, names.contains(where: { content.starts(with: $0.utf8) }) { return true }
            rest = rest.dropFirst(2 + content.count)
        }
        return false
    }

    /// The sections of a stream, each with the index of the packet that completes it.
    private func sections(ofPID pid: Int, from start: Int) -> [(Int, [UInt8])] {
        var sections: [(Int, [UInt8])] = []
        var open: [UInt8] = []
        var counter: Int?
        func cut(_ index: Int) {
            while open.count >= 3, open[0] != 0xFF {
                let count = 3 + Int(open[1] & 15) * 256 + Int(open[2])
                guard open.count >= count else { return }
                sections.append((index, Array(open.prefix(count))))
                open.removeFirst(count)
            }
            if open.isEmpty || open[0] == 0xFF { (open, counter) = ([], nil) }
        }
        for index in packets.indices.dropFirst(start) {
            guard let packet = packets[index], packet.pid == pid else { continue }
            let pointer = min(Int(packet.payload[0]) + 1, packet.payload.count)
            if let last = counter, packet.counter == (last + 1) % 16 {
                open += packet.startsUnit ? packet.payload[1..<pointer] : packet.payload[...]
                counter = packet.counter
                cut(index)
            } else if counter != packet.counter {
                (open, counter) = ([], nil)
            }
            if packet.startsUnit {
                (open, counter) = (Array(packet.payload[pointer...]), packet.counter)
                cut(index)
            }
        }
        return sections
    }

    // MARK: Streams

    private struct Stream {
        let pid: Int
        var lowest: UInt64?
        var isSettled = false
    }

    /// The streams that count if only the first `count` packets have come.
    private func streams(_ tables: Tables, among count: Int) -> (streams: [Stream], isComplete: Bool) {
        let association = tables.association.map(\.index) ?? .max
        let map = tables.map.map(\.index) ?? .max
        // Before the map, a stream counts from the packet on in which such a PES packet begins.
        var firsts: [(pid: Int, index: Int)] = []
        var usable: [(index: Int, packet: Packet)] = []
        for (index, packet) in packets.prefix(count).enumerated() {
            guard let packet else { continue }
            let isTable =
                index <= association
                ? packet.pid == 0 : index <= map && packet.pid == tables.association?.pid
            guard !isTable else { continue }
            usable.append((index, packet))
            let isPES = packet.startsUnit && packet.payload.starts(with: [0, 0, 1]) && packet.payload.count > 3
            guard index <= map, isPES, (0xC0...0xEF).contains(packet.payload[3]) else { continue }
            if !firsts.contains(where: { $0.pid == packet.pid }) { firsts.append((packet.pid, index)) }
        }
        let isComplete = map < count
        let pids = isComplete ? tables.map?.pids ?? [] : firsts.map(\.pid)
        let streams = pids.map { pid in
            let start = firsts.first { $0.pid == pid }?.index ?? map + 1
            return stream(pid, usable.filter { $0.index >= start && $0.packet.pid == pid }.map(\.packet))
        }
        return (streams, isComplete)
    }

    private func stream(_ pid: Int, _ packets: [Packet]) -> Stream {
        var stream = Stream(pid: pid)
        for (pts, dts) in times(packets) where !stream.isSettled {
            let lowest = NaiveMediaStart.lowest([stream.lowest, pts].compactMap { $0 }) ?? pts
            stream.lowest = lowest
            stream.isSettled = !NaiveMediaStart.isBefore(dts, lowest)
        }
        return stream
    }

    /// The time stamps of all PES packets that have some.
    private func times(_ packets: [Packet]) -> [(pts: UInt64, dts: UInt64)] {
        let starts = packets.indices.filter { packets[$0].startsUnit }
        return starts.compactMap { start in
            let end = starts.first { $0 > start } ?? packets.endIndex
            var bytes = packets[start].payload
            var counter = packets[start].counter
            for packet in packets[(start + 1)..<end] {
                if packet.counter == counter { continue }
                guard packet.counter == (counter + 1) % 16 else { break }
                bytes += packet.payload
                counter = packet.counter
            }
            return times(ofPES: bytes)
        }
    }

    private func times(ofPES bytes: [UInt8]) -> (UInt64, UInt64)? {
        guard bytes.count >= 9, bytes.starts(with: [0, 0, 1]), bytes[3] > 0xBC, bytes[6] >> 6 == 2 else { return nil }
        guard ![0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF].contains(bytes[3]) else { return nil }
        let kind = bytes[7] >> 6
        let count = kind == 2 ? 5 : 10
        guard kind >= 2, bytes[8] >= count, bytes.count >= 9 + count, let pts = time(bytes[9..<14]) else { return nil }
        guard kind == 3 else { return (pts, pts) }
        return time(bytes[14..<19]).map { (pts, $0) }
    }

    /// The 33 bits of five bytes, as they are written out: `xxxxTTT1 TTTTTTTT TTTTTTT1 TTTTTTTT TTTTTTT1`.
    private func time(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
        guard bits[7] == 1, bits[23] == 1, bits[39] == 1 else { return nil }
        return (bits[4..<7] + bits[8..<23] + bits[24..<39]).reduce(0) { $0 * 2 + UInt64($1) }
    }
}
