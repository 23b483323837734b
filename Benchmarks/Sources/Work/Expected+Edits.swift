extension Expected {
    /// What edits make of a playlist whose lines end with LF alone, and in whose attribute lists none of the names
    /// stands first.
    static func edited(_ playlist: UnsafeRawBufferPointer, _ edits: [Row.EditedAttribute]) -> [UInt8] {
        var output: [UInt8] = []
        for line in playlist.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            var text = String(decoding: line, as: UTF8.self)
            for edit in edits where text.hasPrefix("#\(edit.tag):") {
                guard let start = text.firstRange(of: ",\(edit.name)=") else {
                    if edit.isSet { text += ",\(edit.name)=\(edit.value ?? "")" }
                    continue
                }
                var isQuoted = false
                let end = text[start.upperBound...].firstIndex { letter in
                    if letter == "\"" { isQuoted.toggle() }
                    return letter == "," && !isQuoted
                }
                let value = start.upperBound..<(end ?? text.endIndex)
                if let new = edit.value {
                    text.replaceSubrange(value, with: new)
                } else {
                    text.removeSubrange(start.lowerBound..<value.upperBound)
                }
            }
            output += Array((text + "\n").utf8)
        }
        return output
    }

    /// What is left of a master playlist of variants of at most so many lines' height, all of which have RESOLUTION.
    static func filtered(_ playlist: UnsafeRawBufferPointer, height: Int) -> [UInt8] {
        var output: [UInt8] = []
        var dropsNext = false
        for line in String(decoding: playlist, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        {
            if dropsNext {
                dropsNext = false
                continue
            }
            if let start = line.firstRange(of: ",RESOLUTION=")?.upperBound,
                let size = line[start...].split(separator: ",").first?.split(separator: "x"), Int(size[1]) ?? 0 > height
            {
                dropsNext = line.hasPrefix("#EXT-X-STREAM-INF:")
                continue
            }
            output += Array((line + "\n").utf8)
        }
        return output
    }

    /// A file whose cues all have hours, and no times in their text, with all of them later.
    static func shifted(_ file: UnsafeRawBufferPointer, byMilliseconds shift: UInt64) -> [UInt8] {
        func later(_ time: Substring) -> String {
            let all = milliseconds(time) + shift
            let fields = [(all / 3_600_000, 2), (all / 60_000 % 60, 2), (all / 1_000 % 60, 2), (all % 1_000, 3)]
            let digits = fields.map { number, width in String("\(number + 1_000)".suffix(width)) }
            return digits[..<3].joined(separator: ":") + "." + digits[3]
        }
        var output: [UInt8] = []
        for line in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.contains(Array(" --> ".utf8)) {
                let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 3)
                let settings = words.count > 3 ? " " + words[3] : ""
                output += Array("\(later(words[0])) --> \(later(words[2]))\(settings)".utf8)
            } else {
                output += line
            }
            output.append(UInt8(ascii: "\n"))
        }
        return output.dropLast()
    }
}
