internal import WebVTT

/// What is in a WebVTT file, gathered in one pass from its beginning.
final class CueInventory {
    private var scanner = CueScanner()

    private(set) var cueCount = 0
    /// When the last cue in the file ends.
    private(set) var finalEnd: Timestamp?
    /// When the cue ends that ends last.
    private(set) var latestEnd: Timestamp?
    private(set) var styleCount = 0
    private(set) var regionCount = 0
    /// The first block that was too long to tell whether it is a cue.
    private(set) var undecidedBlock: LinePlace?

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
        case .cue(let cue): take(cue.end)
        case .style: styleCount += 1
        case .region: regionCount += 1
        case .skipped(let block):
            if let end = block.end {
                take(end)
            } else {
                let place = LinePlace(position: block.position, number: block.lineNumber)
                undecidedBlock = undecidedBlock ?? place
            }
        default: break
        }
    }

    private func take(_ end: Timestamp) {
        cueCount += 1
        finalEnd = end
        latestEnd = max(latestEnd ?? end, end)
    }
}
