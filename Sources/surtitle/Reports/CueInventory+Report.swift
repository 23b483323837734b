internal import M3U8
internal import WebVTT

extension CueInventory {
    /// The report on the file: aligned text that begins with the rows of `heading`.
    ///
    /// If the file `isConverted`, locations are left out, because they are not those of the file that the user has.
    /// Lines are given: what has them there is WebVTT in another encoding, with the same lines.
    func report(_ heading: TextTable, isConverted: Bool) -> String {
        var table = heading
        table.append("cues", "\(cueCount)")
        for (what, count) in [("notes", noteCount), ("styles", styleCount), ("regions", regionCount)] where count > 0 {
            table.append(what, "\(count)")
        }
        let unparsedCount = unparsed.map(\.count).reduce(leftOut?.count ?? 0, +)
        if unparsedCount > 0 { table.append("unparsed", "\(unparsedCount)") }
        if let timestampMap {
            table.append("timestamp map", "MPEGTS \(timestampMap.mpegTS), LOCAL \(timestampMap.local)")
        }
        if let badMap { table.append("bad timestamp map", Self.words(badMap, isConverted)) }
        table.append("duration", finalEnd?.seconds ?? "none")
        table.append("latest", latestEnd?.seconds ?? "none")
        if let first = firstOutOfOrder {
            table.append("out of order", "\(outOfOrderCount)\(isConverted ? "" : ", first at byte \(first)")")
        }
        if let longBlock { table.append("too long", isConverted ? "no cue" : "no cue, \(longBlock)") }
        if let undecidedBlock { table.append("too long to tell", isConverted ? "yes" : undecidedBlock.description) }
        var text = table.text(indentation: 0)
        if unparsedCount > 0 { text += "\nunparsed\n\(unparsedTable(isConverted).text(indentation: 2))" }
        return text
    }

    static let brokenArrow = "broken arrow, such as - >, between the times"

    private static func words(_ location: LineLocation, _ isConverted: Bool) -> String {
        isConverted ? "line \(location.number)" : "\(location)"
    }

    private func unparsedTable(_ isConverted: Bool) -> TextTable {
        var table = TextTable(numbers: [0])
        for blocks in unparsed {
            table.append("\(blocks.count)", blocks.reason.words, "first: \(Self.words(blocks.first, isConverted))")
        }
        if let leftOut {
            table.append(
                "\(leftOut.count)", Self.brokenArrow, "first: \(leftOut.location)")
        }
        return table
    }
}

extension UnparsedBlock.Reason {
    /// The reason as a report gives it.
    var words: String {
        switch self {
        case .malformedTiming: "no times on the line with -->"
        case .noTiming: "no line with -->"
        case .styleAfterCue: "style sheet after a cue"
        case .regionAfterCue: "region after a cue"
        case .emptyStyle: "style sheet without a line"
        case .emptyRegion: "region without a line"
        }
    }
}
