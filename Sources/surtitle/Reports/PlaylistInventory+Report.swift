internal import M3U8

extension PlaylistInventory {
    /// The report on the playlist: aligned text that begins with the rows of `heading`.
    func report(_ heading: TextTable) -> String {
        var heading = heading
        if media.segmentCount > 0 {
            heading.append("segments", "\(media.segmentCount)")
            heading.append("duration", media.duration.exactSeconds)
            heading.append("complete", media.isComplete ? "yes" : "no")
        }
        if variantCount > 0 { heading.append("variants", "\(variantCount)") }
        if renditionCount > 0 { heading.append("renditions", "\(renditionCount)") }
        var text = heading.text(indentation: 0)
        if let bad = media.badLine { text += "\nEXTINF without a duration: \(bad)\n" }
        text += section("tags", tagTable, unlisted: otherTagCount)
        text += section("variants", table(of: variants), unlisted: variantCount - variants.count)
        text += section(
            "i-frame and image streams", table(of: frameStreams), unlisted: frameStreamCount - frameStreams.count)
        for group in groups {
            text += section("group \(group.type) \(group.name)", table(of: group))
        }
        let unlisted = renditionCount - groups.map(\.renditions.count).reduce(0, +)
        if unlisted > 0 { text += "\n… and \(unlisted) more renditions\n" }
        return text
    }

    private func section(_ title: String, _ table: TextTable, unlisted: Int = 0) -> String {
        if table.isEmpty && unlisted == 0 { return "" }
        let more = unlisted > 0 ? "  … and \(unlisted) more\n" : ""
        return "\n\(Console.oneLine(title))\n\(table.text(indentation: 2))\(more)"
    }

    private var tagTable: TextTable {
        var table = TextTable(numbers: [0])
        for tag in tags { table.append("\(counts[tag] ?? 0)", tag) }
        return table
    }

    private func table(of variants: [Variant]) -> TextTable {
        var table = TextTable(numbers: [0])
        for variant in variants {
            table.append(
                variant.bandwidth, variant.resolution, variant.frameRate, variant.codecs, variant.groups, variant.uri)
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
