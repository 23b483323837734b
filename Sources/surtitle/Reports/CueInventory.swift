internal import ByteScan
internal import M3U8
internal import WebVTT

/// What is in a WebVTT file, gathered while its bytes pass by.
final class CueInventory {
    /// Blocks that a parser leaves out for the same reason.
    struct Unparsed {
        let reason: UnparsedBlock.Reason
        var count: Int
        /// The first line of the first of them.
        let first: LineLocation
    }

    private var scanner = CueScanner()

    private(set) var cueCount = 0
    /// How many of them have no text.
    private(set) var emptyCount = 0
    /// Receives the times of each cue.
    var forEachCue: (Timestamp, Timestamp) -> Void = { _, _ in }
    /// When the last cue in the file ends.
    private(set) var finalEnd: Timestamp?
    /// When the cue ends that ends last, of those that ever show.
    private(set) var latestEnd: Timestamp?
    private(set) var noteCount = 0
    private(set) var styleCount = 0
    private(set) var regionCount = 0
    /// The blocks that are left out, in the order in which their reasons came up.
    private(set) var unparsed: [Unparsed] = []
    /// The cues of SubRip that do not get here: how many, and where the first is.
    var leftOut: (count: Int, location: String)?
    /// The first timestamp map.
    private(set) var timestampMap: TimestampMap?
    /// The first malformed timestamp map.
    private(set) var badMap: LineLocation?
    /// How many cues start before the previous cue in the file does.
    private(set) var outOfOrderCount = 0
    /// The stream position, in bytes, of the first of them.
    private(set) var firstOutOfOrder: Int?
    /// The first block that was too long to tell whether it is a cue.
    private(set) var undecidedBlock: LineLocation?
    /// The first block that is no cue and was too long to tell what else it is.
    private(set) var longBlock: LineLocation?

    /// What keeps cues from showing, each fault with how many there are and where the first is.
    private(set) var hidden: [CueFault: (count: Int, first: String)] = [:]

    private var lastStart: Timestamp?

    /// Whether the file is WebVTT, as far as its first bytes tell.
    var isWebVTT: Bool {
        guard case .valid = scanner.signature else { return false }
        return true
    }

    /// Scans the next chunk.
    func scan(_ chunk: UnsafeRawBufferPointer) {
        // Under the default policy nothing is thrown: blocks that are too long are reported as skipped.
        try? unsafe scanner.scan(chunk, note)
    }

    /// Ends the file.
    func finish() { try? scanner.finish(note) }

    private func note(_ event: CueEvent) {
        switch event {
        case .cue(let cue):
            if cue.end <= cue.start { note(.neverShows, "at byte \(cue.position)") }
            if cue.text.bytes.isEmpty { emptyCount += 1 }
            noteCue(at: cue.position, cue.start, cue.end)
        case .header(let line): note(line)
        case .note: noteCount += 1
        case .style: styleCount += 1
        case .region: regionCount += 1
        case .unparsed(let block): note(block)
        case .skipped(let block):
            if let start = block.start, let end = block.end {
                noteCue(at: block.position, start, end)
            } else if block.hasArrow {
                undecidedBlock = undecidedBlock ?? LineLocation(position: block.position, number: block.lineNumber)
            } else {
                longBlock = longBlock ?? LineLocation(position: block.position, number: block.lineNumber)
            }
        }
    }

    private func noteCue(at position: Int, _ start: Timestamp, _ end: Timestamp) {
        if let lastStart, start < lastStart {
            outOfOrderCount += 1
            firstOutOfOrder = firstOutOfOrder ?? position
        }
        lastStart = start
        forEachCue(start, end)
        cueCount += 1
        finalEnd = end
        if end > start { latestEnd = max(latestEnd ?? end, end) }
    }

    private func note(_ line: WebVTTHeaderLine) {
        guard line.bytes.hasBytes("X-TIMESTAMP-MAP", at: 0) else { return }
        if let map = line.timestampMap {
            timestampMap = timestampMap ?? map
        } else {
            badMap = badMap ?? LineLocation(position: line.position, number: line.lineNumber)
        }
    }

    private func note(_ fault: CueFault, _ location: @autoclosure () -> String) {
        hidden[fault] = hidden[fault].map { ($0.count + 1, $0.first) } ?? (1, location())
    }

    private func note(_ block: UnparsedBlock) {
        if let fault = CueFault(block) {
            note(fault, "\(LineLocation(position: block.position, number: block.lineNumber))")
        }
        if let index = unparsed.firstIndex(where: { $0.reason == block.reason }) {
            unparsed[index].count += 1
        } else {
            let first = LineLocation(position: block.position, number: block.lineNumber)
            unparsed.append(Unparsed(reason: block.reason, count: 1, first: first))
        }
    }
}
