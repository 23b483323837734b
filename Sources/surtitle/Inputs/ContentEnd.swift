internal import WebVTT

/// Until when the content of a file of subtitles lasts: the latest end of all its cues that show.
///
/// All of the file is read, once and from its beginning, so that it may be a pipe. Many a film ends with an advert's cue that is
/// shown in its first seconds, so the final cue does not tell. A cue that ends at its start or before never shows.
struct ContentEnd {
    /// What the cues tell.
    private enum Answer {
        case end(Timestamp)
        case noCueShows
        case noCue
        case notSubtitles
    }

    private let answer: Answer

    /// Reads `file` in chunks of at most `chunk` bytes. One of more than `budget` bytes is refused as undecided.
    init(
        of file: borrowing InputFile, chunk: Int, budget: Int = .max, _ reading: SubtitleReading
    ) throws(Failure) {
        let name = file.name
        let decoder = SubtitleDecoder(name, reading)
        var byteCount = 0
        var endless = EndlessLine(name)
        var hasCue = false
        var latest: Timestamp?
        var scanner = CueTimingScanner()
        func note(_ cue: CueTiming) {
            hasCue = true
            if cue.isShown { latest = max(latest ?? cue.end, cue.end) }
        }
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            byteCount += bytes.count
            try unsafe endless.note(bytes)
            guard byteCount <= budget else {
                throw .refused(name, "undecided: more than the \(budget) bytes of --budget; raise it")
            }
            try unsafe decoder.write(bytes) { unsafe scanner.scan($0, note) }
        }
        try unsafe decoder.finish { unsafe scanner.scan($0, note) }
        scanner.finish(note)
        answer =
            if decoder.format == .neither {
                .notSubtitles
            } else if let latest {
                .end(latest)
            } else {
                hasCue ? .noCueShows : .noCue
            }
    }

    /// The time at which the content ends. If there is none, the file called `name` is refused, with the advice `advice`.
    func end(in name: String, otherwise advice: String) throws(Failure) -> Timestamp {
        switch answer {
        case .end(let end): return end
        case .noCueShows:
            throw .refused(
                name, "no cue shows, because each ends at its start or before; repair their times, or \(advice)")
        case .noCue: throw .refused(name, "no cue in the whole file; \(advice)")
        case .notSubtitles: throw .notWebVTT(name)
        }
    }
}
