import Support

/// The variables of a playlist, as far as their order goes.
enum NaiveVariables {
    /// Whether a variable is referred to before it is defined, or defined twice: either makes a playlist one that players
    /// refuse (8216bis 4.4.2.3).
    static func areUsedEarly(in text: [UInt8]) -> Bool {
        var defined: [[UInt8]] = []
        var used: [[UInt8]] = []
        for line in NaivePlaylist.lines(of: text) {
            used += references(in: line.content).filter { !defined.contains($0) }
            guard line.tagName == Array("EXT-X-DEFINE".utf8),
                let name = NaiveAttributes.first("NAME", in: line.list)
            else { continue }
            if used.contains(name) || defined.contains(name) { return true }
            defined.append(name)
        }
        return false
    }

    /// The names in every `{$name}`.
    private static func references(in line: [UInt8]) -> [[UInt8]] {
        line.indices.compactMap { start in
            guard line[start...].starts(with: "{$".utf8) else { return nil }
            return line[(start + 2)...].firstIndex(of: UInt8(ascii: "}")).map { Array(line[(start + 2)..<$0]) }
        }
    }
}
