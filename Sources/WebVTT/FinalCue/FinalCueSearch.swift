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
/// Four things to know:
/// - The final cue is the last one in the file, not the one that ends last: ``LatestEndSearch`` looks for both.
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
        case noCue

        /// The budget is spent and the answer is not known; it is never guessed.
        case undecided
    }

    /// What is known so far.
    ///
    /// All but ``Answer/needsEarlierBytes`` is final.
    public private(set) var answer = Answer.needsEarlierBytes

    /// How many bytes may still be looked at.
    private var bytesLeft: Int

    private var lines = TimingLineSearch()

    /// A search that looks at the last `byteBudget` bytes of a file at most; all of them unless said otherwise.
    public init(byteBudget: Int = .max) { bytesLeft = max(0, byteBudget) }

    /// Searches the `block` before all blocks handed so far, and tells what is now known.
    ///
    /// `startsFile` says that `block` holds the first byte of the file. Without it the answer is never
    /// ``Answer/noCue``. Of a block that outgrows the budget only the last bytes are looked at.
    @discardableResult
    public mutating func prepend(_ block: UnsafeRawBufferPointer, startsFile: Bool = false) -> Answer {
        prepend(unsafe ByteView(block), startsFile: startsFile)
    }

    /// Searches the `block` before all blocks handed so far, and tells what is now known.
    @discardableResult
    public mutating func prepend(_ block: RawSpan, startsFile: Bool = false) -> Answer {
        unsafe block.withUnsafeBytes { prepend(unsafe ByteView($0), startsFile: startsFile) }
    }

    mutating func prepend(_ block: ByteView, startsFile: Bool) -> Answer {
        guard answer == .needsEarlierBytes else { return answer }
        let affordable = block[max(0, block.count &- bytesLeft)..<block.count]
        bytesLeft &-= affordable.count
        var end = affordable.count
        if let time = lines.findLast(in: affordable, before: &end) {
            answer = .found(time)
        } else {
            answer = .withoutCue(isCut: affordable.count < block.count, startsFile: startsFile, bytesLeft: bytesLeft)
            if answer == .needsEarlierBytes { lines.passOver(block) }
        }
        return answer
    }
}

extension FinalCueSearch.Answer {
    /// What is known after a block without a timing line, of which the budget cut off a part or not and left
    /// `bytesLeft`.
    @inline(__always)
    static func withoutCue(isCut: Bool, startsFile: Bool, bytesLeft: Int) -> Self {
        if isCut { return .undecided }
        if startsFile { return .noCue }
        return bytesLeft == 0 ? .undecided : .needsEarlierBytes
    }
}
