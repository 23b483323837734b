import ByteScan

/// Finds the end of a file's final cue by reading the file from its tail, a block at a time.
///
/// A parser makes exactly one attempt at every line with an arrow, whatever came before it, and a success is never
/// undone. So the last line of the file that has the form of a timing line is the final cue's, and if that is among
/// the last few thousand bytes, as it nearly always is, nothing else need be read:
///
///     var search = FinalCueSearch(byteBudget: 64 << 10)
///     search.prepend(lastBlock)               // .needsEarlierBytes
///     search.prepend(blockBefore)             // .found(end)
///
/// Blocks are handed from the end of the file backward, each ending where the one before it began, in any sizes; sizes
/// never change the answer. No block is kept: a search remembers a fixed number of bytes, however long the lines are.
///
/// A search that ``findsLatestEnd`` looks at all bytes it is given, in the same pass, and tells when the cue among them ends
/// that ends last: content lasts at least until then. Blocks may go on coming after the answer.
///
/// Four things to know:
/// - The final cue is the last one in the file, not the one that ends last.
/// - The signature is not looked at. A file without one has no cues at all: see ``WebVTTSignature``.
/// - The first line of a file is the signature's, even if it looks like a timing line.
/// - The end of the first block counts as the end of the file, and so of its last line. If a file is still being
///   written, leave out the bytes after its last line terminator: they may be half a timing line.
public struct FinalCueSearch: Sendable {
    /// What is known after a block.
    public enum Answer: Equatable, Sendable {
        /// The time at which the final cue ends.
        case found(Timestamp)

        /// The blocks so far do not tell; hand over the bytes before them.
        case needsEarlierBytes

        /// The whole file has been searched and has no cue.
        case none

        /// The budget is spent and the answer is not known; it is never guessed.
        case undecided
    }

    /// What is known so far.
    ///
    /// All but ``Answer/needsEarlierBytes`` is final.
    public private(set) var answer = Answer.needsEarlierBytes

    /// Whether the search looks for ``latestEnd`` too, and so goes on after its answer.
    public let findsLatestEnd: Bool

    /// The latest end of the cues in the blocks so far; nil if there is none, or if nobody asked for it.
    ///
    /// A cue counts if it is ever shown, and if its timing line and the line terminator before that are in the blocks, within
    /// the budget. Cues of earlier bytes may end later.
    public private(set) var latestEnd: Timestamp?

    /// How many bytes may still be looked at.
    private var bytesLeft: Int

    /// The beginning of what has been searched.
    private var head = ShortenedText()

    /// An arrow with a time after it, while the part of its line before it is being read.
    private var candidate: (end: Timestamp, prefix: TimingPrefix)?

    /// A search that looks at the last `byteBudget` bytes of a file at most; all of them unless said otherwise.
    public init(byteBudget: Int = .max, findsLatestEnd: Bool = false) {
        bytesLeft = max(0, byteBudget)
        self.findsLatestEnd = findsLatestEnd
    }

    /// Searches the `block` before all blocks handed so far, and tells what is now known.
    ///
    /// `startsFile` says that `block` holds the first byte of the file. Without it the answer is never ``Answer/none``.
    /// Of a block that outgrows the budget only the last bytes are looked at.
    @discardableResult
    public mutating func prepend(_ block: UnsafeRawBufferPointer, startsFile: Bool = false) -> Answer {
        prepend(unsafe ByteView(block), startsFile: startsFile)
    }

    mutating func prepend(_ block: ByteView, startsFile: Bool) -> Answer {
        if findsLatestEnd { return prependAll(block, startsFile: startsFile) }
        guard answer == .needsEarlierBytes else { return answer }
        let affordable = block[max(0, block.count &- bytesLeft)..<block.count]
        bytesLeft &-= affordable.count
        let end = search(affordable)
        answer = next(after: end, isCut: affordable.count < block.count, startsFile: startsFile)
        if answer == .needsEarlierBytes { head = ShortenedText(block, from: 0, before: head) }
        return answer
    }

    /// What is known after a block in which the final cue's `end` was found or not, and of which the budget cut a part or not.
    @inline(__always)
    private func next(after end: Timestamp?, isCut: Bool, startsFile: Bool) -> Answer {
        if let end { return .found(end) }
        if isCut { return .undecided }
        if startsFile { return .none }
        return bytesLeft == 0 ? .undecided : .needsEarlierBytes
    }

    /// The end of the final cue, if its timing line turns out to begin in `block`.
    private mutating func search(_ block: ByteView) -> Timestamp? {
        var end = block.count
        if candidate != nil {
            if let found = readPrefix(in: block, before: &end) { return found }
        } else if let arrow = cutArrow(at: block) {
            if let found = tryArrow(at: arrow, in: block, before: &end) { return found }
        }
        return searchArrows(block, before: &end)
    }

    /// Looks at the arrows before `end`, from right to left, up to one on a timing line that begins in `block`.
    @inline(__always)
    private mutating func searchArrows(_ block: ByteView, before end: inout Int) -> Timestamp? {
        while candidate == nil, let arrow = block.lastArrow(before: end) {
            if let found = tryArrow(at: arrow, in: block, before: &end) { return found }
        }
        return nil
    }

    /// The offset of an arrow that begins in `block` and ends after it.
    private func cutArrow(at block: ByteView) -> Int? {
        let count = block.count
        if head.has(ASCII.greaterThan, at: 0), block.hasBytes("--", at: count &- 2) { return count &- 2 }
        guard head.has(ASCII.hyphen, at: 0), head.has(ASCII.greaterThan, at: 1) else { return nil }
        return block.hasBytes("-", at: count &- 1) ? count &- 1 : nil
    }

    /// Looks at both sides of the arrow at `arrow`, the far one first: it is kept while the line's beginning is awaited.
    private mutating func tryArrow(at arrow: Int, in block: ByteView, before end: inout Int) -> Timestamp? {
        end = arrow
        guard let time = ShortenedText(block, from: arrow &+ 3, before: head).timestamp else { return nil }
        candidate = (time, TimingPrefix())
        return readPrefix(in: block, before: &end)
    }

    /// Reads the bytes before `end` for the candidate, which stays one only where `block` ends before its line begins.
    private mutating func readPrefix(in block: ByteView, before end: inout Int) -> Timestamp? {
        while end > 0, let verdict = candidate?.prefix.read(block[end &- 1]) {
            switch verdict {
            case .needsEarlierBytes: end &-= 1
            case .matched: return candidate?.end
            case .rejected: candidate = nil
            }
        }
        return nil
    }
}

// The search for the latest end too: all of every block is looked at, after the answer as well.
extension FinalCueSearch {
    @inline(never)
    private mutating func prependAll(_ block: ByteView, startsFile: Bool) -> Answer {
        switch answer {
        case .none, .undecided: return answer
        case .found where bytesLeft == 0: return answer
        case .found, .needsEarlierBytes: break
        }
        let affordable = block[max(0, block.count &- bytesLeft)..<block.count]
        bytesLeft &-= affordable.count
        let end = searchAll(affordable)
        if answer == .needsEarlierBytes {
            answer = next(after: end, isCut: affordable.count < block.count, startsFile: startsFile)
        }
        head = ShortenedText(block, from: 0, before: head)
        // Nothing comes before a file's first byte, whatever is handed over.
        if startsFile { bytesLeft = 0 }
        return answer
    }

    /// The end of the last cue whose timing line turns out to begin in `block`; the ends of all of them are noted.
    private mutating func searchAll(_ block: ByteView) -> Timestamp? {
        var end = block.count
        var last: Timestamp?
        var match = candidate != nil ? readPrefix(in: block, before: &end) : nil
        if match == nil, candidate == nil, end == block.count, let arrow = cutArrow(at: block) {
            match = tryArrow(at: arrow, in: block, before: &end)
        }
        while let found = match ?? searchArrows(block, before: &end) {
            last = last ?? found
            noteTimingLine(at: end, in: block)
            candidate = nil
            match = nil
        }
        return last
    }

    /// Notes the end of the cue whose timing line begins at `start` of `block` or, at the block's end, after it.
    private mutating func noteTimingLine(at start: Int, in block: ByteView) {
        guard let line = ShortenedText(block, from: start, before: head).timingLine, line.end > line.start else {
            return
        }
        latestEnd = max(latestEnd ?? line.end, line.end)
    }
}
