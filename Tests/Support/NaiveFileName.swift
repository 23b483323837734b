/// What the name of a file of subtitles tells, read the slow way: an oracle.
public struct NaiveFileName: Equatable, Sendable {
    /// The word that names the language, as it is written.
    public var language: String?
    /// The flags after it, each once, in the order of the alphabet.
    public var flags: [String]

    /// The words that are flags, and what they mean.
    public static let flags = [
        "default": "default", "forced": "forced", "foreign": "forced", "sdh": "sdh", "cc": "sdh", "hi": "sdh",
    ]

    /// Reads `name`, without its ending, in which the words `languages` are languages.
    ///
    /// The language is the first word that is one and has nothing but flags after it. If there is none, the name still
    /// ends in flags, but for its first word.
    public init(_ name: String, languages: Set<String>) {
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func isFlag(_ word: String) -> Bool { Self.flags[word.lowercased()] != nil }
        let place = words.indices.first { languages.contains(words[$0]) && words[($0 + 1)...].allSatisfy(isFlag) }
        language = place.map { words[$0] }
        let start = place ?? max(0, words.lastIndex { !isFlag($0) } ?? 0)
        flags = Set(words[(start + 1)...].compactMap { Self.flags[$0.lowercased()] }).sorted()
    }
}
