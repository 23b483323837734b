public import ByteScan

// A whole file by time.
//
// The cues stand in the order of their starts, 24 bytes each. Those of a span start before its end, which a binary
// search finds, and end after its start, for which there is a tree of latest ends, 16 children a node:
//
//     starts   0 1 2 2 5 7 … │ 30 31 … │ …      the lowest level: the latest end of each 16 cues
//              └──── 16 ────┘ └── 16 ──┘        of the next one: the latest of each 16 of those
//
// Whatever ends before the span in 16 cues, 256, 4096 … costs one comparison. In nearly all files the order of starts
// is that of the file, and cues are written as they are found; else they are put in the file's order first.

/// A whole WebVTT file by time, whose cues may stand in any order: any span of it as a segment (RFC 8216 3.5).
///
///     let index = try CueIndex(file)
///     var output = OutputPieces()
///     index.write(CueSpan(start: 6_000_000_000, end: 12_000_000_000), into: &output)
///     for piece in output { connection.send(piece) }                               // ranges are of index.file
///
/// A segment is what ``Segmenter`` makes of the same bounds: the signature, the span's map, all styles and regions, and
/// each cue that shows in the span, in the order of the file, byte for byte and with its full times. The file's own map
/// is in none. It never changes once it is made, and threads may share it.
public final class CueIndex: Sendable {
    /// What becomes of cues' identifiers.
    ///
    /// hls.js leaves out a cue whose identifier it has met before, in any file of a rendition, and one without an
    /// identifier that it takes for another's repetition. So live renditions name each cue.
    public enum Naming: Equatable, Sendable {
        /// They stay as they are; cues without one have none.
        case asTheyStand
        /// A cue without one gets `NAME.NUMBER`. The number is its position in the file.
        case ifNone([UInt8])
        /// The same, and an identifier that is there gets `NAME.` before it: for files that follow one another.
        case always([UInt8])
    }

    /// A cue: where it is and when it shows.
    private struct Entry: BitwiseCopyable {
        /// When it starts and ends, in milliseconds.
        let start: Int64
        let end: Int64
        let position: UInt32
        /// How many bytes it has, at most 1 GiB, and in the highest bit whether it has an identifier.
        let countAndName: UInt32

        var range: Range<Int> { Int(position)..<(Int(position) + Int(countAndName & ~Self.nameBit)) }
        var hasIdentifier: Bool { countAndName & Self.nameBit != 0 }

        static var nameBit: UInt32 { 1 << 31 }
    }

    /// The file, of which ranges in the output are.
    public let file: [UInt8]

    /// What becomes of cues' identifiers.
    public let naming: Naming

    /// The cues in the order of their starts; if that is the same, of the file.
    private let cues: [Entry]

    /// Whether that is the order of the file.
    private let isOrdered: Bool

    /// The latest end of each 16 cues, then of each 16 of those, up to 16 or fewer; and where each level begins.
    private let ends: [Int64]
    private let levels: [Int]

    /// Styles and regions as they stand in the file, with a blank line after each.
    private let blocks: [UInt8]
    private let terminator: LineTerminator

    /// The index of `file`.
    ///
    /// - Throws: ``SegmenterError``, if the file is no WebVTT or exceeds a limit; of the limits those of blocks and
    ///   heads count.
    /// - Complexity: O(*n* log *n*) in the number of cues, and O(*n*) in the bytes. The index takes 25 bytes a cue
    ///   beside the file.
    public convenience init(
        _ file: [UInt8], naming: Naming = .asTheyStand, limits: Segmenter.Limits = Segmenter.Limits()
    ) throws(SegmenterError) {
        guard UInt32(exactly: file.count) != nil else {
            throw SegmenterError(reason: .fileTooLong(limit: Int(clamping: UInt32.max)), position: 0)
        }
        var scan = Scan(limits: limits)
        file.withView { scan.read($0) }
        if let failure = scan.failure { throw failure }
        self.init(file, naming, scan)
    }

    /// Throws nothing: Embedded Swift does not free an object that is not whole.
    private init(_ file: [UInt8], _ naming: Naming, _ scan: borrowing Scan) {
        self.file = file
        self.naming = naming
        blocks = Array(scan.head.blockBytes)
        terminator = scan.head.terminator
        // The order is that of the file unless a cue starts before the one that stands before it.
        isOrdered = scan.isOrdered
        cues = scan.isOrdered ? scan.cues : scan.cues.sorted { ($0.start, $0.position) < ($1.start, $1.position) }
        (ends, levels) = Self.tree(of: cues)
    }

    /// How many cues the file has.
    public var cueCount: Int { cues.count }

    /// When the cue ends that ends last of those that ever show, in milliseconds; 0 if none does.
    public var latestEnd: Int64 { cues.reduce(0) { $1.end > $1.start ? max($0, $1.end) : $0 } }

    /// Collects the segment of `span` in `output`, in place of what is there; ranges are of ``file``.
    ///
    /// Nothing is allocated but the memory of the output, and the list of its cues if the file is not in order.
    ///
    /// - Complexity: O(log *n*) for a file of *n* cues, O(log *n*) for each cue of the segment that others before it
    ///   outlast by far, and O(1) for each other.
    public func write(_ span: CueSpan, into output: inout OutputPieces) {
        var writer = output.begin()
        writeHead(span.map, &writer)
        writeBlocks(&writer)
        file.withView { writeCues(of: span, in: $0, &writer) }
        writer.end()
    }

    /// Collects the segment of `span` that has the cues of all `files`, one after the other, in `output`, in place of
    /// what is there. All is copied; the files count in the same cue time.
    public static func write(_ span: CueSpan, of files: [CueIndex], into output: inout OutputPieces) {
        var writer = output.begin(copiesAll: true)
        files.first?.writeHead(span.map, &writer)
        for file in files { file.writeBlocks(&writer) }
        for file in files { file.file.withView { file.writeCues(of: span, in: $0, &writer) } }
        writer.end()
    }

    private func writeHead(_ map: TimestampMap?, _ writer: inout PieceWriter) {
        writer.append("WEBVTT")
        writer.append(terminator.bytes)
        if let map {
            map.write(to: &writer)
            writer.append(terminator.bytes)
        }
        writer.append(terminator.bytes)
    }

    private func writeBlocks(_ writer: inout PieceWriter) { blocks.withView { writer.append($0) } }

    private func writeCues(of span: CueSpan, in file: ByteView, _ writer: inout PieceWriter) {
        if isOrdered {
            forEachCue(of: span) { write(cues[$0], of: file, &writer) }
        } else {
            var found: [Int] = []
            forEachCue(of: span) { found.append($0) }
            found.sort { cues[$0].position < cues[$1].position }
            for index in found { write(cues[index], of: file, &writer) }
        }
    }

    private func write(_ cue: Entry, of file: ByteView, _ writer: inout PieceWriter) {
        switch naming {
        case .asTheyStand: break
        case .ifNone(let name): if !cue.hasIdentifier { write(name, number: cue.position, &writer) }
        case .always(let name): write(name, number: cue.hasIdentifier ? nil : cue.position, &writer)
        }
        let range = cue.range
        writer.append(OutputSlice(chunkAt: range.lowerBound, file[range]))
        let last = file[range.upperBound - 1]
        if !ASCII.isLineEnd(last) { writer.append(terminator.bytes) }
        writer.append(terminator.blankLine(after: last))
    }

    /// Writes `NAME.`, or `NAME.NUMBER` and the line's end.
    private func write(_ name: [UInt8], number: UInt32?, _ writer: inout PieceWriter) {
        name.withView { writer.append($0) }
        writer.append(ASCII.period)
        guard let number else { return }
        writer.append(digits: UInt64(number))
        writer.append(terminator.bytes)
    }
}

// The search.
extension CueIndex {
    private static var fanOut: Int { 16 }

    private static func tree(of cues: [Entry]) -> (ends: [Int64], levels: [Int]) {
        // What never shows counts as if it showed for a moment.
        var level = cues.map { max($0.end, $0.start == .max ? .max : $0.start + 1) }
        var (ends, levels): ([Int64], [Int]) = ([], [])
        while level.count > fanOut {
            level = stride(from: 0, to: level.count, by: fanOut).map { first in
                level[first..<min(first + fanOut, level.count)].reduce(.min) { max($0, $1) }
            }
            levels.append(ends.count)
            ends += level
        }
        return (ends, levels)
    }

    /// Calls `body` with the index of each cue of `span`, in the order of their starts.
    private func forEachCue(of span: CueSpan, _ body: (Int) -> Void) {
        let count = span.end == nil ? cues.count : firstCue(from: span.startLimit)
        let top = levels.last.map { ends.count - $0 } ?? cues.count
        for node in 0..<top where firstCue(below: node, at: levels.count) < count {
            visit(node, at: levels.count, before: count, span, body)
        }
    }

    /// Visits what is below the node with this number of a level; level 0 is the cues themselves.
    private func visit(_ node: Int, at level: Int, before count: Int, _ span: CueSpan, _ body: (Int) -> Void) {
        guard level > 0 else {
            if span.holds(start: cues[node].start, end: cues[node].end) { body(node) }
            return
        }
        guard ends[levels[level - 1] + node] > span.endLimit else { return }
        let first = node * Self.fanOut
        let siblings = level == 1 ? cues.count : levels[level - 1] - levels[level - 2]
        for child in first..<min(first + Self.fanOut, siblings) {
            guard firstCue(below: child, at: level - 1) < count else { return }
            visit(child, at: level - 1, before: count, span, body)
        }
    }

    /// The index of the first cue below a node.
    private func firstCue(below node: Int, at level: Int) -> Int { node << (4 * level) }

    /// How many cues start before `time`, in milliseconds.
    private func firstCue(from time: Int64) -> Int {
        var (low, high) = (0, cues.count)
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// What is read of the file.
extension CueIndex {
    private struct Scan: ~Copyable {
        let limits: Segmenter.Limits
        var head: SegmentHead
        var cues: [Entry] = []
        var isOrdered = true
        var failure: SegmenterError?

        init(limits: Segmenter.Limits) {
            self.limits = limits
            head = SegmentHead(maps: SegmentMaps(), limit: limits.head)
        }

        mutating func read(_ file: ByteView) {
            var scanner = CueScanner(limits: CueLimits(largestBlock: limits.largestBlock))
            head.terminator.scan(file)
            scanner.scan(file) { event in note(event) }
            scanner.end { event in note(event) }
            if case .valid = scanner.signature { return }
            failure = SegmenterError(reason: .notWebVTT, position: 0)
        }

        private mutating func note(_ event: CueEvent) {
            guard failure == nil else { return }
            switch event {
            case .style(let block): note(block.bytes, at: block.position)
            case .region(let block): note(block.bytes, at: block.position)
            case .skipped(let block):
                failure = SegmenterError(reason: .blockTooLong(limit: limits.largestBlock), position: block.position)
            case .cue(let cue): note(cue)
            case .header, .note, .unparsed: break
            }
        }

        private mutating func note(_ block: ByteView, at position: Int) {
            guard !head.append(block: block) else { return }
            failure = SegmenterError(reason: .headTooLong(limit: limits.head), position: position)
        }

        private mutating func note(_ cue: Cue) {
            let (start, end) = (cue.start.milliseconds, cue.end.milliseconds)
            if let last = cues.last, last.start > start { isOrdered = false }
            let nameBit = cue.outline.identifier.isEmpty ? 0 : Entry.nameBit
            cues.append(
                Entry(
                    start: start, end: end, position: UInt32(cue.position),
                    countAndName: UInt32(cue.bytes.count) | nameBit))
        }
    }
}
