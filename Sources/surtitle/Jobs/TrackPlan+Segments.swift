internal import M3U8
internal import Sideload
internal import WebVTT

// Tracks whose local files are cut into segments: those with a relative URI, so that the segments have a place.
extension TrackPlan {
    /// `entries` with names for the segments of every track that has them, none of which is in `taken` or another track's.
    static func segmented(_ entries: [Entry], taken: Set<String>) -> [Entry] {
        var taken = taken
        return entries.map { entry in
            guard let steps = entry.copy, entry.playlist != nil else { return entry }
            var entry = entry
            let names = SegmentNames(uri: entry.spec.uri, steps: steps, taken: taken)
            taken.insert(names.key)
            entry.segments = names
            return entry
        }
    }

    /// Cuts the tracks' local files into `output`, and puts the segments' playlists there.
    ///
    /// Segments are as long as those of `video`, unless `target` says otherwise; they get `map`, if there is one.
    func stageSegments(
        in output: OutputDirectory, video: MediaPlaylist?, target: DecimalSeconds?, map: TimestampMap?, chunk: Int
    ) throws(Failure) {
        for entry in entries {
            guard let names = entry.segments, let source = entry.spec.file, let playlist = entry.playlist else {
                continue
            }
            let cutting = try SubtitleCutting(
                target: target, video: video, duration: entry.spec.duration, map: map, chunk: chunk)
            let files = SegmentFiles(names, in: { output })
            try cutting.cut(source, into: files)
            let text: SubtitlePlaylist
            do {
                text = try files.playlist(video?.options(omitsComma: false) ?? SubtitlePlaylist.Options())
            } catch {
                throw .refused(source, "track \(entry.number): \(error)")
            }
            try output.stage([playlist.fileName]) { writer in writer.write(text.bytes) }
        }
    }
}
