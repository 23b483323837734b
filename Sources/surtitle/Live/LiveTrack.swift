internal import ByteScan
internal import Delivery
internal import WebVTT

// A track's files as the stream goes on.
//
//     gone     retired      listed                next
//     ×  ×   │ 12 13 14 15 │ 16 17 18 19 20 21 │ 22      segments
//             until so many more have slid out as two windows hold
//
// A segment is written when the version that brings it is taken, and stays as it is then.

/// A track: its cues, and which of its segments are there.
final class LiveTrack {
    /// Where the cues come from.
    enum Cues {
        case whole(CueIndex)
        case growing(FollowedFile)
    }

    /// A file, by the end of its name: `17.vtt`.
    private struct Retired {
        let name: String
        /// How many segments had slid out by then.
        let count: Int
    }

    let video: FollowedVideo
    private let cues: Cues
    private let playlistName: String
    private let names: SegmentNames

    /// The files that the playlist has, by segment.
    private var listed: [UInt64: [String]] = [:]
    /// The first segment that is not written.
    private var next: UInt64 = 0
    private var retired: [Retired] = []
    private var retiredCount = 0
    private var longestWindow = 0
    private var output = OutputPieces()

    /// A track with these files.
    init(_ names: SegmentNames, playlist name: String, _ cues: Cues, beside video: FollowedVideo) {
        self.names = names
        playlistName = name
        self.cues = cues
        self.video = video
    }

    /// Cues that come while the stream goes on; nil if there is a whole file.
    var followed: FollowedFile? { if case .growing(let followed) = cues { followed } else { nil } }

    /// Takes over the segments in `directory` that an earlier run has left: they go as others do.
    func adopt(from directory: String, of earlier: EarlierResult) {
        let folder = ([directory] + names.steps(named: "").dropLast()).joined(separator: "/")
        for name in Directory.names(in: folder) ?? [] {
            guard let end = names.end(of: name), earlier.contains(names.steps(named: end)) else { continue }
            retired.append(Retired(name: end, count: 0))
        }
    }

    /// Whether the last segment of the version before has gone from `directory`: somebody has removed the folder.
    func isGone(from directory: String) -> Bool {
        guard next > 0, let name = listed[next - 1]?.last else { return false }
        return FileStatus(at: ([directory] + names.steps(named: name)).joined(separator: "/")) == nil
    }

    /// Stages what the version has that is not there yet, and the playlist after it. Nothing of it is there if it has
    /// begun anew.
    func stage(in directory: OutputDirectory, hasBegunAnew: Bool) throws(Failure) {
        if hasBegunAnew {
            retire { _ in true }
            next = 0
        }
        guard let range = video.channel.listed else { return }
        longestWindow = max(longestWindow, range.count)
        retire { $0 < range.lowerBound }
        for number in max(next, range.lowerBound)...max(range.upperBound + 1, next) {
            try stage(number, isWhole: number <= range.upperBound, in: directory)
        }
        next = range.upperBound + 1
        video.channel.playlist(named: LiveNames(prefix: Array(names.beginning.utf8)), into: &output)
        try write([playlistName], of: [], in: directory)
    }

    /// Stages a segment and its parts.
    private func stage(_ number: UInt64, isWhole: Bool, in directory: OutputDirectory) throws(Failure) {
        var part = 0
        while part < Self.mostParts {
            let name = "\(number).\(part).vtt"
            guard try stage(name, of: number, in: directory) else { break }
            part += 1
        }
        if isWhole { _ = try stage("\(number).vtt", of: number, in: directory) }
    }

    private static let mostParts = 10_000

    /// Stages the file with this name, if it is there to be served and has not been written; returns whether it is.
    private func stage(_ name: String, of number: UInt64, in directory: OutputDirectory) throws(Failure) -> Bool {
        guard case .span(let span) = name.withView({ video.channel.find($0) }) else { return false }
        if listed[number]?.contains(name) ?? false { return true }
        listed[number, default: []].append(name)
        retired.removeAll { $0.name == name }
        switch cues {
        case .whole(let index):
            index.write(span.cues, into: &output)
            try write(names.steps(named: name), of: index.file, in: directory)
        case .growing(let followed):
            followed.write(span, into: &output)
            try write(names.steps(named: name), of: [], in: directory)
        }
        return true
    }

    private func write(_ steps: [String], of file: [UInt8], in directory: OutputDirectory) throws(Failure) {
        try directory.stage(steps) { writer in
            unsafe file.withUnsafeBytes { file in
                for piece in output { unsafe writer.write(piece.bytes(in: file)) }
            }
        }
    }

    private func retire(_ isGone: (UInt64) -> Bool) {
        for (number, files) in listed where isGone(number) {
            retiredCount += 1
            listed[number] = nil
            retired += files.map { Retired(name: $0, count: retiredCount) }
        }
    }

    /// The ways to the files that slid out two windows ago, in steps from the directory. They are forgotten.
    func takeGone() -> [[String]] {
        let kept = 2 * max(longestWindow, 3)
        let gone = retired.filter { retiredCount - $0.count >= kept }
        retired.removeAll { retiredCount - $0.count >= kept }
        return gone.map { names.steps(named: $0.name) }
    }
}
