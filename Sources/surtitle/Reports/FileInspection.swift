internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

/// What `surtitle inspect` finds out about a file, and its report.
struct FileInspection {
    /// How a report is written.
    enum Form {
        /// Text for people.
        case readable
        /// One JSON object in a line.
        case json
    }

    /// What is printed.
    let report: String

    /// Reads `file` once and from its beginning, so that it may be a pipe.
    init(_ file: borrowing InputFile, as form: Form, _ reading: SubtitleReading) throws(Failure) {
        var reader = PlaylistReader()
        let playlist = PlaylistInventory()
        let cues = CueInventory()
        let decoder = try SubtitleDecoder(file.name, reading)
        /// Why the file cannot be converted, which does not matter if it is a playlist.
        var refusal: Failure?
        var byteCount = 0
        var media = MediaStartScanner()
        try unsafe file.forEachTextChunk { (bytes) throws(Failure) in
            byteCount += bytes.count
            unsafe media.write(bytes)
            if refusal == nil {
                refusal = fault(
                    of: try unsafe decoder.write(bytes) { if decoder.format != .neither { unsafe cues.scan($0) } })
            }
            guard reader.facts.verdict != .notPlaylist else { return }
            unsafe reader.write(bytes) { line, _ in playlist.note(line) }
        }
        reader.finish { line, _ in playlist.note(line) }
        let facts = reader.facts
        let isPlaylist = facts.verdict != .notPlaylist
        if refusal == nil, !isPlaylist {
            refusal = fault(of: try unsafe decoder.finish { unsafe cues.scan($0) })
            cues.finish()
            // A file without a cue is of no format of which WebVTT is made, whatever its name.
            if cues.cueCount == 0 { refusal = nil }
            cues.leftOut = decoder.leftOut
        }

        var heading = TextTable()
        var members = JSONObject()
        func note(_ name: String, _ value: String) {
            heading.append(name, value)
            members.append(name, value)
        }
        func note(_ name: String, _ count: Int) {
            heading.append(name, "\(count)")
            members.append(name, count)
        }
        if isPlaylist {
            note("kind", "\(facts.verdict)")
            note("bytes", byteCount)
            note("lines", facts.lineCount)
            report =
                switch form {
                case .readable: playlist.report(heading, facts, about: byteCount)
                case .json: playlist.json(members, facts, about: byteCount)
                }
        } else {
            if let refusal { throw refusal }
            var format: SubtitleFormat?
            if case .known(let known) = decoder.format, !known.isConverted || cues.cueCount > 0 || cues.leftOut != nil {
                format = known
            }
            let segment = format == nil ? SegmentStart(media.finish()) : nil
            note("kind", format?.kind ?? (segment == nil ? "neither" : "segment"))
            if format == nil, segment == nil, let foreign = decoder.foreign, foreign != .empty {
                heading.append("looks like", foreign.name)
                members.append("looks_like", foreign.name)
            }
            if let segment {
                heading.append("first time stamp", segment.words)
                members.append("first_time_stamp", orNull: segment.ticks)
            }
            if format != nil, let encoding = decoder.encoding { note("encoding", encoding.name) }
            note("bytes", byteCount)
            let isConverted = format?.isConverted == true || decoder.encoding != nil || reading.shift != 0
            report =
                switch (form, format != nil) {
                case (.readable, true): cues.report(heading, isConverted: isConverted)
                case (.readable, false): heading.text(indentation: 0)
                case (.json, true): cues.json(members, isConverted: isConverted)
                case (.json, false): members.text + "\n"
                }
        }
    }
}
