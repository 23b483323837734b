public import M3U8

/// What there is to say of a playlist, as far as it has passed by.
///
/// If it is edited and gets tracks, positions are those of the edited playlist, unless they are of what the edits could
/// not do.
public struct PlaylistReport: Equatable, Sendable {
    /// What it has turned out to be. Past a limit that stays as it is.
    public internal(set) var verdict = PlaylistVerdict.undecided
    /// The position, in bytes, of the line that decided the verdict; nil as long as it is undecided.
    public internal(set) var verdictPosition: Int?
    /// How many bytes are carried, which have been written and not been handed out.
    public internal(set) var heldBytes = 0
    /// Whether all that is still to come passes through unchanged, and nothing is carried or will be appended.
    public internal(set) var isSettled = true
    /// How many lines could not be edited, and how many variants could not be given a group, or have one that cannot be
    /// read. A line that several edits were for counts once; a variant that neither edits nor tracks can read, twice.
    public internal(set) var uneditableLines = 0
    /// The position, in bytes, of the first of them.
    public internal(set) var firstUneditableLine: Int?
    /// Of ``uneditableLines`` the variants that have no group that can be read.
    public internal(set) var uneditableVariants = 0
    /// How many variants there are of a playlist that gets tracks, as long as it is a multivariant one.
    public internal(set) var variants = 0
    /// How many variants were kept by the recipe's condition, and how many were dropped.
    public internal(set) var keptVariants = 0, droppedVariants = 0
    /// How many URIs have become others.
    public internal(set) var mappedURIs = 0
    /// How many URIs were left alone because they refer to a variable without a value.
    public internal(set) var unresolvedURIs = 0
    /// The position, in bytes, of the first line with such a URI.
    public internal(set) var firstUnresolvedURI: Int?
    /// How many bytes of tags have been added at the end for the tracks.
    public internal(set) var addedBytes = 0
    /// The limit that was exceeded, if any: there the edits ended, or the sideloading.
    public internal(set) var exceededLimit: LimitError?

    init() {}

    /// Adds what there is to say of the editing.
    mutating func add(_ rewriter: borrowing PlaylistRewriter, _ decisions: LineDecisions) {
        verdict = rewriter.verdict
        verdictPosition = rewriter.verdictPosition
        heldBytes += rewriter.heldBytes
        isSettled = isSettled && rewriter.isSettled
        // What the filter has counted too it adds itself.
        note(uneditable: rewriter.uneditableLines - rewriter.uneditableForFilter, first: rewriter.firstUneditableLine)
        exceededLimit = rewriter.exceededLimit
        decisions.add(to: &self)
    }

    /// Adds what there is to say of the playlist that has got tracks, once what is said of the editing has been added.
    mutating func add(_ rewriter: borrowing MasterRewriter) {
        verdict = rewriter.verdict
        verdictPosition = rewriter.verdictPosition
        heldBytes += rewriter.heldBytes
        isSettled = isSettled && rewriter.isSettled
        note(uneditable: rewriter.uneditableLines, first: rewriter.firstUneditableLine)
        uneditableVariants = rewriter.uneditableLines
        variants = rewriter.variants
        addedBytes = rewriter.addedBytes
        exceededLimit = exceededLimit ?? rewriter.rewriter.leavingOutLimit ?? rewriter.exceededLimit
    }

    /// Counts lines that could not be edited.
    mutating func note(uneditable count: Int, first: Int?) {
        uneditableLines += count
        guard let first else { return }
        firstUneditableLine = min(firstUneditableLine ?? first, first)
    }
}
