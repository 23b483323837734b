internal import M3U8

/// What a check has found, in the order in which it was found.
final class Findings {
    /// How many sentences one file gets: of a thousand like faults nobody reads all.
    private static let mostOfFile = 20
    /// How much of a reference stands in a sentence.
    private static let longestExcerpt = 120

    /// What there is to say: what is broken, and notes on what is allowed and may surprise.
    private(set) var sentences: [String] = []
    /// How many rules are broken, those included that no sentence stands for.
    private(set) var brokenCount = 0
    /// How many playlists, files of cues and references there have been.
    var (playlists, files, references) = (0, 0, 0)
    /// How many tracks of subtitles there have been: EXT-X-MEDIA tags, or a playlist of subtitles by itself.
    var tracks = 0

    private var counts: [String: Int] = [:]
    private var unsaidCount = 0

    /// A rule is broken in the file called `name`, at `location` if that is known.
    func broken(_ name: String, _ location: LineLocation? = nil, _ sentence: String) {
        add(true, name, location, sentence)
    }

    /// What is allowed, and may surprise.
    func doubtful(_ name: String, _ location: LineLocation? = nil, _ sentence: String) {
        add(false, name, location, sentence)
    }

    /// What `isBroken`, or may only surprise.
    func add(_ isBroken: Bool, _ name: String, _ location: LineLocation?, _ sentence: String) {
        if isBroken { brokenCount += 1 }
        counts[name, default: 0] += 1
        guard counts[name, default: 0] <= Self.mostOfFile else {
            if isBroken { unsaidCount += 1 }
            return
        }
        sentences.append("\(isBroken ? "" : "note: ")\(name): \(location.map { "\($0): " } ?? "")\(sentence)")
    }

    /// `reference` as a sentence has it: its beginning if it is long.
    static func excerpt(_ reference: String) -> String {
        let scalars = reference.unicodeScalars
        guard scalars.count > longestExcerpt else { return reference }
        return String(scalars.prefix(longestExcerpt)) + "…"
    }

    /// A closing sentence on the stream at `place`.
    func summary(of place: String) -> String {
        func count(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
        let what = [
            count(playlists, "playlist", "playlists"), count(files, "file of subtitles", "files of subtitles"),
            count(references, "reference", "references"),
        ]
        let unsaid = unsaidCount == 0 ? "" : ", \(unsaidCount) of them not listed"
        return "\(place): \(what.joined(separator: ", ")): "
            + (brokenCount == 0 ? "nothing is broken" : "\(brokenCount) broken\(unsaid)")
    }
}
