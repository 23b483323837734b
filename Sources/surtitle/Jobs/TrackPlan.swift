internal import Sideload
internal import WebVTT

/// What a list of tracks means for the directory of the master playlist: which files belong there, and to which of them
/// the master refers.
///
/// A subtitle playlist is in the master's directory. It has the name of its .vtt file, with the extension `.m3u8`:
///
///     uri=subs/en.vtt                    en.m3u8, with subs/en.vtt as its one segment
///     uri=https://example.com/en.vtt     en-2.m3u8, with that as its one segment
///     uri=subs/en.m3u8                   none; the master refers to subs/en.m3u8
struct TrackPlan {
    /// A track and its files.
    struct Entry {
        let number: Int
        let spec: TrackConfiguration
        /// The subtitle playlist to make; nil if the track's URI is one.
        let playlist: PlannedPlaylist?
        /// Where the local file is copied to, in steps from the directory; nil if nothing is copied.
        let copy: [String]?
        /// The segments into which the local file is cut instead of being copied; nil if it is not.
        var segments: SegmentNames?
        /// How long the content plays: nil if no more is known than that its cues end.
        var duration: MediaDuration?
        /// What the local file says, as far as it has been read; nil before that.
        var facts: SubtitleFacts?
    }

    /// A subtitle playlist to make.
    struct PlannedPlaylist: Equatable {
        /// Its name in the directory.
        let fileName: String
        /// What the master calls it.
        let uri: String
    }

    var entries: [Entry]

    /// How many tracks there are, for a closing line.
    var summary: String { "\(entries.count) \(entries.count == 1 ? "track" : "tracks")" }

    /// Plans the tracks of `specs` beside a master called `masterName`.
    ///
    /// No playlist gets a name that is in `taken`: the lower-cased paths of files to which the master refers. If
    /// `isSegmented`, the tracks' local files are cut into segments.
    init(
        _ specs: [TrackConfiguration], masterName: String, taken: Set<String> = [], isSegmented: Bool = false
    ) throws(Failure) {
        var names = taken
        names.insert(masterName.lowercased())
        // What has files in it cannot be one.
        var folders: Set<String> = []
        var copies: [[String]?] = []
        for (index, spec) in specs.enumerated() {
            if specs[..<index].contains(where: { $0.uri == spec.uri }) {
                throw .usage("track \(index + 1): an earlier track has the same URI, \(spec.uri)")
            }
            if spec.changesFile, spec.file == nil {
                throw .usage("track \(index + 1): encoding= and shift= are for a local file; give file= with them")
            }
            if spec.then != nil {
                throw .usage("track \(index + 1): then= is for surtitle-proxy; give one file here")
            }
            if spec.cues != nil {
                throw .usage(
                    "track \(index + 1): cues= is for a stream that goes on; use surtitle live or surtitle-proxy")
            }
            let copy = try Self.copy(of: spec, number: index + 1)
            copies.append(copy)
            if let copy {
                folders.formUnion(copy.indices.dropFirst().map { Self.key(Array(copy[..<$0])) })
                guard names.insert(Self.key(copy)).inserted, folders.isDisjoint(with: names) else {
                    throw .usage("track \(index + 1): \(spec.uri) is where another file goes; give it another uri")
                }
            }
            if spec.format == .playlist, let steps = URIPath(spec.uri).steps { names.insert(Self.key(steps)) }
        }
        names.formUnion(folders)
        var entries: [Entry] = []
        for (index, spec) in specs.enumerated() {
            let playlist = spec.format == .webVTT ? Self.playlist(for: spec.uri, &names) : nil
            entries.append(Entry(number: index + 1, spec: spec, playlist: playlist, copy: copies[index]))
        }
        self.entries = isSegmented ? Self.segmented(entries, taken: names) : entries
    }

    /// The tracks, checked. If `replacesDefault`, their default replaces the master's own.
    func tracks(replacesDefault: Bool) throws(Failure) -> SubtitleTracks {
        let tracks = entries.map { $0.spec.track(uri: $0.playlist?.uri ?? $0.spec.uri) }
        let policy: SubtitleTracks.DefaultPolicy = replacesDefault ? .prefersTracks : .keepsExisting
        return try Failure.checking("", try SubtitleTracks(tracks, defaultPolicy: policy))
    }

    /// A path as it is compared with others: in lower case, because some file systems ignore case.
    static func key(_ steps: [String]) -> String { steps.joined(separator: "/").lowercased() }

    private static func copy(of spec: TrackConfiguration, number: Int) throws(Failure) -> [String]? {
        let path = URIPath(spec.uri)
        guard spec.file != nil, path.isRelative else { return nil }
        guard let steps = path.steps else {
            throw .usage("track \(number): \(spec.uri) is no file below the output directory; give a uri without ..")
        }
        return steps
    }

    private static func playlist(for uri: String, _ names: inout Set<String>) -> PlannedPlaylist {
        let stem = URIPath(uri).lastComponent.withoutExtension
        let (encoded, decoded) = stem.decoded.map { (stem.encoded, $0) } ?? ("subtitles", "subtitles")
        var suffix = ".m3u8"
        var number = 2
        while !names.insert((decoded + suffix).lowercased()).inserted {
            suffix = "-\(number).m3u8"
            number += 1
        }
        // A colon in the first step would make a scheme of the text before it (RFC 3986 4.2).
        let prefix = encoded.unicodeScalars.contains(":") ? "./" : ""
        return PlannedPlaylist(fileName: decoded + suffix, uri: prefix + encoded + suffix)
    }
}
