import ByteScan

/// What every segment begins with: the signature, the timestamp map, a blank line, and the styles and regions.
///
///     WEBVTT
///     X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
///
///     STYLE
///     ::cue { color: lime }
///
struct SegmentHead: ~Copyable {
    private let givenMap: StableBytes?
    private let limit: Int

    /// The header line with the file's own map.
    private var ownMap = ReusableBuffer<UInt8>()

    /// The styles and regions as they stand in the file, with a blank line after each.
    private var blocks = ReusableBuffer<UInt8>()

    /// The whole, once it is known.
    private var text = ReusableBuffer<UInt8>()

    /// How the file ends its lines.
    var terminator = LineTerminator.unknown

    /// A head with `map` in place of the file's own, if it is given.
    init(map: TimestampMap?, limit: Int) {
        givenMap = map.map { StableBytes($0.headerLine) }
        self.limit = limit
    }

    mutating func reset() {
        ownMap.removeAll()
        blocks.removeAll()
        text.removeAll()
        terminator = .unknown
    }

    /// Appends a header line if it is a map, and returns whether the limit allows it. The first map counts; other lines are left out.
    mutating func append(_ line: HeaderLine) -> Bool {
        guard givenMap == nil, ownMap.isEmpty, line.timestampMap != nil else { return true }
        guard line.bytes.count <= limit else { return false }
        ownMap.append(line.bytes)
        return true
    }

    /// Appends a style or a region, and returns whether the limit allows it.
    mutating func append(block: ByteView) -> Bool {
        guard block.count <= limit &- blocks.count &- ownMap.count else { return false }
        blocks.append(block)
        if let last = block.last, !ASCII.isLineEnd(last) { blocks.append(terminator.bytes) }
        blocks.append(terminator.blankLine(after: blocks.view.last ?? 0))
        return true
    }

    /// Puts the whole together.
    mutating func compose() {
        text.append(ByteView("WEBVTT"))
        text.append(terminator.bytes)
        let map = givenMap?.view ?? ownMap.view
        if !map.isEmpty {
            text.append(map)
            text.append(terminator.bytes)
        }
        text.append(terminator.bytes)
        text.append(blocks.view)
    }

    /// The bytes of the head, of which there are none before ``compose()``.
    var bytes: ByteView { text.view }
}
