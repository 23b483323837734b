internal import M3U8
internal import Sideload

// What the media playlist of a video says that matters to a subtitle playlist beside it.
extension PlaylistFacts {
    /// What the playlist `file` says of its timelines, whatever its kind.
    init(timelinesOf file: borrowing InputFile) throws(Failure) {
        var reader = PlaylistReader(asking: .timelines)
        try unsafe file.forEachTextChunk { (bytes) throws(Failure) in unsafe reader.write(bytes) }
        reader.finish()
        self = reader.facts
    }

    /// Reads the media playlist `file`. One without a duration is refused; what may surprise is noted.
    init(reading file: borrowing InputFile) throws(Failure) {
        try self.init(timelinesOf: file)
        try requireMedia(called: file.name)
    }

    /// Refuses what is no media playlist with a duration, and notes what may surprise. Messages call it `name`.
    func requireMedia(called name: String) throws(Failure) {
        switch verdict {
        case .notPlaylist: throw .refused(name, "at byte 0: the first line is not #EXTM3U; give a media playlist")
        case .multivariant:
            throw .refused(name, "\(kind.decidingLine) makes this a multivariant playlist; give a media playlist")
        case .media, .mixed, .undecided: break
        }
        if let line = malformedDuration { throw .refused(name, "\(line): EXTINF has no duration; repair it") }
        if let line = skipLine {
            throw .refused(
                name,
                "\(line): EXT-X-SKIP makes this a delta update, which lacks segments; fetch the playlist without _HLS_skip"
            )
        }
        guard duration > .zero else {
            throw .refused(
                name, "\(lineCount) lines and no segment longer than 0; give a media playlist with segments")
        }
        if !isComplete {
            Console.note("\(name): without EXT-X-ENDLIST more segments may come; only those so far are counted")
        }
        if hasDistantDate {
            Console.note(
                "\(name): the first EXT-X-PROGRAM-DATE-TIME is behind an EXT-X-DISCONTINUITY, or is no date; the subtitle "
                    + "playlist gets none"
            )
        }
    }

    /// The options of a subtitle playlist beside it (8216bis 6.2.4).
    func options(omitsComma: Bool) -> SubtitlePlaylist.Options {
        var options = SubtitlePlaylist.Options(
            omitsComma: omitsComma, programDateTime: programDateTime?.bytes,
            discontinuitySequence: discontinuitySequence)
        options.playlistType = playlistType.map { $0 == .vod ? .vod : .event }
        if playlistType != .vod { options.targetDuration = targetDuration }
        return options
    }
}
