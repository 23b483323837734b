internal import CSurtitle
internal import M3U8

/// What there is to say of a playlist: the fields of a `surtitle_report`.
struct RewriterReport {
    var verdict = PlaylistVerdict.undecided
    var verdictPosition: Int?
    var heldBytes = 0
    var isSettled = true
    var outputLeft = 0
    var addedBytes = 0
    var uneditableLines = 0
    var firstUneditableLine: Int?
    var mappedURIs = 0
    var droppedVariants = 0
    var exceededLimit: LimitError?

    /// Adds lines that could not be edited.
    mutating func noteUneditable(_ count: Int, first: Int?) {
        uneditableLines += count
        guard let first else { return }
        firstUneditableLine = min(firstUneditableLine ?? first, first)
    }

    /// The same playlist once it has been edited, which `edits` tells of.
    func after(_ edits: RewriterReport) -> RewriterReport {
        var report = self
        report.heldBytes += edits.heldBytes
        report.isSettled = isSettled && edits.isSettled
        report.noteUneditable(edits.uneditableLines, first: edits.firstUneditableLine)
        report.mappedURIs = edits.mappedURIs
        report.droppedVariants = edits.droppedVariants
        report.exceededLimit = edits.exceededLimit ?? exceededLimit
        return report
    }

    /// Fills all but the size.
    func fill(_ report: inout surtitle_report) {
        report.verdict = Int32(Self.verdict(verdict).rawValue)
        report.is_settled = isSettled && outputLeft == 0 ? 1 : 0
        report.verdict_position = Int64(verdictPosition ?? -1)
        report.held_bytes = UInt64(heldBytes)
        report.output_left = UInt64(outputLeft)
        report.added_bytes = UInt64(addedBytes)
        report.uneditable_lines = UInt64(uneditableLines)
        report.first_uneditable_line = Int64(firstUneditableLine ?? -1)
        report.mapped_uris = UInt64(mappedURIs)
        report.dropped_variants = UInt64(droppedVariants)
        report.exceeded_limit = exceededLimit.map { Int32(Self.limit($0.limit).rawValue) } ?? 0
        report.reserved = 0
        report.limit_position = Int64(exceededLimit?.position ?? -1)
    }

    static func verdict(_ verdict: PlaylistVerdict) -> surtitle_verdict {
        switch verdict {
        case .undecided: SURTITLE_VERDICT_UNDECIDED
        case .multivariant: SURTITLE_VERDICT_MULTIVARIANT
        case .media: SURTITLE_VERDICT_MEDIA
        case .mixed: SURTITLE_VERDICT_MIXED
        case .notPlaylist: SURTITLE_VERDICT_NO_PLAYLIST
        }
    }

    static func limit(_ limit: LimitError.Limit) -> surtitle_limit {
        switch limit.code {
        case 0: SURTITLE_LIMIT_LONGEST_LINE
        case 1: SURTITLE_LIMIT_HELD_RENDITIONS
        case 2: SURTITLE_LIMIT_LONGEST_GROUP_ID
        case 3: SURTITLE_LIMIT_APPENDED_TAGS
        case 4: SURTITLE_LIMIT_HELD_VARIABLES
        case 5: SURTITLE_LIMIT_LONGEST_URI
        default: SURTITLE_LIMIT_OTHER
        }
    }
}
