import ByteScan

/// Finds the end of a file's final cue and, in the same pass, the latest end of the cues in all bytes it is given.
///
/// Content lasts at least until the latest end, which may be later than that of the final cue. One call answers both:
///
///     var search = LatestEndSearch(byteBudget: 64 << 10)
///     search.prepend(tail)                    // .found(end), of the final cue
///     let latest = search.latestEnd           // of the cues in the tail
///
/// Blocks are handed over as to a ``FinalCueSearch``, whose notes hold here too, and may go on coming after the answer.
/// It looks at every byte within the budget; who wants the final cue alone is served sooner there.
public struct LatestEndSearch: Sendable {
    /// What is known of the final cue.
    ///
    /// All but `needsEarlierBytes` is final.
    public private(set) var answer = FinalCueSearch.Answer.needsEarlierBytes

    /// The latest end of the cues in the blocks so far; nil if there is none.
    ///
    /// A cue counts if it is ever shown, and if its timing line and the line terminator before that are in the blocks,
    /// within the budget. Cues of earlier bytes may end later.
    public private(set) var latestEnd: Timestamp?

    /// How many bytes may still be looked at; 0 once the file's first byte has been.
    private var bytesLeft: Int

    private var lines = TimingLineSearch()

    /// A search that looks at the last `byteBudget` bytes of a file at most; all of them unless said otherwise.
    public init(byteBudget: Int = .max) { bytesLeft = max(0, byteBudget) }

    /// Searches the `block` before all blocks handed so far, and tells what is now known of the final cue.
    ///
    /// `startsFile` says that `block` holds the first byte of the file. Without it the answer is never `noCue`.
    /// Of a block that outgrows the budget only the last bytes are looked at.
    ///
    /// - Complexity: O(*n*) for each block, 64 bytes a step between timing lines.
    @discardableResult
    public mutating func prepend(_ block: UnsafeRawBufferPointer, startsFile: Bool = false) -> FinalCueSearch.Answer {
        prepend(unsafe ByteView(block), startsFile: startsFile)
    }

    /// Searches the `block` before all blocks handed so far, and tells what is now known of the final cue.
    @discardableResult
    public mutating func prepend(_ block: RawSpan, startsFile: Bool = false) -> FinalCueSearch.Answer {
        unsafe block.withUnsafeBytes { prepend(unsafe ByteView($0), startsFile: startsFile) }
    }

    private mutating func prepend(_ block: ByteView, startsFile: Bool) -> FinalCueSearch.Answer {
        switch answer {
        case .noCue, .undecided: return answer
        case .found where bytesLeft == 0: return answer
        case .found, .needsEarlierBytes: break
        }
        let affordable = block[max(0, block.count &- bytesLeft)..<block.count]
        bytesLeft &-= affordable.count
        searchAll(affordable)
        if answer == .needsEarlierBytes {
            answer = .withoutCue(isCut: affordable.count < block.count, startsFile: startsFile, bytesLeft: bytesLeft)
        }
        lines.passOver(block)
        // Nothing comes before a file's first byte, whatever is handed over.
        if startsFile { bytesLeft = 0 }
        return answer
    }

    /// Notes the ends of all cues whose timing lines turn out to begin in `block`; the last one of all is the answer.
    private mutating func searchAll(_ block: ByteView) {
        var end = block.count
        while let found = lines.findLastTimes(in: block, before: &end) {
            if answer == .needsEarlierBytes { answer = .found(found.end) }
            guard let line = found.line, line.end > line.start else { continue }
            latestEnd = max(latestEnd ?? line.end, line.end)
        }
    }
}
