internal import ByteScan
internal import WebVTT

/// What is in a WebVTT file, gathered in one pass from its beginning.
final class CueInventory {
    /// Blocks that a parser leaves out for the same reason.
    struct Unparsed {
        let reason: UnparsedBlock.Reason
        var count: Int
        /// Where the first of them begins.
        let first: LinePlace
    }

    private var scanner = CueScanner()

    private(set) var cueCount = 0
    /// When the last cue in the file ends.
    private(set) var finalEnd: Timestamp?
    /// When the cue ends that ends last.
    private(set) var latestEnd: Timestamp?
    private(set) var noteCount = 0
    private(set) var styleCount = 0
    private(set) var regionCount = 0
    /// The blocks that are left out, in the order in which their reasons came up.
    private(set) var unparsed: [Unparsed] = []
    /// The first timestamp map.
    private(set) var timestampMap: TimestampMap?
    /// The first header line that should be a timestamp map and is none.
    private(set) var badMap: LinePlace?
    /// How many cues begin before the one before them in the file does, and the stream position of the first.
    private(set) var outOfOrder: (count: Int, position: Int) = (0, 0)
    /// The first block that was too long to tell whether it is a cue.
    private(set) var undecidedBlock: LinePlace?

    private var lastStart: Timestamp?

    /// Whether the file is WebVTT, so far as its first bytes tell.
    var isWebVTT: Bool {
        guard case .valid = scanner.signature else { return false }
        return true
    }

    /// Takes the next chunk.
    func scan(_ chunk: UnsafeRawBufferPointer) {
        // Under the default policy nothing is thrown: blocks that are too long are reported as skipped.
        try? unsafe scanner.scan(chunk, take)
    }

    /// Ends the file.
    func finish() { try? scanner.finish(take) }

    private func take(_ event: CueEvent) {
        switch event {
        case .cue(let cue): takeCue(at: cue.position, cue.start, cue.end)
        case .header(let line): take(line)
        case .note: noteCount += 1
        case .style: styleCount += 1
        case .region: regionCount += 1
        case .unparsed(let block): take(block)
        case .skipped(let block):
            if let start = block.start, let end = block.end {
                takeCue(at: block.position, start, end)
            } else {
                let place = LinePlace(position: block.position, number: block.lineNumber)
                undecidedBlock = undecidedBlock ?? place
            }
        }
    }

    private func takeCue(at position: Int, _ start: Timestamp, _ end: Timestamp) {
        if let lastStart, start < lastStart {
            outOfOrder = (outOfOrder.count + 1, outOfOrder.count == 0 ? position : outOfOrder.position)
        }
        lastStart = start
        cueCount += 1
        finalEnd = end
        latestEnd = max(latestEnd ?? end, end)
    }

    private func take(_ line: HeaderLine) {
        guard line.bytes.hasBytes("X-TIMESTAMP-MAP", at: 0) else { return }
        if let map = line.timestampMap {
            timestampMap = timestampMap ?? map
        } else {
            badMap = badMap ?? LinePlace(position: line.position, number: line.lineNumber)
        }
    }

    private func take(_ block: UnparsedBlock) {
        if let index = unparsed.firstIndex(where: { $0.reason == block.reason }) {
            unparsed[index].count += 1
        } else {
            let place = LinePlace(position: block.position, number: block.lineNumber)
            unparsed.append(Unparsed(reason: block.reason, count: 1, first: place))
        }
    }
}
