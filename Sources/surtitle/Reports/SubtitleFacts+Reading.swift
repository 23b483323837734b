internal import WebVTT

extension SubtitleFacts {
    /// What all of `file` says, which is read once and from its beginning, so that it may be a pipe. So does
    /// `inventory`.
    ///
    /// - Throws: A refusal of a file of no known format, and as undecided of more than `budget` bytes.
    init(
        of file: borrowing InputFile, budget: Int = .max, _ reading: SubtitleReading,
        _ inventory: CueInventory? = nil
    ) throws(Failure) {
        let name = file.name
        let decoder = try SubtitleDecoder(name, reading)
        var byteCount = 0
        var facts = SubtitleFacts()
        func note(_ bytes: UnsafeRawBufferPointer) {
            unsafe facts.write(bytes)
            unsafe inventory?.scan(bytes)
        }
        try unsafe file.forEachTextChunk { (bytes) throws(Failure) in
            byteCount += bytes.count
            guard byteCount <= budget else {
                throw .refused(name, "undecided: more than the \(budget) bytes of --budget; raise it")
            }
            try unsafe decoder.write(bytes, note)
        }
        try unsafe decoder.finish(note)
        facts.finish()
        if decoder.format == .neither { throw decoder.notSubtitles }
        inventory?.noteFaults(of: name, decoder.locationNote)
        self = facts
    }

    /// What the header of `file` says. No more than that is read of WebVTT in UTF-8, and all of any other file.
    ///
    /// - Throws: A refusal of a file of no known format.
    init(headerOf file: borrowing InputFile, _ reading: SubtitleReading) throws(Failure) {
        guard let size = file.size, try SubtitleDecoder.isVerbatim(file, reading.unshifted) else {
            try self.init(of: file, reading)
            return
        }
        var facts = SubtitleFacts()
        var head: [UInt8] = []
        try unsafe file.forEachChunk(in: 0..<size, of: 4 << 10) { bytes in
            unsafe facts.write(bytes)
            unsafe head.append(contentsOf: bytes.prefix(SubtitleDecoder.decidingByteCount - head.count))
            return !facts.hasPassedHeader
        }
        facts.finish()
        guard case .valid = facts.signature else {
            throw .notSubtitles(file.name, ForeignFormat(head: head))
        }
        self = facts
    }

    /// Until when the content of the file called `name` lasts: the latest end of all its cues that show. If there is
    /// none, the file is refused with the advice `advice`.
    ///
    /// Many a film ends with an advert's cue that is shown in its first seconds, so the final cue does not tell. A cue
    /// that ends at its start or before never shows.
    func contentEnd(in name: String, otherwise advice: String) throws(Failure) -> Timestamp {
        if let latestEnd { return latestEnd }
        if finalEnd == nil { throw .refused(name, "no cue in the whole file; \(advice)") }
        throw .refused(
            name, "no cue shows, because each ends at its start or before; repair their times, or \(advice)")
    }
}
