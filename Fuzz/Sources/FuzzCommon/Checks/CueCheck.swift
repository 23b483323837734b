import Support
import WebVTT

/// The blocks of a WebVTT file are those of the specification, wherever it is cut, and whoever scans which part of it.
enum CueCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let file = input.text
        let largest = input.choices.limit(orDefault: 1 << 20)
        let limits = CueLimits(largestBlock: largest, policy: input.choices.flag() ? .fail : .skip)
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        var scanner = CueScanner(limits: limits)
        // A scanner that is reset in the middle of its work is as new.
        try? scanner.scan(UnsafeRawBufferPointer(rebasing: guarded.buffer.prefix(file.count / 2))) { _ in }
        var whole: CueTranscript?
        for (number, split) in input.splits().enumerated() {
            scanner.reset()
            let buffer = number % 2 == 1 ? guarded.leadingBuffer : guarded.buffer
            let transcript = CueTranscript(of: buffer, in: split, by: &scanner, &faults)
            if let whole { faults.expect(transcript, is: whole, "\(Faults.words(split))") }
            whole = whole ?? transcript
        }
        guard let whole else { return }
        faults.expect(whole.hasSameLines, "a text is not what its lines are")
        let naive = NaiveWebVTT.blocks(of: file)
        if largest < 1 << 20 {
            checkLimited(whole, naive ?? [], largest, &faults)
            faults.expect(whole.error == nil || limits.policy == .fail, "thrown where blocks are skipped")
        } else {
            let expected = (naive ?? []).map(CueTranscript.comparable)
            faults.expect(whole.blocks, is: expected, "the blocks")
            faults.expect(
                whole.blocks.filter { $0.kind == "cue" }.map(\.end),
                is: (NaiveTimings.cues(in: file) ?? []).map(\.end), "the ends")
            checkSlices(guarded.buffer, whole, &input.choices, &faults)
        }
        let outlines = cueOutlines(in: guarded.buffer)
        faults.expect(outlines.map(\.end.milliseconds), is: (NaiveTimings.cues(in: file) ?? []).map(\.end), "outlines")
        for outline in outlines {
            let cue = outline.cue(in: guarded.buffer)
            faults.expect(cue?.outline, is: outline, "an outline's cue")
        }
    }

    /// Only what is too large is lost.
    private static func checkLimited(
        _ transcript: CueTranscript, _ blocks: [NaiveWebVTT.Block], _ largest: Int, _ faults: inout Faults
    ) {
        let cues = blocks.filter { $0.kind == "cue" && $0.count <= largest }.map(CueTranscript.comparable)
        faults.expect(transcript.blocks.filter { $0.kind == "cue" }, is: cues, "cues up to \(largest) bytes")
        let header = blocks.first?.kind == "header" ? blocks.first?.position : nil
        let skipped = transcript.blocks.filter { $0.kind == "skipped" && $0.position != header }
        let tooLarge = blocks.filter { $0.kind != "header" && $0.count > largest }
        faults.expect(skipped.map(\.position), is: tooLarge.map(\.position), "blocks of more than \(largest) bytes")
        faults.expect(skipped.map(\.count), is: tooLarge.map(\.count), "their lengths")
        faults.expect(skipped.map(\.line), is: tooLarge.map(\.line), "their lines")
    }

    /// Slices that are scanned separately, sometimes by two threads, give the events of the whole.
    private static func checkSlices(
        _ file: UnsafeRawBufferPointer, _ whole: CueTranscript, _ choices: inout Choices, _ faults: inout Faults
    ) {
        var bounds = (0..<3).map { _ in choices.number(upTo: 65_535) % (file.count + 1) }.sorted()
        if choices.flag() {
            bounds = bounds.map { cut in file[..<cut].lastIndex { [0x0A, 0x0D].contains($0) }.map { $0 + 1 } ?? cut }
        }
        let slices = zip([0] + bounds, bounds + [file.count]).map { $0..<$1 }
        let counts = slices.map { slice in
            file[..<slice.lowerBound].indices.filter {
                file[$0] == 0x0D || file[$0] == 0x0A && ($0 == 0 || file[$0 - 1] != 0x0D)
            }.count
        }
        // Styles and regions count only before the first cue.
        let firstCue = whole.blocks.first { $0.kind == "cue" }?.position ?? .max
        let shared = SharedFile(buffer: file)
        let scan = { @Sendable (number: Int) in
            let slice = CueScanner.Slice(
                slices[number], isAfterCue: firstCue < slices[number].lowerBound, linesBefore: counts[number])
            return CueTranscript(of: slice, in: shared.buffer)
        }
        let parts =
            choices.oneIn(32) ? Parallel.results(slices.count, scan) : slices.indices.map(scan)
        faults.expect(parts.flatMap(\.blocks), is: whole.blocks, "scanned as \(slices)")
        faults.expect(parts.flatMap(\.bytes), is: whole.bytes, "the bytes, scanned as \(slices)")
    }
}

/// Memory that several threads read and none writes.
private struct SharedFile: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer
}
