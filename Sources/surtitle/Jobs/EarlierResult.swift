internal import ByteScan
internal import M3U8
internal import Sideload

/// The files in a directory that an earlier run has made, as far as they show it: they may be replaced.
///
///     out/master.m3u8     ends with tracks, and one's playlist is going to be made again …
///     out/en.m3u8         … so this was made too, if it leads to the track's file and nothing else …
///     out/en.vtt          … and this
///
///     out/a.m3u8          says nothing but what the command would write, to the byte …
///     out/a-00000.vtt     … so this was made too, if it is WebVTT that ends with an empty line, as all segments do
///
/// Any other file is somebody else's. Nothing here is read for its content, so that it may be replaced (``ReadFiles``).
final class EarlierResult {
    /// The files, as ``TrackPlan/key(_:)`` spells their paths.
    private var keys: Set<String> = []
    /// How the paths of segments begin, before their numbers.
    private var prefixes: [String] = []
    /// The same of segments that no master names, each of which must look as if it was made by this command.
    private var cutPrefix: String?

    private let directory: String
    /// The longest playlist that is looked into.
    private static let longest = 64 << 20

    /// Nothing in `directory` yet.
    init(in directory: String) { self.directory = directory }

    /// Whether the file at the end of `steps` is one of them.
    func contains(_ steps: [String]) -> Bool {
        let key = TrackPlan.key(steps)
        return keys.contains(key)
            || prefixes.contains { SegmentNames.isNumbered(key, between: $0, ".vtt") }
            || cutPrefix.map { SegmentNames.isNumbered(key, between: $0, ".vtt") } ?? false && isSegment(steps)
    }

    /// Adds the master called `name` and the playlists of its tracks, if one of them is one of those of `plan`.
    func addMaster(_ name: String, of plan: TrackPlan) {
        let planned = plan.entries.compactMap { entry in entry.playlist.map { ($0.uri, $0.fileName, entry) } }
        let named = addedTracks(in: name)
        let made = planned.filter { named.contains($0.0) }
        let given = plan.entries.contains { $0.playlist == nil && named.contains($0.spec.uri) }
        guard !made.isEmpty || given else { return }
        keys.insert(TrackPlan.key([name]))
        for (_, fileName, entry) in made {
            // It may have been cut then, or not.
            let cut =
                entry.segments
                ?? entry.copy.map { SegmentNames(uri: entry.spec.uri, steps: $0) }
            guard addPlaylist([fileName], whose: { $0 == entry.spec.uri || cut?.isSegment($0) ?? false }) else {
                continue
            }
            if let copy = entry.copy { keys.insert(TrackPlan.key(copy)) }
            if let cut { prefixes.append(cut.key) }
        }
    }

    /// Adds the playlist called `name` and all segments called `names`, if the playlist is what this command makes of
    /// such segments: what it says, written anew, is the same to the byte. Another program may choose the same names.
    func addSegments(_ names: SegmentNames, playlist name: String) {
        let text = bytes([name])
        let facts = PlaylistFacts(of: text, asking: .timelines)
        let isOwn = [false, true].contains { omitsComma in
            (try? facts.playlist(of: names, omitsComma: omitsComma))?.bytes == text
        }
        guard isOwn else { return }
        keys.insert(TrackPlan.key([name]))
        cutPrefix = names.key
    }

    /// Whether the file begins and ends as every segment does.
    private func isSegment(_ steps: [String]) -> Bool {
        let text = bytes(steps)
        return text.starts(with: "WEBVTT".utf8)
            && ["\n\n", "\r\n\r\n", "\r\r"].contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    /// Adds the subtitle playlist at the end of `steps` and its segments, if all have such URIs. Returns whether they
    /// have.
    private func addPlaylist(_ steps: [String], whose isOwn: (String) -> Bool) -> Bool {
        var uris: Set<String> = []
        _ = PlaylistFacts(of: bytes(steps)) { line, _ in
            if line.kind == .uri { uris.insert(String(decoding: Array(line.bytes.trimmed), as: UTF8.self)) }
        }
        guard !uris.isEmpty, uris.allSatisfy(isOwn) else { return false }
        keys.insert(TrackPlan.key(steps))
        for uri in uris { if let steps = URIPath(uri).steps { keys.insert(TrackPlan.key(steps)) } }
        return true
    }

    /// The URIs of the renditions with which the master called `name` ends. Tracks are added there, and by hardly
    /// anybody else.
    private func addedTracks(in name: String) -> Set<String> {
        var uris: Set<String> = []
        _ = PlaylistFacts(of: bytes([name])) { line, _ in
            if line.kind != .tag(.media) {
                uris = []
            } else if let uri = line.content(of: "URI") {
                uris.insert(String(decoding: Array(uri), as: UTF8.self))
            }
        }
        return uris
    }

    /// The bytes of the file; none if there is no such file, or a larger one than anybody makes.
    private func bytes(_ steps: [String]) -> [UInt8] {
        let path = "\(directory)/\(steps.joined(separator: "/"))"
        guard let size = FileStatus(at: path)?.size, size <= Self.longest else { return [] }
        return (try? FileDescriptor.bytes(at: path, upTo: size)) ?? []
    }
}

extension PlaylistFacts {
    /// The playlist of segments called `names` beside a video of which these are the facts, cut where it is.
    fileprivate func playlist(of names: SegmentNames, omitsComma: Bool) throws -> SubtitlePlaylist {
        let discontinuities = Set(timelines.filter(\.isDiscontinuous).map(\.firstDuration))
        let segments = durations.enumerated().map { index, duration in
            var segment = SubtitlePlaylist.Segment(uri: names.uri(index), duration: duration)
            segment.isDiscontinuous = discontinuities.contains(index)
            return segment
        }
        return try SubtitlePlaylist(segments: segments, options: options(omitsComma: omitsComma))
    }
}
