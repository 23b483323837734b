internal import M3U8

/// What a check has found, in the order in which it was found.
final class Findings {
    /// How many sentences one file gets: of a thousand like faults nobody reads all.
    private static let mostOfFile = 20

    /// The sentences on what is broken.
    private(set) var sentences: [String] = []
    /// How many rules are broken, those included that no sentence stands for.
    private(set) var brokenCount = 0
    /// How many playlists, files of cues and other references there have been.
    var (playlists, files, references) = (0, 0, 0)

    private var counts: [String: Int] = [:]

    /// A rule is broken in the file called `name`, at `location` if that is known.
    func broken(_ name: String, _ location: LineLocation? = nil, _ sentence: String) {
        brokenCount += 1
        counts[name, default: 0] += 1
        guard counts[name, default: 0] <= Self.mostOfFile else { return }
        sentences.append("\(name): \(location.map { "\($0): " } ?? "")\(sentence)")
    }

    /// What is allowed, and may surprise.
    func doubtful(_ name: String, _ location: LineLocation? = nil, _ sentence: String) {
        Console.note("\(name): \(location.map { "\($0): " } ?? "")\(sentence)")
    }

    /// A closing sentence on the stream at `place`.
    func summary(of place: String) -> String {
        let unsaid = counts.values.reduce(0) { $0 + max($1 - Self.mostOfFile, 0) }
        let what = "\(playlists) playlists, \(files) files of subtitles, \(references) references"
        return "\(place): \(what): "
            + (brokenCount == 0
                ? "nothing is broken" : "\(brokenCount) broken\(unsaid == 0 ? "" : ", \(unsaid) of them not listed")")
    }
}
