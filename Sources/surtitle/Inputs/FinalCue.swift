internal import ByteScan
internal import WebVTT

/// When the final cue of a file of subtitles ends.
///
/// Of WebVTT only the head and the tail are read, if the file can be read at any position; of other formats, of what is
/// converted into UTF-8, and of a pipe, all.
struct FinalCue {
    /// The answer of the search; nil if the file is of no known format.
    let answer: FinalCueSearch.Answer?
    /// What it is then, if its first bytes tell.
    private let foreign: ForeignFormat?

    /// Searches the last `budget` bytes of `file` at most. Of a file that is read whole more than `budget` bytes are
    /// undecided; a pipe is read to its end in any case.
    init(of file: borrowing InputFile, budget: Int, _ reading: SubtitleReading) throws(Failure) {
        let decoder = try SubtitleDecoder(file.name, reading)
        if let size = file.size, try SubtitleDecoder.isVerbatim(file, reading.unshifted) {
            let found = try Self.search(file, size: size, budget: budget)
            if let shifted = Self.shifted(found, by: reading.shift) {
                answer = shifted
                foreign = shifted == nil ? ForeignFormat(head: try SubtitleDecoder.head(of: file)) : nil
                return
            }
        }
        answer = try Self.wholeAnswer(file, decoder, budget: file.size == nil ? .max : budget)
        foreign = decoder.foreign
    }

    /// What `found` becomes by `shift`; nil if the cue is left out, so that one before it is the final one.
    private static func shifted(_ found: FinalCueSearch.Answer?, by shift: Int64) -> FinalCueSearch.Answer?? {
        guard case .found(let end) = found, end != .maximum else { return .some(found) }
        let (sum, isTooLate) = end.milliseconds.addingReportingOverflow(shift)
        if !isTooLate, sum <= 0, shift != 0 { return nil }
        return .some(.found(isTooLate ? .maximum : Timestamp(milliseconds: sum)))
    }

    /// The time at which the cue ends. If there is no answer, the file called `name` is refused, with the advice
    /// `advice`.
    func end(in name: String, otherwise advice: String) throws(Failure) -> Timestamp {
        switch answer {
        case .found(let end): return end
        case .noCue: throw .refused(name, "no cue in the whole file; \(advice)")
        case .undecided, .needsEarlierBytes:
            throw .refused(name, "undecided: no cue among the last bytes that may be read; raise --budget")
        case nil: throw .notSubtitles(name, foreign)
        }
    }

    private static func search(
        _ file: borrowing InputFile, size: Int, budget: Int
    ) throws(Failure) -> FinalCueSearch.Answer? {
        let block = unsafe InputFile.chunk
        let memory = Memory(max(block, WebVTTSignature.decidingByteCount))
        let headCount = min(size, WebVTTSignature.decidingByteCount)
        try unsafe file.fill(prefix(of: memory, headCount), from: 0)
        guard unsafe isWebVTT(head: memory.bytes(headCount)) else { return nil }

        var search = FinalCueSearch(byteBudget: budget)
        var end = size
        // Nearly always the last few thousand bytes tell. If they do not, larger blocks cost fewer calls.
        var count = min(block, 4 << 10)
        repeat {
            count = min(count, end)
            try unsafe file.fill(prefix(of: memory, count), from: end - count)
            unsafe search.prepend(memory.bytes(count), startsFile: count == end)
            end -= count
            count = block
        } while search.answer == .needsEarlierBytes
        return search.answer
    }

    /// Whether a file is WebVTT by its `head`: its first ten bytes, or all of a shorter file.
    private static func isWebVTT(head: UnsafeRawBufferPointer) -> Bool {
        guard case .valid = unsafe WebVTTSignature(head: head, isWholeFile: true) else { return false }
        return true
    }

    private static func prefix(of memory: borrowing Memory, _ count: Int) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory.buffer[..<count])
    }

    /// The answer of `file`, which is read from its beginning: only from there can other formats' cues be told from
    /// text, and characters be converted.
    private static func wholeAnswer(
        _ file: borrowing InputFile, _ decoder: SubtitleDecoder, budget: Int
    ) throws(Failure) -> FinalCueSearch.Answer? {
        var byteCount = 0
        var facts = SubtitleFacts()
        try unsafe file.forEachTextChunk { (bytes) throws(Failure) in
            byteCount += bytes.count
            if byteCount <= budget { try unsafe decoder.write(bytes) { unsafe facts.write($0) } }
        }
        if byteCount > budget { return .undecided }
        try unsafe decoder.finish { unsafe facts.write($0) }
        facts.finish()
        if decoder.format == .neither { return nil }
        return facts.finalEnd.map { .found($0) } ?? .noCue
    }
}
