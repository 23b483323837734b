public import ByteScan
internal import WebVTT

// Cues that come while the stream goes on.
//
//     append ── GrowingReader: bytes to cues ──▶ entries      a cue counts when its blank line, or JSON line, is there
//     seal   ── a version has brought spans: from now on they never change
//     write  ── the cues of one of them
//
// Which cues a span has is told by two comparisons, so nothing is kept for each span: it shows in the span, and the
// span had not been sealed when it came.
//
//     spans    1 sealed │ 2 sealed │ 3 … (not there yet)
//     a cue    ├────────────┤ comes now: it is in 3 only if it goes on there.  It does not: it is late
//
// Whether a cue is late is found out when spans are sealed, and it is bound to one of these then: never to a moment,
// which may fall into a hole between two dates.

/// Cues of one writer that come while the stream goes on, and segments of them.
///
///     var cues = GrowingCues(GrowingConfiguration(name: Array("en".utf8), format: .jsonLines))
///     try cues.append(chunk.span.bytes)
///     if try channel.take(version) …  { cues.seal(channel) }       // after each version
///     if case .span(let span) = channel.find(name) { cues.write(span, into: &output) }
public struct GrowingCues: ~Copyable, Sendable {
    /// A cue that has come.
    struct Entry: BitwiseCopyable {
        /// When it shows, in milliseconds of cue time.
        var start: Int64
        var end: Int64
        var number: UInt64
        /// The first span that has it: the first one that was not sealed when it came.
        var first: LivePosition
        /// The span that has it though it does not show there.
        var target: LivePosition?
        /// Whether a sealed span has it.
        var isPlaced = false
        /// Whether nobody has said when it ends: each span has the part of it that shows there.
        var isOpen = false
        /// Whether its start waits for the live edge.
        var isUntimed = false
        /// Where its bytes are: identifier, settings, text.
        var offset: Int
        var identifierCount: Int32
        var settingsCount: Int32
        var textCount: Int32

        var byteCount: Int { Int(identifierCount) + Int(settingsCount) + Int(textCount) }
    }

    let configuration: GrowingConfiguration
    private var reader: GrowingReader
    private(set) var entries = ReusableBuffer<Entry>()
    private var text = ReusableBuffer<UInt8>()
    /// Styles and regions.
    private var head = ReusableBuffer<UInt8>()
    private var number: UInt64

    /// The first span that is not sealed.
    private var unsealed = LivePosition.first
    /// When that begins, in milliseconds of cue time, if it is known.
    private var edge: Int64?

    /// How many cues were left out, because they end at their start or before, or came too late.
    public private(set) var leftOutCount = 0

    /// Cues that have not begun.
    public init(_ configuration: GrowingConfiguration) {
        self.configuration = configuration
        reader = GrowingReader(configuration)
        number = configuration.firstNumber
    }

    /// How many cues are kept.
    public var cueCount: Int { entries.count }

    /// How many bytes are held.
    public var heldBytes: Int {
        entries.count * MemoryLayout<Entry>.stride + text.count + head.count + reader.heldBytes
    }

    /// Takes bytes, of any number, as they come.
    ///
    /// - Throws: ``GrowingError``, once the cues before have been taken.
    public mutating func append(_ bytes: RawSpan) throws(GrowingError) {
        try unsafe bytes.withUnsafeBytes { (bytes) throws(GrowingError) in try append(unsafe ByteView(bytes)) }
    }

    mutating func append(_ bytes: ByteView) throws(GrowingError) {
        var taken = Taken(self.text.count, limit: configuration.limits.kept)
        let failure = Self.read(bytes, &reader, &taken)
        keep(&taken)
        if let failure { throw failure }
    }

    private static func read(
        _ bytes: ByteView, _ reader: inout GrowingReader, _ taken: inout Taken
    ) -> GrowingError? {
        reader.scan(bytes) { cue in taken.take(cue) }
        return reader.failure ?? taken.failure(at: reader.position)
    }

    /// Ends the writer's bytes: a last cue or line counts though nothing follows it.
    ///
    /// - Throws: ``GrowingError``, as ``append(_:)``. In any case another writer may begin then.
    public mutating func finish() throws(GrowingError) {
        var taken = Taken(text.count, limit: configuration.limits.kept)
        reader.finish { cue in taken.take(cue) }
        let failure = reader.failure ?? taken.failure(at: reader.position)
        keep(&taken)
        reader.reset()
        if let failure { throw failure }
    }

    /// Breaks the writer's bytes off: a cue that is not whole is none. Another writer may begin.
    public mutating func abandon() { reader.reset() }

    /// Forgets all cues, but not their numbers.
    public mutating func reset() {
        reader.reset()
        entries.removeAll()
        text.removeAll()
        head.removeAll()
    }

    /// Keeps the cues that one call has brought.
    private mutating func keep(_ taken: inout Taken) {
        if !taken.blocks.isEmpty, entries.isEmpty { head.append(taken.blocks.view) }
        var offset = 0
        for index in 0..<taken.cues.count {
            var entry = taken.cues[index]
            let bytes = taken.text.view[offset..<(offset + entry.byteCount)]
            offset += entry.byteCount
            entry.number = number
            number &+= 1
            guard time(&entry) else {
                leftOutCount += 1
                continue
            }
            entry.first = unsealed
            entry.offset = text.count
            text.append(bytes)
            entries.append(entry)
        }
    }

    /// Sets when the cue shows, and ends one that waits for the next; false if it never shows.
    private mutating func time(_ entry: inout Entry) -> Bool {
        guard entry.end > entry.start else { return false }
        if let latency = configuration.latency {
            let length = entry.end - entry.start
            entry.isUntimed = edge == nil
            entry.start = max((edge ?? 0) - latency, 0)
            entry.end = entry.start.times(1, plus: length) ?? .max
        }
        if entries.count > 0, entries[entries.count - 1].isOpen {
            // What has been sealed stays.
            let open = entries[entries.count - 1]
            entries[entries.count - 1].end = min(open.end, max(entry.start, edge ?? .min, open.start + 1))
        }
        return true
    }
}

/// Cues that one call has brought, before they are kept.
private struct Taken: ~Copyable {
    var cues = ReusableBuffer<GrowingCues.Entry>()
    var text = ReusableBuffer<UInt8>()
    var blocks = ReusableBuffer<UInt8>()
    private let room: Int
    private let limit: Int
    private var isFull = false

    init(_ kept: Int, limit: Int) {
        room = limit - kept
        self.limit = limit
    }

    mutating func take(_ cue: GrowingReader.Found) {
        switch cue {
        case .block(let bytes):
            guard bytes.count <= room - text.count - blocks.count else { return isFull = true }
            blocks.append(bytes)
            blocks.append("\n\n")
        case .cue(let cue):
            let count = cue.identifier.count + cue.settings.count + cue.text.count
            guard count <= room - text.count - blocks.count else { return isFull = true }
            for part in [cue.identifier, cue.settings, cue.text] { text.append(part) }
            cues.append(
                GrowingCues.Entry(
                    start: cue.start, end: cue.end ?? cue.start + 30_000, number: 0, first: .first,
                    isOpen: cue.end == nil, offset: 0, identifierCount: Int32(cue.identifier.count),
                    settingsCount: Int32(cue.settings.count), textCount: Int32(cue.text.count)))
        }
    }

    func failure(at position: Int) -> GrowingError? {
        isFull ? GrowingError(.tooMuchKept(limit: limit), at: position) : nil
    }
}

/// The place of a span among all: spans are sealed in this order.
struct LivePosition: Equatable, BitwiseCopyable {
    /// How often the stream had begun anew.
    var life: UInt32
    /// The number of the part; a whole segment comes after its parts.
    var part: UInt32
    var segment: UInt64

    static var first: LivePosition { LivePosition(life: 0, part: 0, segment: 0) }
    static var wholePart: UInt32 { .max }

    static func <= (left: LivePosition, right: LivePosition) -> Bool {
        if left.life != right.life { return left.life < right.life }
        if left.segment != right.segment { return left.segment < right.segment }
        return left.part <= right.part
    }

    init(life: UInt32, part: UInt32, segment: UInt64) {
        (self.life, self.part, self.segment) = (life, part, segment)
    }

    init(_ span: LiveSpan) {
        let part = span.part.map { UInt32(clamping: $0) } ?? Self.wholePart
        self.init(life: span.life, part: part, segment: span.segment)
    }

    /// Whether a span here has a cue that is bound to `target`: that one, or the whole segment of it.
    func has(_ target: LivePosition) -> Bool {
        self == target || life == target.life && segment == target.segment && part == Self.wholePart
    }
}

// Sealing.
extension GrowingCues {
    /// Seals the spans that the channel's last version has brought: from now on they never change.
    ///
    /// Call it after each version, before the rendition's playlist is answered.
    public mutating func seal(_ channel: borrowing LiveChannel) {
        guard let listed = channel.listed ?? channel.openListing else { return }
        let life = channel.state.life
        let isLaterLife = unsealed.life != life
        let isFirst = unsealed == .first
        let from = isLaterLife || isFirst ? listed.lowerBound : max(unsealed.segment, listed.lowerBound)
        var spans = NewSpans()
        // Segments whole and in parts, and the parts of the one that is not whole.
        let firstPart = isLaterLife || isFirst || from != unsealed.segment ? 0 : unsealed.part
        for number in from..<max(channel.current.end + 1, from) {
            let count = channel.configuration.lowLatency == .mirror ? channel.current.partCount(of: number) : 0
            let clock = channel.clockIndex(of: number).map { channel.clocks[$0] }
            for part in (number == from ? min(Int(firstPart), count) : 0)..<count {
                spans.note(channel.span(of: number, part, clock))
            }
            if number < channel.current.end { spans.note(channel.span(of: number, nil, clock)) }
        }
        place(in: spans, isFirst: isFirst, target: Int64(clamping: min(channel.targetDuration, 1 << 20)) * 1000)
        unsealed = LivePosition(life: life, part: UInt32(clamping: channel.openPartCount), segment: channel.current.end)
        edge = spans.end.map { $0 / 1_000_000 } ?? edge
        evict(before: channel.earliestTime.map { $0 / 1_000_000 })
    }

    /// Finds out which cues are in what is sealed now, and binds those that are late.
    private mutating func place(in spans: borrowing NewSpans, isFirst: Bool, target: Int64) {
        guard let first = spans.firstPart ?? spans.first, let end = spans.end else { return }
        let start = first.cues.start / 1_000_000
        for index in 0..<entries.count where !entries[index].isPlaced {
            var entry = entries[index]
            if entry.isUntimed {
                let length = entry.end - entry.start
                entry.start = max(start - (configuration.latency ?? 0), 0)
                entry.end = entry.start.times(1, plus: length) ?? .max
                entry.isUntimed = false
            }
            if spans.hold(entry) {
                entry.isPlaced = true
            } else if entry.end <= end / 1_000_000, !isFirst {
                bind(&entry, to: first, from: start, target: target)
            }
            entries[index] = entry
        }
    }

    /// Binds a late cue to the span that is sealed now.
    private mutating func bind(_ entry: inout Entry, to span: LiveSpan, from start: Int64, target: Int64) {
        entry.isPlaced = true
        switch configuration.late {
        case .spoken where start - entry.end <= 2 * target: entry.target = LivePosition(span)
        case .spoken, .shift:
            let length = min(max(entry.end - entry.start, 1000), 7000)
            entry.start = max(start, 0)
            entry.end = entry.start + length
            entry.first = LivePosition(span)
            entry.target = LivePosition(span)
        case .drop:
            leftOutCount += 1
            // Never shown: evicted with the others.
            entry.end = entry.start
        }
    }

    /// Forgets cues of which no span is held any more.
    private mutating func evict(before time: Int64?) {
        guard let time else { return }
        var unused = 0
        for index in 0..<entries.count where isUnused(entries[index], before: time) {
            unused += entries[index].byteCount + 64
        }
        guard unused > 4096, unused > (text.count + 64 * entries.count) / 4 else { return }
        var (kept, bytes) = (0, 0)
        for index in 0..<entries.count {
            var entry = entries[index]
            if isUnused(entry, before: time) { continue }
            text.move(entry.offset..<(entry.offset + entry.byteCount), to: bytes)
            entry.offset = bytes
            bytes += entry.byteCount
            entries[kept] = entry
            kept += 1
        }
        entries.truncate(to: kept)
        text.truncate(to: bytes)
    }

    private func isUnused(_ entry: Entry, before time: Int64) -> Bool {
        // A late cue is in a span that comes after it, by two target durations or so.
        !entry.isUntimed && entry.end < time && (entry.target == nil || entry.end < time - 600_000)
    }

    /// What is sealed by one version.
    struct NewSpans: ~Copyable {
        private(set) var first: LiveSpan?
        private(set) var firstPart: LiveSpan?
        private(set) var end: Int64?
        private var spans: [LiveSpan] = []

        mutating func note(_ span: LiveSpan) {
            guard span.isKnown else { return }
            first = first ?? span
            if span.part != nil { firstPart = firstPart ?? span }
            end = max(end ?? .min, span.cues.end ?? .min)
            spans.append(span)
        }

        func hold(_ entry: Entry) -> Bool {
            spans.contains { entry.first <= LivePosition($0) && $0.cues.shows(start: entry.start, end: entry.end) }
        }
    }
}

extension LiveChannel {
    /// The segment that is not whole, if the version has no other.
    fileprivate var openListing: ClosedRange<UInt64>? {
        openPartCount > 0 ? current.end...current.end : nil
    }

    /// When the earliest span begins that is held, in cue time.
    fileprivate var earliestTime: Int64? {
        for index in 0..<past.count { if let start = past[index].start { return start } }
        for index in 0..<current.segments.count { if let start = current.segments[index].start { return start } }
        return nil
    }
}

extension CueSpan {
    /// Whether something that is shown in those milliseconds shows in the span.
    func shows(start cueStart: Int64, end cueEnd: Int64) -> Bool {
        guard cueEnd > cueStart else { return false }
        let (first, last) = (cueStart.times(1_000_000) ?? .max, cueEnd.times(1_000_000) ?? .max)
        return last > start && (end.map { first < $0 } ?? true)
    }
}

// Writing.
extension GrowingCues {
    /// Collects the segment of `span` in `output`, in place of what is there; all is copied.
    ///
    /// - Complexity: O(*n*) in the cues that are kept.
    public borrowing func write(_ span: LiveSpan, into output: inout OutputPieces) {
        var writer = output.begin(copiesAll: true)
        writer.append("WEBVTT\n")
        if let map = span.cues.map {
            map.write(to: &writer)
            writer.append(ASCII.lineFeed)
        }
        writer.append(ASCII.lineFeed)
        writer.append(head.view)
        let position = LivePosition(span)
        for index in 0..<entries.count {
            let entry = entries[index]
            let isShown = entry.first <= position && span.cues.shows(start: entry.start, end: entry.end)
            let isBound = entry.target.map { position.has($0) } ?? false
            if span.isKnown, isShown || isBound, !entry.isUntimed {
                write(entry, in: span, &writer)
            }
        }
        writer.end()
    }

    private borrowing func write(_ entry: Entry, in span: LiveSpan, _ writer: inout PieceWriter) {
        let bytes = text.view[entry.offset..<(entry.offset + entry.byteCount)]
        let settingsStart = Int(entry.identifierCount)
        let textStart = settingsStart + Int(entry.settingsCount)
        configuration.name.withView { writer.append($0) }
        writer.append(ASCII.period)
        writer.append(digits: entry.number)
        if entry.isOpen {
            // A part of it in each span, each with a name of its own.
            writer.append(ASCII.period)
            writer.append(digits: span.segment)
            if let part = span.part {
                writer.append(ASCII.period)
                writer.append(digits: UInt64(clamping: part))
            }
        }
        if settingsStart > 0 {
            writer.append(ASCII.period)
            writer.append(bytes.prefix(upTo: settingsStart))
        }
        writer.append(ASCII.lineFeed)
        var (start, end) = (entry.start, entry.end)
        if entry.isOpen, entry.target == nil {
            start = max(start, (span.cues.start + 999_999) / 1_000_000)
            end = min(end, (span.cues.end ?? .max) / 1_000_000)
        }
        Timestamp(milliseconds: start).write(to: &writer)
        writer.append(" --> ")
        Timestamp(milliseconds: end).write(to: &writer)
        if textStart > settingsStart {
            writer.append(ASCII.space)
            writer.append(bytes[settingsStart..<textStart])
        }
        writer.append(ASCII.lineFeed)
        writer.append(bytes.suffix(from: textStart))
        writer.append(textStart < bytes.count ? "\n\n" : "\n")
    }
}
