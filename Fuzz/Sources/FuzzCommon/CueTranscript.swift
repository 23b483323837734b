import ByteScan
import Support
import WebVTT

/// What a scanner handed out, in the words of the oracle and byte for byte.
struct CueTranscript: Equatable, Sendable {
    private(set) var blocks: [NaiveWebVTT.Block] = []
    /// The bytes of every event, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Whether every text, line by line, was the same as the whole of it.
    private(set) var hasSameLines = true
    private(set) var error: CueLimitError?
    private(set) var exceededLimit: CueLimitError?

    /// The events of `file`, handed to `scanner` in `split`.
    init(
        of file: UnsafeRawBufferPointer, in split: [Range<Int>], by scanner: inout CueScanner, _ faults: inout Faults
    ) {
        // An error comes once, when the chunk has been scanned, and scanning may go on after it.
        for range in split {
            do throws(CueLimitError) {
                try scanner.scan(UnsafeRawBufferPointer(rebasing: file[range])) { record($0) }
            } catch {
                if self.error != nil { faults.add("thrown twice") }
                self.error = error
            }
        }
        do throws(CueLimitError) {
            try scanner.finish { record($0) }
        } catch {
            if self.error != nil { faults.add("thrown twice") }
            self.error = error
        }
        exceededLimit = scanner.exceededLimit
        let position = scanner.position
        faults.expect(position, is: file.count, "position")
        for block in blocks {
            faults.expect((0...file.count).contains(block.position), "\(block) is outside the file")
        }
    }

    /// The events of the blocks that begin in `slice`.
    init(of slice: CueScanner.Slice, in file: UnsafeRawBufferPointer) {
        try? CueScanner.scan(slice, of: file) { record($0) }
    }

    /// A block of the oracle with only what events tell: line numbers are given for what is refused and for the header.
    static func comparable(_ block: NaiveWebVTT.Block) -> NaiveWebVTT.Block {
        var block = block
        if ["cue", "note", "style", "region"].contains(block.kind) { block.line = 0 }
        block.count = 0
        return block
    }

    private mutating func record(_ event: CueEvent) {
        switch event {
        case .header(let line):
            add(NaiveWebVTT.Block(kind: "header", position: line.position, line: line.lineNumber), line.text)
        case .note(let block): add(NaiveWebVTT.Block(kind: "note", position: block.position, line: 0), block.text)
        case .style(let block): add(NaiveWebVTT.Block(kind: "style", position: block.position, line: 0), block.text)
        case .region(let block):
            _ = block.settings
            add(NaiveWebVTT.Block(kind: "region", position: block.position, line: 0), block.text)
        case .cue(let cue): add(cue)
        case .unparsed(let block):
            let kind = "\(block.reason)"
            add(NaiveWebVTT.Block(kind: kind, position: block.position, line: block.lineNumber), block.text)
        case .skipped(let skipped):
            var block = NaiveWebVTT.Block(kind: "skipped", position: skipped.position, line: skipped.lineNumber)
            block.count = skipped.byteCount
            (block.start, block.end) = (skipped.start?.milliseconds ?? -1, skipped.end?.milliseconds ?? -1)
            blocks.append(block)
        }
    }

    private mutating func add(_ block: NaiveWebVTT.Block, _ text: CueText) {
        blocks.append(block)
        blocks[blocks.count - 1].text = text.string
        bytes += text.bytes
        var lines: [[UInt8]] = []
        text.forEachLine { lines.append(Array($0)) }
        let joined = NaiveWebVTT.decode(Array(lines.joined(separator: [0x0A])))
        if joined != text.string || text.isEmpty != lines.isEmpty { hasSameLines = false }
    }

    private mutating func add(_ cue: Cue) {
        var block = NaiveWebVTT.Block(kind: "cue", position: cue.position, line: 0)
        block.identifier = cue.identifier.string
        block.settings = cue.settingsText.string
        (block.start, block.end) = (cue.start.milliseconds, cue.end.milliseconds)
        add(block, cue.text)
        bytes += cue.bytes
        _ = cue.settings
    }
}
