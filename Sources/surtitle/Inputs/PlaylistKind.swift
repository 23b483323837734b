internal import M3U8

/// What kind of playlist a text is, and by which line: what messages about a playlist say.
struct PlaylistKind {
    let verdict: PlaylistVerdict
    /// The line that decided the verdict, as in `line 4, at byte 45: EXTINF`; empty if no tag did.
    let decidingLine: String
    let lineCount: Int

    /// Refuses the playlist called `name` unless it is a multivariant one. `ending` says what became of it.
    func requireMultivariant(_ name: String, ending: String) throws(Failure) {
        if lineCount == 0 { throw .refused(name, "at byte 0: the file is empty; give a multivariant playlist") }
        switch verdict {
        case .multivariant: return
        case .notPlaylist:
            throw .refused(
                name, "at byte 0: the first line is not #EXTM3U, so this is no playlist; give one; \(ending)")
        case .media:
            throw .refused(
                name,
                "\(decidingLine) makes this a media playlist; give the multivariant playlist that refers to it, or --wrap; "
                    + ending)
        case .undecided:
            throw .refused(
                name,
                "\(lineCount) lines and no EXT-X-STREAM-INF, so there is no variant to put tracks beside; give a "
                    + "multivariant playlist; \(ending)")
        case .mixed:
            throw .refused(
                name,
                "\(decidingLine) is for another kind of playlist than the tags before it; from there on nothing is edited; "
                    + "make two playlists of it")
        }
    }
}

extension PlaylistFacts {
    /// What messages say of the playlist's kind.
    var kind: PlaylistKind {
        let line = decidingLine.map { "\($0.location): \($0.tag.spelling)" } ?? ""
        return PlaylistKind(verdict: verdict, decidingLine: line, lineCount: lineCount)
    }
}
