internal import M3U8
internal import Sideload
internal import WebVTT

extension TrackPlan {
    /// The subtitle playlists to make, by file name.
    ///
    /// `video` is the video's media playlist, which gives the duration of the tracks without one; they last for
    /// `covered` at least. `master` is what messages call the master playlist. What the local files say is in the
    /// entries then.
    mutating func playlists(
        video: PlaylistFacts?, covering covered: DecimalSeconds?, master: String, _ reading: SubtitleReading
    ) throws(Failure) -> [(name: String, bytes: [UInt8])] {
        var playlists: [(name: String, bytes: [UInt8])] = []
        for index in entries.indices {
            let own = try reading.reading(of: entries[index].spec, number: entries[index].number)
            var duration = try entries[index].duration(of: video?.duration, own)
            if let covered, entries[index].spec.duration == nil {
                let least = MediaDuration(covering: covered)
                duration = duration.map { max($0, least) } ?? least
                entries[index].duration = duration
            }
            let entry = entries[index]
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

    /// Writes the tracks' local files into `output` as WebVTT, each where its URI says and with the map that the
    /// video's clock gives it. A local file that is already there stays, if it needs no change.
    func stageCopies(
        in output: OutputDirectory, clock: VideoClock, _ reading: SubtitleReading, _ notes: TrackNotes
    ) throws(Failure) {
        for entry in entries {
            guard let source = entry.spec.file, let steps = entry.copy, entry.segments == nil else { continue }
            let map = clock.map(forFile: source, own: entry.facts?.map)
            let reading = try reading.reading(of: entry.spec, number: entry.number)
            let file = try InputFile(source)
            if map == nil, try output.status(of: steps)?.identity == file.status.identity,
                try SubtitleDecoder.isVerbatim(file, reading)
            {
                let inventory = CueInventory()
                try unsafe file.forEachChunk { unsafe inventory.scan($0) }
                notes.note(inventory, of: source)
                continue
            }
            let inventory = CueInventory()
            let decoder = try SubtitleDecoder(file.name, reading)
            var rewriter = map.map { TimestampMapRewriter($0) }
            try output.stage(steps) { (writer) throws(Failure) in
                try unsafe decoder.forEachChunk(of: file) { (bytes) throws(Failure) in
                    unsafe inventory.scan(bytes)
                    if map == nil { unsafe writer.write(bytes) }
                    unsafe rewriter?.write(bytes) { writer.write($0.view) }
                    try writer.check()
                }
                rewriter?.finish { writer.write($0.view) }
            }
            notes.note(inventory, of: source, decoder.locationNote)
        }
    }
}

extension VideoClock {
    /// The map to put into the copy of the file called `name`, whose own map is `own`; nil if it gets none, or keeps
    /// that.
    fileprivate func map(forFile name: String, own: TimestampMap?) -> TimestampMap? {
        guard keepsOwn, first != nil, let own else { return first }
        compare(own, of: name)
        return nil
    }
}

extension TrackPlan.Entry {
    /// How long the track's playlist lasts, or nil if that is not known. A local file is read for ``facts`` in any
    /// case.
    fileprivate mutating func duration(
        of video: DecimalSeconds?, _ reading: SubtitleReading
    ) throws(Failure) -> MediaDuration? {
        let known = (spec.duration ?? video).map { MediaDuration(covering: $0) }
        // What is on the web under the track's own URI is fetched for its end alone.
        let fetched = known == nil && spec.format == .webVTT && Web.isURL(spec.uri) ? spec.uri : nil
        guard let name = spec.file ?? fetched else { return known }
        let file = try InputFile(name)
        // The file is read twice: for its end, and to be copied.
        guard file.size != nil else { throw .refused(name, "is no regular file; save it to one and name that") }
        if let known {
            facts = try SubtitleFacts(headerOf: file, reading)
            return known
        }
        let facts = try SubtitleFacts(of: file, reading)
        self.facts = facts
        let end = try facts.contentEnd(in: name, otherwise: "give the track's duration=")
        return MediaDuration(milliseconds: end.milliseconds)
    }
}
