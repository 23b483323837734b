internal import M3U8
internal import Sideload
internal import WebVTT

extension TrackPlan {
    /// The subtitle playlists to make, by file name.
    ///
    /// `video` is the video's media playlist, which gives the duration of the tracks without one. `master` is what messages
    /// call the master playlist.
    func playlists(
        video: MediaPlaylist?, master: String, chunk: Int, _ reading: SubtitleReading
    ) throws(Failure) -> [(name: String, bytes: [UInt8])] {
        var playlists: [(name: String, bytes: [UInt8])] = []
        for entry in entries {
            let duration = try entry.duration(video: video, chunk: chunk, reading)
            guard let playlist = entry.playlist, entry.segments == nil else { continue }
            guard let duration else {
                throw .refused(
                    master,
                    "track \(entry.number), \(entry.spec.uri), has no known duration; give duration= or file= with it, "
                        + "or --media")
            }
            do {
                let options = video?.options(omitsComma: false) ?? SubtitlePlaylist.Options()
                let text = try SubtitlePlaylist(uri: entry.spec.uri, duration: duration, options: options)
                playlists.append((playlist.fileName, text.bytes))
            } catch  where error.reason == .longerThanTarget {
                throw .refused(
                    master,
                    "track \(entry.number), \(entry.spec.uri), in one piece is longer than the video's EXT-X-TARGETDURATION, "
                        + "which only VOD allows (8216bis 6.2.4); cut it with --segment")
            } catch {
                throw .usage("track \(entry.number): \(error)")
            }
        }
        return playlists
    }

    /// Writes the tracks' local files into `output` as WebVTT, each where its URI says and with the map that the video's clock
    /// gives it. A local file that is already there stays, if it needs no change.
    func stageCopies(
        in output: OutputDirectory, clock: VideoClock, chunk: Int, _ reading: SubtitleReading
    ) throws(Failure) {
        for entry in entries {
            guard let source = entry.spec.file, let steps = entry.copy, entry.segments == nil else { continue }
            let map = try clock.map(forFile: source, chunk: chunk, reading)
            let file = try InputFile(source)
            if map == nil, try output.status(of: steps)?.identity == file.status.identity,
                try SubtitleDecoder.isVerbatim(file, reading)
            {
                continue
            }
            try output.stage(steps) { (writer) throws(Failure) in
                try SubtitleCopy(to: writer, map: map).copy(file, chunk: chunk, reading)
            }
        }
    }
}

extension VideoClock {
    /// The map to put into the copy of the file called `name`; nil if it gets none, or keeps its own.
    fileprivate func map(
        forFile name: String, chunk: Int, _ reading: SubtitleReading
    ) throws(Failure) -> TimestampMap? {
        guard keepsOwn, first != nil else { return first }
        let cues = CueInventory()
        let decoder = SubtitleDecoder(name, reading)
        try unsafe decoder.forEachChunk(of: InputFile(name), chunk: chunk) { unsafe cues.scan($0) }
        guard let own = cues.timestampMap else { return first }
        compare(own, of: name)
        return nil
    }
}

extension TrackPlan.Entry {
    /// How long the track's playlist lasts, or nil if that is not known. A local file is checked in any case.
    fileprivate func duration(
        video: MediaPlaylist?, chunk: Int, _ reading: SubtitleReading
    ) throws(Failure) -> MediaDuration? {
        let known = spec.duration ?? video.map { MediaDuration(covering: $0.duration) }
        guard let name = spec.file else { return known }
        let file = try InputFile(name)
        // The file is read twice: for its end, and to be copied.
        guard file.size != nil else { throw .refused(name, "is no regular file; save it to one and name that") }
        if let known {
            if try FinalCue(of: file, block: chunk, reading).answer == nil { throw .notWebVTT(name) }
            return known
        }
        let end = try ContentEnd(of: file, chunk: chunk, reading).end(in: name, otherwise: "give the track's duration=")
        return MediaDuration(milliseconds: end.milliseconds)
    }
}

/// Copies a file of subtitles as WebVTT, with a timestamp map if one is asked for.
private final class SubtitleCopy {
    private let writer: ByteWriter
    private var rewriter: TimestampMapRewriter?

    /// A copy that goes to `writer`.
    init(to writer: ByteWriter, map: TimestampMap?) {
        self.writer = writer
        rewriter = map.map { TimestampMapRewriter($0) }
    }

    /// Copies `file`.
    func copy(_ file: borrowing InputFile, chunk: Int, _ reading: SubtitleReading) throws(Failure) {
        try unsafe SubtitleDecoder(file.name, reading).forEachChunk(of: file, chunk: chunk) { (bytes) throws(Failure) in
            unsafe write(bytes)
            try writer.check()
        }
        rewriter?.finish { writer.write($0.view) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        guard rewriter != nil else { return unsafe writer.write(bytes) }
        unsafe rewriter?.write(bytes) { writer.write($0.view) }
    }
}
