internal import ByteScan

/// A report that grows piece by piece, up to a limit that depends on what it is about: a report that is many times as
/// long as its subject helps nobody.
struct ReportText {
    private(set) var text = ""
    private let limit: Int

    /// A report about `byteCount` bytes: at most 4 times as many, and 1 MiB more.
    init(about byteCount: Int) {
        // What is said in any case is far below 64 KiB.
        limit = byteCount.times(4, plus: (1 << 20) - (64 << 10)) ?? .max
    }

    /// Appends what is short, and said in any case.
    mutating func append(_ piece: String) { text += piece }

    /// Appends as many of `pieces` as there is room for, and returns how many are left out.
    mutating func append(asManyOf pieces: [String], between separator: String = "") -> Int {
        for (index, piece) in pieces.enumerated() {
            let gap = index > 0 ? separator : ""
            guard gap.utf8.count + piece.utf8.count <= limit - text.utf8.count else { return pieces.count - index }
            text += gap + piece
        }
        return 0
    }
}
