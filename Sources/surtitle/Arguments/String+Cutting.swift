// Scalars are compared, not characters: a separator is one, whatever combining mark stands behind it.
extension String {
    /// What stands before and behind the first `separator`, or nil where there is none.
    func cut(at separator: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = unicodeScalars.firstIndex(of: separator) else { return nil }
        return (String(unicodeScalars[..<place]), String(unicodeScalars[unicodeScalars.index(after: place)...]))
    }

    /// What stands between the separators, empty pieces too.
    func pieces(at separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }

    /// The last step of a path that is not empty, or nil.
    var lastStep: String? { pieces(at: "/").last { !$0.isEmpty } }
}
