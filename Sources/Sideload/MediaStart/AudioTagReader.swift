internal import ByteScan

// How the tags before packed audio are read.
//
//     ID3 header ▏frame header ▏content, skipped ▏frame header ▏owner 0 time ▏ …   next tag, or the audio
//     10           10                              10            53: of a frame PRIV only, if its size is that
//
// Sizes of frames are plain in ID3v2.3 and synchsafe in ID3v2.4. Tags of version 2.2 have no PRIV and are skipped
// whole.

/// Finds the time stamp in the ID3 tags that packed audio begins with (8216bis 3.1.3; ID3v2.4 3.1, 4.27).
struct AudioTagReader {
    private enum Awaited {
        case tagHeader
        case extendedHeader
        case frameHeader
        case timestamp
    }

    private var awaited = Awaited.tagHeader
    /// How many bytes of the tag are left after what is awaited, without the footer.
    private var left = 0
    private var isVersion4 = false
    private var footer = 0

    private static var headerByteCount: Int { 10 }

    /// Begins a segment.
    mutating func begin() -> MediaStartStep {
        self = AudioTagReader()
        return .next(Demand(Self.headerByteCount))
    }

    /// Reads what was demanded.
    mutating func read(_ piece: ByteView) -> MediaStartStep {
        switch awaited {
        case .tagHeader: readTagHeader(piece)
        case .extendedHeader: readExtendedHeader(piece)
        case .frameHeader: readFrameHeader(piece)
        case .timestamp: piece.timestamp.map { .decided(.found($0)) } ?? nextFrame(after: 0)
        }
    }

    private mutating func readTagHeader(_ header: ByteView) -> MediaStartStep {
        guard header.startsTag, let size = header.synchsafeNumber(at: 6) else {
            return .decided(.unsupported(.noTimestamp))
        }
        let flags = header[5]
        isVersion4 = header[3] == 4
        footer = isVersion4 && flags & 0x10 != 0 ? Self.headerByteCount : 0
        left = size
        guard isVersion4 || header[3] == 3 else { return nextTag() }
        guard flags & 0x80 == 0 else { return .decided(.unsupported(.unsynchronisedTag)) }
        guard flags & 0x40 != 0 else { return nextFrame(after: 0) }
        return demand(4, .extendedHeader, skip: 0)
    }

    /// The size that is read counts itself in version 2.4, and does not in version 2.3.
    private mutating func readExtendedHeader(_ size: ByteView) -> MediaStartStep {
        let rest =
            isVersion4 ? size.synchsafeNumber(at: 0).map { $0 &- 4 } : size.number(at: 0, 4).map { Int(clamping: $0) }
        guard let rest, rest >= 0, rest <= left else { return .decided(.unsupported(.malformed)) }
        return nextFrame(after: rest)
    }

    private mutating func readFrameHeader(_ header: ByteView) -> MediaStartStep {
        // Padding.
        guard header[0] != 0 else { return nextTag() }
        let size = isVersion4 ? header.synchsafeNumber(at: 4) : header.number(at: 4, 4).map { Int(clamping: $0) }
        guard let size, size <= left else { return .decided(.unsupported(.malformed)) }
        // A frame that is compressed, encrypted or grouped has its flag in the last byte.
        let mayBeTime = header.hasBytes("PRIV", at: 0) && header[9] == 0 && size == ByteView.timestampByteCount
        return mayBeTime ? demand(size, .timestamp, skip: 0) : nextFrame(after: size)
    }

    /// Demands the header of the frame that begins `skip` bytes on, which are in the tag.
    private mutating func nextFrame(after skip: Int) -> MediaStartStep {
        guard left &- skip >= Self.headerByteCount else { return nextTag() }
        return demand(Self.headerByteCount, .frameHeader, skip: skip)
    }

    private mutating func nextTag() -> MediaStartStep {
        awaited = .tagHeader
        return .next(Demand(skip: left &+ footer, Self.headerByteCount))
    }

    private mutating func demand(_ count: Int, _ awaited: Awaited, skip: Int) -> MediaStartStep {
        guard left &- skip >= count else { return .decided(.unsupported(.malformed)) }
        left &-= skip &+ count
        self.awaited = awaited
        return .next(Demand(skip: skip, count))
    }
}

extension ByteView {
    /// The owner, the zero after it, and eight bytes.
    fileprivate static var timestampByteCount: Int { 53 }

    /// The time stamp that this frame holds; nil if another owner's, or if one of its upper 31 bits is not zero.
    fileprivate var timestamp: UInt64? {
        guard hasBytes("com.apple.streaming.transportStreamTimestamp", at: 0), number(at: 44, 1) == 0,
            let ticks = number(at: 45, 8), ticks >> 33 == 0
        else { return nil }
        return ticks
    }
}
