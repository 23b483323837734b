import ByteScan

/// What every segment begins with: the signature, the timestamp map of its timeline, a blank line, and the styles and
/// regions.
///
///     WEBVTT
///     X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
///
///     STYLE
///     ::cue { color: lime }
///
struct SegmentHead: ~Copyable {
    let maps: SegmentMaps
    /// The map's line of each timeline, the first one's first.
    private let lines: [StableBytes?]
    private let limit: Int

    /// How many timelines have begun behind the first.
    private var laterTimelines = 0

    /// The header line with the file's own map.
    private var ownMap = ReusableBuffer<UInt8>()

    /// The styles and regions as they stand in the file, with a blank line after each.
    private var blocks = ReusableBuffer<UInt8>()

    /// The whole; empty before the first segment begins.
    private var text = ReusableBuffer<UInt8>()

    /// How the file ends its lines.
    var terminator = LineTerminator.unknown

    init(maps: SegmentMaps, limit: Int) {
        self.maps = maps
        lines = ([maps.first] + maps.later.map { $0.map }).map { map in map.map { StableBytes($0.headerLine) } }
        self.limit = limit
    }

    mutating func reset() {
        laterTimelines = 0
        ownMap.removeAll()
        blocks.removeAll()
        text.removeAll()
        terminator = .unknown
    }

    /// The file's own map, if it is asked for and its line has come.
    var own: TimestampMap? { TimestampMap(headerLine: ownMap.view) }

    /// Appends a header line if it is a map, and returns whether the limit allows it. The first map counts; other lines
    /// are left out.
    mutating func append(_ line: WebVTTHeaderLine) -> Bool {
        guard maps.first == nil || maps.prefersOwn, ownMap.isEmpty, line.timestampMap != nil else { return true }
        guard line.bytes.count <= limit else { return false }
        ownMap.append(line.bytes)
        return true
    }

    /// Appends a style or a region, and returns whether the limit allows it.
    mutating func append(block: ByteView) -> Bool {
        guard block.count <= limit &- blocks.count &- ownMap.count else { return false }
        blocks.append(block)
        let last = block[block.count &- 1]
        if !ASCII.isLineEnd(last) { blocks.append(terminator.bytes) }
        blocks.append(terminator.blankLine(after: last))
        return true
    }

    /// Begins segment `index`: puts the whole together, unless it is that of the segment before.
    mutating func begin(segment index: Int) {
        let before = laterTimelines
        while laterTimelines < maps.later.count, maps.later[laterTimelines].firstSegment <= index {
            laterTimelines &+= 1
        }
        if text.isEmpty || laterTimelines != before { compose() }
    }

    /// Goes back before the first segment.
    mutating func rewind() {
        laterTimelines = 0
        text.removeAll()
    }

    private mutating func compose() {
        text.removeAll()
        text.append(ByteView("WEBVTT"))
        text.append(terminator.bytes)
        let map = laterTimelines == 0 && !ownMap.isEmpty ? ownMap.view : lines[laterTimelines]?.view ?? ByteView()
        if !map.isEmpty {
            text.append(map)
            text.append(terminator.bytes)
        }
        text.append(terminator.bytes)
        text.append(blocks.view)
    }

    /// The styles and regions, with a blank line after each.
    var blockBytes: ByteView { blocks.view }

    /// The bytes of the head; none before the first segment begins.
    var bytes: ByteView { text.view }
}
