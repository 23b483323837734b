internal import Sideload

// Tracks whose local files are cut into segments: those with a relative URI, which says where the segments go.
extension TrackPlan {
    /// `entries` with names for the segments of every track that has segments. No name is in `taken` or given twice.
    static func segmented(_ entries: [Entry], taken: Set<String>) -> [Entry] {
        var taken = SegmentNames.beginnings(of: taken)
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
    func stageSegments(in output: OutputDirectory, by cutting: SubtitleCutting, _ notes: TrackNotes) throws(Failure) {
        for entry in entries {
            guard let names = entry.segments, let source = entry.spec.file, let playlist = entry.playlist else {
                continue
            }
            let files = SegmentFiles(names, in: output)
            let duration = entry.spec.duration.map { MediaDuration(covering: $0) } ?? entry.duration
            var cutting = cutting
            cutting.reading = try cutting.reading.reading(of: entry.spec, number: entry.number)
            let inventory = try cutting.cut(source, lasting: duration, entry.facts, into: files)
            notes.note(inventory.0, of: source, inventory.1)
            let options = cutting.video?.options(omitsComma: false) ?? SubtitlePlaylist.Options()
            let text = try Failure.refusing("\(source): track \(entry.number)", try files.playlist(options))
            try output.stage([playlist.fileName]) { writer in writer.write(text.bytes) }
        }
    }
}
