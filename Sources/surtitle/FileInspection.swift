internal import M3U8
internal import WebVTT

/// What `surtitle inspect` finds out, and how it says so.
struct FileInspection {
    /// What is printed.
    let report: String

    /// Looks into `file`, once and from its beginning, so that it may be a pipe.
    init(_ file: borrowing InputFile, chunk: Int) throws(Failure) {
        let kind = PlaylistKind()
        let playlist = PlaylistInventory()
        let cues = CueInventory()
        var byteCount = 0
        try unsafe file.forEachChunk(of: chunk) { bytes in
            byteCount += bytes.count
            unsafe cues.scan(bytes)
            unsafe kind.scan(bytes) { line, place in if kind.isPlaylist { playlist.take(line, place) } }
        }
        cues.finish()
        kind.finish { line, place in if kind.isPlaylist { playlist.take(line, place) } }

        var heading = TextTable()
        if kind.isPlaylist {
            heading.append("kind", "\(kind.verdict)")
            heading.append("bytes", "\(byteCount)")
            heading.append("lines", "\(kind.lineCount)")
            report = playlist.report(heading)
        } else {
            heading.append("kind", cues.isWebVTT ? "webvtt" : "neither")
            heading.append("bytes", "\(byteCount)")
            report = (cues.isWebVTT ? Self.filled(heading, cues) : heading).text(indentation: 0)
        }
    }

    private static func filled(_ heading: TextTable, _ cues: CueInventory) -> TextTable {
        var table = heading
        table.append("cues", "\(cues.cueCount)")
        if cues.styleCount > 0 { table.append("styles", "\(cues.styleCount)") }
        if cues.regionCount > 0 { table.append("regions", "\(cues.regionCount)") }
        table.append("duration", cues.finalEnd?.seconds ?? "none")
        table.append("latest", cues.latestEnd?.seconds ?? "none")
        if let block = cues.undecidedBlock { table.append("too long to tell", block.description) }
        return table
    }
}
