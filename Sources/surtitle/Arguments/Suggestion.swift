internal import Delivery

/// What a mistyped word may have been meant to be.
enum Suggestion {
    /// What a message adds after a word that nothing is called by: `; did you mean --media?`, or a semicolon alone.
    static func hint(for word: String, among names: [String]) -> String {
        nearest(to: word, among: names).map { "; did you mean \($0)?" } ?? ";"
    }

    /// The first of the `names` that is nearest to `word`, as ``NearestName`` finds it.
    static func nearest(to word: String, among names: [String]) -> String? {
        NearestName.index(of: Array(word.utf8), among: names.map { Array($0.utf8) }).map { names[$0] }
    }
}
