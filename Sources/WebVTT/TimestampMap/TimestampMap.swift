public import ByteScan

/// Which time of a media stream a cue time stands for: the `X-TIMESTAMP-MAP` of a WebVTT file in an HLS stream
/// (RFC 8216 3.5).
///
///     X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
public struct TimestampMap: Equatable, Sendable {
    /// The time of the media stream, in ticks of 1/90000 s, modulo 2 to the 33rd.
    public let mpegTS: UInt64

    /// The cue time that it stands for.
    public let local: Timestamp

    /// A map from `mpegTS` ticks, of which the lowest 33 bits count, to the cue time `local`.
    public init(mpegTS: UInt64, local: Timestamp = Timestamp(milliseconds: 0)) {
        self.mpegTS = mpegTS & Self.mask
        self.local = local
    }

    /// The map that `line`, of the header and without its terminator, holds; nil if it is no such line or lacks a part.
    ///
    /// The parts may come in either order, with white space around them and others between them. Of two alike the first
    /// counts.
    public init?(headerLine line: ByteView) {
        guard line.hasBytes(Self.name, at: 0) else { return nil }
        var (ticks, local): (UInt64?, Timestamp?)
        var start = Self.name.utf8CodeUnitCount
        while start <= line.count {
            let end = line.firstOffset(of: ASCII.comma, from: start) ?? line.count
            let part = line[start..<end].withoutLineSpace
            if part.hasBytes("MPEGTS:", at: 0) {
                ticks = ticks ?? Self.ticks(part.suffix(from: 7).withoutLineSpace)
            } else if part.hasBytes("LOCAL:", at: 0) {
                local = local ?? Timestamp(whole: part.suffix(from: 6).withoutLineSpace)
            }
            start = end + 1
        }
        guard let ticks, let local else { return nil }
        self.init(mpegTS: ticks, local: local)
    }

    /// The header line that holds the map, without a terminator.
    public var headerLine: [UInt8] {
        var line = ReusableBuffer<UInt8>()
        write(to: &line)
        return Array(line.view)
    }

    /// Appends the header line that holds the map, without a terminator.
    package func write(to output: inout some ByteSink & ~Copyable) {
        output.append(Self.name)
        output.append("LOCAL:")
        local.write(to: &output)
        output.append(",MPEGTS:")
        output.append(digits: mpegTS)
    }

    /// What a header line with a map begins with.
    static var name: StaticString { "X-TIMESTAMP-MAP=" }

    private static var mask: UInt64 { 1 << 33 - 1 }

    private static func ticks(_ digits: ByteView) -> UInt64? {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return digits.reduce(0) { ($0 &* 10 &+ UInt64($1 &- ASCII.zero)) & mask }
    }
}

extension Timestamp {
    /// The timestamp that `text` is, all of it.
    public init?(whole text: ByteView) {
        guard let scanned = Timestamp.scan(text, from: 0), scanned.end == text.count else { return nil }
        self = scanned.timestamp
    }
}
