/// How many lines there were of some sort, and where the first of them begins.
struct LineTally {
    private(set) var count = 0
    private(set) var first: Int?

    /// Counts a line that begins at stream position `position`.
    mutating func note(at position: Int) {
        count += 1
        if first == nil { first = position }
    }
}
