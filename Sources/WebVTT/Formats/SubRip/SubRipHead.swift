import ByteScan

// How a file looks that says nowhere else that it is SubRip:
//
//     1
//     00:00:01,000 --> 00:00:02,000
extension SubRipTranscoder {
    /// Whether the first line of `head` that is not blank is a number, and the next begins with a digit and contains an
    /// arrow.
    static func begins(_ head: ByteView) -> Bool {
        let lines = Array(head.withoutMark)
            .split { ASCII.isLineEnd($0) }
            .map { line in line.filter { !ASCII.isBlank($0) } }
            .drop { $0.isEmpty }
        guard let counter = lines.first, let timing = lines.dropFirst().first else { return false }
        return counter.allSatisfy(ASCII.isDigit) && timing.first.map(ASCII.isDigit) == true
            && timing.withView { $0.lastArrow(before: $0.count) != nil }
    }
}
