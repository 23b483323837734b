internal import CSurtitle
internal import M3U8
internal import Sideload

extension PlaylistReport {
    /// Fills all but the size; `left` is how many bytes of the output the caller has not taken.
    func fill(_ report: inout surtitle_report, outputLeft left: Int) {
        report.verdict = Int32(RewriterReport.verdict(verdict).rawValue)
        report.is_settled = isSettled && left == 0 ? 1 : 0
        report.verdict_position = Int64(verdictPosition ?? -1)
        report.held_bytes = UInt64(heldBytes)
        report.output_left = UInt64(left)
        report.added_bytes = UInt64(addedBytes)
        report.uneditable_lines = UInt64(uneditableLines)
        report.first_uneditable_line = Int64(firstUneditableLine ?? -1)
        report.mapped_uris = UInt64(mappedURIs)
        report.dropped_variants = UInt64(droppedVariants)
        report.exceeded_limit = exceededLimit.map { Int32(RewriterReport.limit($0.limit).rawValue) } ?? 0
        report.reserved = 0
        report.limit_position = Int64(exceededLimit?.position ?? -1)
    }
}

/// Verdicts and limits as surtitle.h has them.
enum RewriterReport {
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
