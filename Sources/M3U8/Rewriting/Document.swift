internal import ByteScan

/// All that a rewriter knows of the document that is passing by: what a reset forgets.
struct Document {
    /// What the next byte belongs to.
    enum State: Equatable {
        /// The first line, not yet known to be `#EXTM3U`. What has come of it is carried.
        case signature
        /// The start of a line.
        case lineStart
        /// The rest of a line that nobody selected.
        case insideLine
        /// A line whose beginning is carried: its tag's name is not whole yet.
        case undecidedLine
        /// A selected line whose beginning is carried: it is edited once it is whole.
        case selectedLine(Selection)
        /// Text that is not edited any more.
        case passingThrough
        /// Text after the playlist has been broken off: it is not edited, and nothing is appended to it.
        case abandoned
    }

    /// What a line was selected as.
    enum Selection: Equatable {
        /// As a line of a tag: the one that the rewriter's matcher found last.
        case tag
        /// As a URI.
        case uri
        /// As a line of a tag whose lines are left out whatever becomes of the others.
        case leftOut
    }

    /// A limit that the chunk at hand has exceeded; of both the one of lines that are left out.
    enum NewLimit {
        case none
        case ofEditing
        case ofLeavingOut
    }

    var state = State.signature
    var kind = DocumentKind.undecided
    var verdict = PlaylistVerdict.undecided
    var newLimit = NewLimit.none

    /// Where the line begins that decided the verdict; nil as long as it is undecided.
    var verdictPosition: Int?

    /// How many bytes have been written, and the last of them.
    var position = 0
    var lastByte = ASCII.lineFeed

    /// Whether the first line ends in CRLF; nil as long as it has not ended.
    var usesCRLF: Bool?

    /// The lines that were to be edited but could not be.
    var uneditable = LineTally()

    /// How many of them a filter of variants has counted too.
    var uneditableForFilter = 0

    /// The line at which the limits made the rewriter stop editing.
    var exceededLimit: LimitError?

    /// Whether lines are left out of tags that the program leaves out, and how many bytes of them have been.
    var leavesOut: Bool
    var leftOutBytes = 0

    /// Where the line begins at which the limits made the rewriter stop leaving lines out; nil if none did.
    ///
    /// No more of it, because what maps URIs moves the rewriter, and with it this, from call to call.
    var leavingOutEnd: Int?

    /// What lines get appended that lack it.
    var appended: AppendedAttribute

    @inline(__always)
    init(appending appended: AppendedAttribute, leavesOut: Bool) {
        self.appended = appended
        self.leavesOut = leavesOut
    }

    /// Whether bytes are carried, so that those after them have to wait.
    @inline(__always)
    var isCarrying: Bool {
        switch state {
        case .signature, .undecidedLine, .selectedLine: true
        case .lineStart, .insideLine, .passingThrough, .abandoned: false
        }
    }
}
