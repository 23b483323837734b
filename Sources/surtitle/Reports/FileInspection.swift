internal import M3U8
internal import WebVTT

/// What `surtitle inspect` finds out about a file, and its report.
struct FileInspection {
    /// What is printed.
    let report: String

    /// Reads `file` once and from its beginning, so that it may be a pipe.
    init(_ file: borrowing InputFile, chunk: Int, _ reading: SubtitleReading) throws(Failure) {
        let reader = PlaylistReader()
        let playlist = PlaylistInventory()
        let cues = CueInventory()
        let decoder = SubtitleDecoder(file.name, reading)
        /// Why the file is no SubRip, which does not matter if it is a playlist.
        var refusal: Failure?
        var byteCount = 0
        try unsafe file.forEachChunk(of: chunk) { bytes in
            byteCount += bytes.count
            if refusal == nil {
                do throws(Failure) {
                    try unsafe decoder.write(bytes) { unsafe cues.scan($0) }
                } catch {
                    refusal = error
                }
            }
            unsafe reader.scan(bytes) { line, location in if reader.isPlaylist { playlist.note(line, location) } }
        }
        reader.finish { line, location in if reader.isPlaylist { playlist.note(line, location) } }
        if refusal == nil, !reader.isPlaylist {
            do throws(Failure) {
                try unsafe decoder.finish { unsafe cues.scan($0) }
            } catch {
                refusal = error
            }
            cues.finish()
            // A file without a cue is no SubRip, whatever its name.
            if cues.cueCount == 0 { refusal = nil }
            cues.leftOut = decoder.leftOut
        }

        var heading = TextTable()
        if reader.isPlaylist {
            heading.append("kind", "\(reader.kind.verdict)")
            heading.append("bytes", "\(byteCount)")
            heading.append("lines", "\(reader.kind.lineCount)")
            report = playlist.report(heading)
        } else {
            if let refusal { throw refusal }
            let isSubRip = decoder.format == .subRip && (cues.cueCount > 0 || cues.leftOut != nil)
            let isWebVTT = decoder.format == .webVTT
            heading.append("kind", isWebVTT ? "webvtt" : isSubRip ? "subrip" : "neither")
            if isWebVTT || isSubRip, let encoding = decoder.encoding { heading.append("encoding", encoding.name) }
            heading.append("bytes", "\(byteCount)")
            report =
                isWebVTT || isSubRip
                ? cues.report(heading, isConverted: isSubRip || decoder.encoding != nil || reading.shift != .none)
                : heading.text(indentation: 0)
        }
    }
}
