internal import ByteScan
internal import M3U8

/// A file of subtitles that follows another one beside a live stream, as the programmes of a channel do: one of the
/// value of the key `then`.
///
///     evening.vtt@2026-11-23T21:00:00Z;night.vtt@2026-11-24T00:30:00Z
public struct FollowingFile: Equatable, Sendable {
    /// The path of the local file, as it is written.
    public var path: String

    /// When its cue time is 0, in nanoseconds after the beginning of 1970 in UTC.
    public var date: Int64

    /// The file at `path`, whose cue time is 0 at `date`.
    public init(path: String, date: Int64) {
        self.path = path
        self.date = date
    }

    /// The files that `text` names; nil if it is no list of them.
    static func list(_ text: String) -> [FollowingFile]? {
        var files: [FollowingFile] = []
        for item in Array(utf8: text).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            guard let at = item.lastIndex(of: UInt8(ascii: "@")), at > item.startIndex,
                let date = Array(item[(at + 1)...]).withView({ DateTimeParts($0)?.nanosecondsSinceEpoch })
            else { return nil }
            files.append(FollowingFile(path: String(utf8: Array(item[..<at])), date: date))
        }
        return files
    }

    /// The same file at another path, as an item of a list.
    private func item(_ place: (String) -> String) -> [UInt8] {
        Array(utf8: place(path)) + [UInt8(ascii: "@")] + TrackAnchor.date(date).spelling
    }

    /// The list of `files`, whose paths `place` changes.
    static func text(_ files: [FollowingFile], _ place: (String) -> String) -> String {
        String(utf8: Array(files.map { $0.item(place) }.joined(separator: [UInt8(ascii: ";")])))
    }
}

extension TrackConfiguration {
    /// The files that follow beside a live stream, in the order in which they are named.
    public var followingFiles: [FollowingFile] { then.flatMap { FollowingFile.list($0) } ?? [] }

    /// Finds all local files of the track at other paths: those that `place` gives for them.
    public mutating func placeFiles(_ place: (String) -> String) {
        file = file.map(place)
        if let cuesFile { cues = place(cuesFile) }
        if then != nil { then = FollowingFile.text(followingFiles, place) }
    }
}
