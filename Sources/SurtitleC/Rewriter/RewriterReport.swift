internal import CSurtitle
internal import M3U8
internal import Sideload

extension PlaylistReport {
    /// Fills all but the size; `left` is how many bytes of the output the caller has not taken.
    func fill(_ report: inout surtitle_report, outputLeft left: Int) {
        report = surtitle_report(
            size: report.size, verdict: RewriterReport.verdict(verdict),
            is_settled: isSettled && left == 0 ? 1 : 0, verdict_position: Int64(verdictPosition ?? -1),
            held_bytes: UInt64(heldBytes), output_left: UInt64(left), added_bytes: UInt64(addedBytes),
            uneditable_lines: UInt64(uneditableLines), first_uneditable_line: Int64(firstUneditableLine ?? -1),
            mapped_uris: UInt64(mappedURIs), dropped_variants: UInt64(droppedVariants),
            exceeded_limit: RewriterReport.limit(exceededLimit), reserved: 0,
            limit_position: Int64(exceededLimit?.position ?? -1))
    }
}

/// Verdicts and limits as surtitle.h has them.
enum RewriterReport {
    static func verdict(_ verdict: PlaylistVerdict) -> Int32 {
        let known =
            switch verdict {
            case .undecided: SURTITLE_VERDICT_UNDECIDED
            case .multivariant: SURTITLE_VERDICT_MULTIVARIANT
            case .media: SURTITLE_VERDICT_MEDIA
            case .mixed: SURTITLE_VERDICT_MIXED
            case .notPlaylist: SURTITLE_VERDICT_NO_PLAYLIST
            }
        return Int32(known.rawValue)
    }

    static func limit(_ error: LimitError?) -> Int32 {
        let known =
            switch error?.limit.code {
            case nil: SURTITLE_LIMIT_NONE
            case 0: SURTITLE_LIMIT_LONGEST_LINE
            case 1: SURTITLE_LIMIT_HELD_RENDITIONS
            case 2: SURTITLE_LIMIT_LONGEST_GROUP_ID
            case 3: SURTITLE_LIMIT_APPENDED_TAGS
            case 4: SURTITLE_LIMIT_HELD_VARIABLES
            case 5: SURTITLE_LIMIT_LONGEST_URI
            default: SURTITLE_LIMIT_OTHER
            }
        return Int32(known.rawValue)
    }
}
