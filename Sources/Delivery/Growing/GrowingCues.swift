package import ByteScan

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
///     try unsafe cues.append(chunk.span.bytes)
///     cues.seal(channel)                                     // after each version that the channel takes
///     if case .span(let span) = unsafe channel.find(name.span.bytes) { cues.write(span, into: &output) }
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

    /// So many bytes of the head are in the spans from `first` on.
    struct HeadPart: BitwiseCopyable {
        var first: LivePosition
        var end: Int
    }

    private(set) var configuration: GrowingConfiguration
    private var reader: GrowingReader
    var entries = ReusableBuffer<Entry>()
    var text = ReusableBuffer<UInt8>()
    /// Styles and regions, and how many bytes of them spans have from which one on.
    private(set) var head = ReusableBuffer<UInt8>()
    private(set) var headParts = ReusableBuffer<HeadPart>()
    private var number: UInt64

    /// The first span that is not sealed.
    var unsealed = LivePosition.first
    /// The first span that no version has listed yet, sealed or not.
    var unlisted = LivePosition.first
    /// When the first one begins that is not sealed, in milliseconds of cue time, if it is known.
    var edge: Int64?

    /// How many cues were left out, because they end at their start or before, or came too late.
    public internal(set) var leftOutCount = 0

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

    /// Takes bytes, as the form that takes a span.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(GrowingError) {
        try unsafe append(ByteView(bytes))
    }

    package mutating func append(_ bytes: ByteView) throws(GrowingError) {
        var taken = taken
        reader.scan(bytes) { cue in taken.take(cue) }
        keep(&taken)
        if let failure = reader.failure { throw failure }
    }

    /// Ends the writer's bytes: a last cue or line counts though nothing follows it.
    ///
    /// - Throws: ``GrowingError``, as `append`. In any case another writer may begin then.
    public mutating func finish() throws(GrowingError) {
        var taken = taken
        reader.finish { cue in taken.take(cue) }
        let failure = reader.failure
        keep(&taken)
        reader.reset()
        if let failure { throw failure }
    }

    /// What one call brings.
    private var taken: Taken {
        let kept = configuration.limits.kept
        return Taken(
            room: kept - text.count - head.count, cueRoom: kept / 64 + 1 - entries.count, hasCues: !entries.isEmpty)
    }

    /// Lets another writer begin, whose bytes are in this form. A cue that the one before has left unfinished is none.
    public mutating func begin(_ format: GrowingConfiguration.Format) {
        configuration.format = format
        reader = GrowingReader(configuration)
    }

    /// Breaks the writer's bytes off: a cue that is not whole is none. Another writer may begin.
    public mutating func abandon() { reader.reset() }

    /// Forgets all cues, but not their numbers.
    public mutating func reset() {
        reader.reset()
        entries.removeAll()
        text.removeAll()
        head.removeAll()
        headParts.removeAll()
    }

    /// Forgets the cues that have come. The writer goes on, and styles and regions stay.
    mutating func forgetCues() {
        entries.removeAll()
        text.removeAll()
    }

    /// Keeps the cues that one call has brought.
    private mutating func keep(_ taken: inout Taken) {
        if !taken.blocks.isEmpty {
            head.append(taken.blocks.view)
            headParts.append(HeadPart(first: unsealed, end: head.count))
        }
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
            entry.first = entry.isUntimed ? unlisted : unsealed
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
    private var room: Int
    private var cueRoom: Int
    private var hasCues: Bool

    init(room: Int, cueRoom: Int, hasCues: Bool) {
        (self.room, self.cueRoom, self.hasCues) = (room, cueRoom, hasCues)
    }

    /// Takes what is found; false if there is no room for it.
    mutating func take(_ found: GrowingReader.Found) -> Bool {
        switch found {
        case .block(let bytes):
            // What comes behind a cue would change segments that have none of it.
            if hasCues { return true }
            guard bytes.count + 2 <= room else { return false }
            room -= bytes.count + 2
            blocks.append(bytes)
            blocks.append("\n\n")
        case .cue(let cue):
            var entry = GrowingCues.Entry(
                start: cue.start, end: cue.end ?? cue.start + 30_000, number: 0, first: .first,
                isOpen: cue.end == nil, offset: 0, identifierCount: 0, settingsCount: 0, textCount: 0)
            // One that never shows has a number alone.
            if entry.end > entry.start {
                let count = cue.identifier.count + cue.settings.count + cue.text.count
                guard count <= room, cueRoom > 0 else { return false }
                room -= count
                cueRoom -= 1
                hasCues = true
                for part in [cue.identifier, cue.settings, cue.text] { text.append(part) }
                entry.identifierCount = Int32(cue.identifier.count)
                entry.settingsCount = Int32(cue.settings.count)
                entry.textCount = Int32(cue.text.count)
            }
            cues.append(entry)
        }
        return true
    }
}
