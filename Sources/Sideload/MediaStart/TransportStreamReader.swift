internal import ByteScan

// How a transport stream is read.
//
//     PID 0      association: which stream has the map of the first program
//     its map    which streams have pictures or sound; others do not count
//     those      the first bytes of each PES packet: when it is presented, and when decoded
//
// Each stream is read until it is settled (ElementaryStream), all of them until the last is, or until the bytes end.
// Before the map has come, or if it never does, a stream counts if PES packets of audio or video begin in it.

/// Finds the lowest time stamp of a transport stream, packet by packet (ISO 13818-1 2.4).
///
/// A packet without a sync byte, with an error or with a scrambled payload is passed over. What was open of its stream
/// is given up at the next packet, by the continuity counter.
struct TransportStreamReader: ~Copyable {
    /// Which table is awaited.
    private enum Table {
        case association
        case map(ProgramReference)
        case none
    }

    private struct Document {
        var table = Table.association
        var stride = TransportPacket.byteCount
        var streamLimit = 0
        var hasScrambled = false
    }

    private var document = Document()
    private var section = SectionBuffer()
    /// The streams of the map.
    private var streams = ReusableBuffer<ElementaryStream>()
    /// The streams that seem to have pictures or sound, while the map is awaited.
    private var unlisted = ReusableBuffer<ElementaryStream>()

    /// Begins a stream.
    mutating func begin(_ layout: PacketLayout, streamLimit: Int) -> MediaStartStep {
        document = Document(stride: layout.stride, streamLimit: streamLimit)
        section.removeAll()
        streams.removeAll()
        unlisted.removeAll()
        return .next(Demand(skip: layout.start, TransportPacket.byteCount))
    }

    /// Reads the next packet.
    mutating func read(_ bytes: ByteView) -> MediaStartStep {
        guard let packet = TransportPacket(bytes) else { return next }
        guard !packet.isScrambled else {
            document.hasScrambled = true
            return next
        }
        switch document.table {
        case .association where packet.pid == 0:
            return readTable(packet)
        case .map(let program) where packet.pid == program.mapPID:
            return readTable(packet)
        case .association, .map:
            return readUnlisted(packet)
        case .none:
            guard let index = Self.index(of: packet.pid, in: streams) else { return next }
            streams[index].read(packet)
            return streams[index].isSettled ? afterSettling : next
        }
    }

    /// The lowest time stamp so far, of the streams in the order of the map.
    var lowest: ClockTime? {
        switch document.table {
        case .association, .map: Self.lowest(of: unlisted)
        case .none: Self.lowest(of: streams)
        }
    }

    /// Why there is none.
    var failure: MediaStartError { document.hasScrambled ? .encrypted : .noTimestamp }

    private var next: MediaStartStep {
        .next(Demand(skip: document.stride &- TransportPacket.byteCount, TransportPacket.byteCount))
    }

    /// The answer, if all streams of the map are settled.
    private var afterSettling: MediaStartStep {
        for index in 0..<streams.count where !streams[index].isSettled { return next }
        return .decided(lowest.map { .found($0.ticks) } ?? .unsupported(.noTimestamp))
    }

    private mutating func readTable(_ packet: TransportPacket) -> MediaStartStep {
        section.append(endIn: packet)
        if let step = readSections() { return step }
        section.append(startIn: packet)
        return readSections() ?? next
    }

    /// Reads the sections that have come. If one is the awaited table, the packet holds nothing more of use.
    private mutating func readSections() -> MediaStartStep? {
        while let whole = section.whole {
            let count = whole.count
            switch document.table {
            case .association:
                if let program = ProgramReference(section: whole) {
                    document.table = .map(program)
                    section.removeAll()
                    return next
                }
            case .map(let program):
                if let map = ProgramMap(of: program, section: whole) { return take(map) }
            case .none: return next
            }
            section.removeFirst(count)
        }
        return nil
    }

    /// Keeps the streams of `map`, with what is known of those among the unlisted.
    private mutating func take(_ map: ProgramMap) -> MediaStartStep {
        for pid in map where Self.index(of: pid, in: streams) == nil {
            guard streams.count < document.streamLimit else { return .decided(.unsupported(.tooManyStreams)) }
            let known = Self.index(of: pid, in: unlisted).map { unlisted[$0] }
            streams.append(known ?? ElementaryStream(pid: pid))
        }
        document.table = .none
        return afterSettling
    }

    private mutating func readUnlisted(_ packet: TransportPacket) -> MediaStartStep {
        if let index = Self.index(of: packet.pid, in: unlisted) {
            unlisted[index].read(packet)
        } else if packet.startsPicturesOrSound {
            guard unlisted.count < document.streamLimit else { return .decided(.unsupported(.tooManyStreams)) }
            var stream = ElementaryStream(pid: packet.pid)
            stream.read(packet)
            unlisted.append(stream)
        }
        return next
    }

    private static func index(of pid: UInt16, in streams: borrowing ReusableBuffer<ElementaryStream>) -> Int? {
        for index in 0..<streams.count where streams[index].pid == pid { return index }
        return nil
    }

    private static func lowest(of streams: borrowing ReusableBuffer<ElementaryStream>) -> ClockTime? {
        var lowest: ClockTime?
        for index in 0..<streams.count {
            if let time = streams[index].lowest { lowest = time.orEarlier(lowest) }
        }
        return lowest
    }
}
