internal import M3U8
internal import Sideload

/// The rewriting of a master playlist, and what there is to say about it afterwards.
struct MasterRewriting {
    /// What came of it.
    struct Outcome {
        let kind: PlaylistKind
        let exceededLimit: LimitError?
        let uneditableLines: Int
        let firstUneditableLine: Int?
        let isEmpty: Bool
    }

    let tracks: SubtitleTracks

    init(_ tracks: SubtitleTracks) { self.tracks = tracks }

    /// Rewrites `file`, chunk by chunk as it is read.
    func rewrite(_ file: borrowing InputFile, chunk: Int, to output: ByteWriter) throws(Failure) -> Outcome {
        var rewriter = MasterRewriter(tracks)
        let kind = PlaylistKind()
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            unsafe kind.scan(bytes)
            unsafe Self.write(bytes, &rewriter, to: output)
            try output.check()
        }
        return finish(&rewriter, kind, to: output)
    }

    /// Rewrites `playlist`, `chunk` bytes at a time.
    func rewrite(_ playlist: [UInt8], chunk: Int, to output: ByteWriter) -> Outcome {
        var rewriter = MasterRewriter(tracks)
        let kind = PlaylistKind()
        unsafe playlist.withUnsafeBytes { playlist in
            var start = 0
            while start < playlist.count {
                let end = start + min(chunk, playlist.count - start)
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: playlist[start..<end])
                unsafe kind.scan(bytes)
                unsafe Self.write(bytes, &rewriter, to: output)
                start = end
            }
        }
        return finish(&rewriter, kind, to: output)
    }

    /// Refuses a `playlist` that is no multivariant one.
    func check(_ playlist: [UInt8], name: String) throws(Failure) {
        let kind = PlaylistKind()
        unsafe playlist.withUnsafeBytes { unsafe kind.scan($0) }
        kind.finish()
        let outcome = Outcome(
            kind: kind, exceededLimit: nil, uneditableLines: 0, firstUneditableLine: nil, isEmpty: playlist.isEmpty)
        try outcome.complain(about: name, ending: "nothing was written")
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, _ rewriter: inout MasterRewriter, to output: ByteWriter
    ) {
        // Under the default policy nothing is thrown: past a limit the bytes pass through, and the rewriter remembers.
        try? unsafe rewriter.write(bytes) { output.write($0.view) }
    }

    private func finish(_ rewriter: inout MasterRewriter, _ kind: PlaylistKind, to output: ByteWriter) -> Outcome {
        kind.finish()
        rewriter.finish { output.write($0.view) }
        return Outcome(
            kind: kind, exceededLimit: rewriter.exceededLimit, uneditableLines: rewriter.uneditableLines,
            firstUneditableLine: rewriter.firstUneditableLine, isEmpty: rewriter.position == 0)
    }
}

extension MasterRewriting.Outcome {
    /// Throws why the playlist called `name` could not be rewritten, or warns of what was left out.
    ///
    /// `ending` says what became of a file that was refused.
    func complain(about name: String, ending: String) throws(Failure) {
        if isEmpty { throw .refused(name, "at byte 0: the file is empty; give a multivariant playlist") }
        switch kind.verdict {
        case .notPlaylist:
            throw .refused(
                name, "at byte 0: the first line is not #EXTM3U, so this is no playlist; give one; \(ending)")
        case .media:
            throw .refused(
                name,
                "\(kind.decidingLine): \(kind.decidingTag) makes this a media playlist; give the multivariant "
                    + "playlist that refers to it; \(ending)")
        case .undecided:
            throw .refused(
                name,
                "\(kind.lineCount) lines and no EXT-X-STREAM-INF, so there is no variant to put tracks beside; give a "
                    + "multivariant playlist; \(ending)")
        case .mixed:
            throw .refused(
                name,
                "\(kind.decidingLine): \(kind.decidingTag) is for another kind of playlist than the tags before it; from "
                    + "there on nothing is edited; make two playlists of it")
        case .multivariant: break
        }
        if let exceededLimit {
            throw .refused(name, "\(exceededLimit); from there on nothing is edited; make it shorter")
        }
        if let position = firstUneditableLine {
            Console.complain(
                "\(name): at byte \(position): a variant is left as it is (\(uneditableLines) in all), because a quote "
                    + "is left open there or the tag has no attributes; repair the line")
        }
    }
}
