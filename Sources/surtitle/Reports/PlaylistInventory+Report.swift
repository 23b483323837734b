internal import M3U8

extension PlaylistInventory {
    /// The report on the playlist of `byteCount` bytes and its `facts`: aligned text that begins with the rows of
    /// `heading`. What there is no room for is counted.
    func report(_ heading: TextTable, _ facts: PlaylistFacts, about byteCount: Int) -> String {
        var heading = heading
        if facts.segmentCount > 0 {
            heading.append("segments", "\(facts.segmentCount)")
            heading.append("duration", facts.duration.exactSeconds)
            heading.append("complete", facts.isComplete ? "yes" : "no")
        }
        if variantCount > 0 { heading.append("variants", "\(variantCount)") }
        if renditionCount > 0 { heading.append("renditions", "\(renditionCount)") }
        var report = ReportText(about: byteCount)
        report.append(heading.text(indentation: 0))
        if let bad = facts.malformedDuration { report.append("\nEXTINF without a duration: \(bad)\n") }
        append("tags", tagTable, unlisted: otherTagCount, to: &report)
        append("variants", table(of: variants), unlisted: variantCount - variants.count, to: &report)
        append(
            "i-frame and image streams", table(of: frameStreams), unlisted: frameStreamCount - frameStreams.count,
            to: &report)
        var listed = 0
        for group in groups {
            // A title belongs to the first line below it.
            var lines = table(of: group).lines(indentation: 2)
            lines[0] = "\n" + Console.oneLine("group \(group.type) \(group.name)") + "\n" + lines[0]
            listed += lines.count - report.append(asManyOf: lines)
        }
        if renditionCount > listed { report.append("\n… and \(renditionCount - listed) more renditions\n") }
        return report.text
    }

    private func append(_ title: String, _ table: TextTable, unlisted: Int, to report: inout ReportText) {
        if table.isEmpty && unlisted == 0 { return }
        report.append("\n\(title)\n")
        let more = unlisted + report.append(asManyOf: table.lines(indentation: 2))
        if more > 0 { report.append("  … and \(more) more\n") }
    }

    private var tagTable: TextTable {
        var table = TextTable(numbers: [0])
        for tag in tags { table.append("\(counts[tag] ?? 0)", tag) }
        return table
    }

    private func table(of variants: [Variant]) -> TextTable {
        var table = TextTable(numbers: [0])
        for variant in variants {
            let cells = ["BANDWIDTH", "RESOLUTION", "FRAME-RATE", "CODECS"].map { variant.attributes[$0] ?? "-" }
            table.append(cells[0], cells[1], cells[2], cells[3], variant.groups, variant.uri ?? "-")
        }
        return table
    }

    private func table(of group: Group) -> TextTable {
        var table = TextTable()
        for rendition in group.renditions {
            let flags = ["DEFAULT", "AUTOSELECT", "FORCED"].filter { rendition[$0] == "YES" }
            table.append(
                rendition["NAME"] ?? "-", rendition["LANGUAGE"] ?? "-",
                flags.isEmpty ? "-" : flags.joined(separator: " "),
                rendition["URI"] ?? rendition["INSTREAM-ID"] ?? "-")
        }
        return table
    }
}
