import ByteScan
import Support

@testable import WebVTT

/// What a scanner hands out, kept for comparison.
enum Transcript {
    /// The events of `file` scanned in chunks, in the words of the oracle.
    static func blocks(of file: [UInt8]) -> [NaiveWebVTT.Block] {
        var blocks: [NaiveWebVTT.Block] = []
        scan(file, in: [0..<file.count]) { blocks.append(block($0)) }
        return blocks
    }

    /// The events of `file` scanned in `chunks`, byte for byte.
    static func bytes(of file: UnsafeRawBufferPointer, in chunks: [Range<Int>], limits: CueLimits = CueLimits())
        -> [UInt8]
    {
        var transcript: [UInt8] = []
        var scanner = CueScanner(limits: limits)
        for chunk in chunks {
            try? scanner.scan(UnsafeRawBufferPointer(rebasing: file[chunk])) { append($0, to: &transcript) }
        }
        try? scanner.finish { append($0, to: &transcript) }
        append([scanner.position], to: &transcript)
        if let error = scanner.exceededLimit { append([error.position, error.lineNumber], to: &transcript) }
        return transcript
    }

    /// The events of `file` scanned in slices that begin at `cuts`, each by itself.
    static func bytes(of file: UnsafeRawBufferPointer, slicedAt cuts: [Int]) -> [UInt8] {
        var transcript: [UInt8] = []
        var hasSeenCue = false
        for (start, end) in zip([0] + cuts, cuts + [file.count]) {
            var lines = 0
            for offset in 0..<start
            where file[offset] == 0x0D || file[offset] == 0x0A && (offset == 0 || file[offset - 1] != 0x0D) {
                lines += 1
            }
            let slice = CueScanner.Slice(start..<end, isAfterCue: hasSeenCue, linesBefore: lines)
            try? CueScanner.scan(slice, of: file) { event in
                if case .cue = event { hasSeenCue = true }
                append(event, to: &transcript)
            }
        }
        append([file.count], to: &transcript)
        return transcript
    }

    static func scan(_ file: [UInt8], in chunks: [Range<Int>], _ body: (CueEvent) -> Void) {
        var scanner = CueScanner()
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        for chunk in chunks { try? scanner.scan(UnsafeRawBufferPointer(rebasing: guarded.buffer[chunk]), body) }
        try? scanner.finish(body)
    }

    static func block(_ event: CueEvent) -> NaiveWebVTT.Block {
        switch event {
        case .header(let line):
            NaiveWebVTT.Block(kind: "header", position: line.position, line: line.lineNumber, text: line.text.string)
        case .note(let block):
            NaiveWebVTT.Block(kind: "note", position: block.position, line: 0, text: block.text.string)
        case .style(let block):
            NaiveWebVTT.Block(kind: "style", position: block.position, line: 0, text: block.text.string)
        case .region(let block):
            NaiveWebVTT.Block(kind: "region", position: block.position, line: 0, text: block.text.string)
        case .cue(let cue): block(cue)
        case .unparsed(let block):
            NaiveWebVTT.Block(
                kind: "\(block.reason)", position: block.position, line: block.lineNumber, text: block.text.string)
        case .skipped(let block): NaiveWebVTT.Block(kind: "skipped", position: block.position, line: block.lineNumber)
        }
    }

    private static func block(_ cue: Cue) -> NaiveWebVTT.Block {
        var block = NaiveWebVTT.Block(kind: "cue", position: cue.position, line: 0, text: cue.text.string)
        block.identifier = cue.identifier.string
        block.settings = cue.settingsText.string
        (block.start, block.end) = (cue.start.milliseconds, cue.end.milliseconds)
        return block
    }

    /// The oracle's blocks with only what events tell: line numbers are given for what is refused and for the header.
    static func expected(_ file: [UInt8]) -> [NaiveWebVTT.Block]? {
        NaiveWebVTT.blocks(of: file)?.map { block in
            var block = block
            if ["cue", "note", "style", "region"].contains(block.kind) { block.line = 0 }
            block.count = 0
            return block
        }
    }

    private static func append(_ event: CueEvent, to transcript: inout [UInt8]) {
        switch event {
        case .header(let line): append([1, line.position, line.lineNumber], line.bytes, to: &transcript)
        case .note(let block): append([2, block.position], block.text.bytes, to: &transcript)
        case .style(let block): append([3, block.position], block.text.bytes, to: &transcript)
        case .region(let block): append([4, block.position], block.text.bytes, to: &transcript)
        case .cue(let cue):
            let outline = cue.outline
            append([5, outline.position, outline.byteCount], cue.bytes, to: &transcript)
            withUnsafeBytes(of: outline.timing) { transcript += $0 }
        case .unparsed(let block):
            append([6, block.position, block.lineNumber, block.text.bytes.count], block.text.bytes, to: &transcript)
            transcript += "\(block.reason)".utf8
        case .skipped(let block):
            append([7, block.position, block.lineNumber, block.byteCount], to: &transcript)
            append([block.start, block.end].map { Int($0?.milliseconds ?? -1) }, to: &transcript)
        }
    }

    private static func append(_ numbers: [Int], _ bytes: ByteView = ByteView(), to transcript: inout [UInt8]) {
        for number in numbers { withUnsafeBytes(of: number) { transcript += $0 } }
        transcript += bytes.buffer
    }
}
