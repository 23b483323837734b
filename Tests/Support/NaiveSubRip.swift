/// SubRip to WebVTT with the whole file in memory, by looking ahead and by regular expressions: an oracle.
public enum NaiveSubRip {
    /// The WebVTT file that `file` becomes, which must be UTF-8.
    public static func transcode(_ file: [UInt8]) -> [UInt8] {
        let lines = (NaiveTimings.lines(of: file) ?? []).map { String(decoding: $0, as: UTF8.self) }
        var output = "WEBVTT\n"
        for (index, line) in lines.enumerated() {
            guard let timing = timing(line) else { continue }
            output += "\n"
            let before = lines[..<index].lastIndex { !isBlank($0) }
            if let before, isCounter(before, lines) { output += digits(lines[before]) + "\n" }
            let text = text(below: index, lines)
            output += timing + (text.first.map(settings) ?? "") + "\n"
            var styles = ""
            for line in text.flatMap({ cueText($0, &styles) }) { output += line + "\n" }
        }
        return Array(output.utf8)
    }

    /// The lines of text of the cue whose timing line is at `index`.
    private static func text(below index: Int, _ lines: [String]) -> [String] {
        let end = (index + 1..<lines.count).first { endsCue($0, lines) } ?? lines.endIndex
        let places = (index + 1..<end).filter { !isBlank(lines[$0]) && !isCounter($0, lines) }
        var text = places.map { isNumber(lines[$0]) ? digits(lines[$0]) : lines[$0] }
        // A counter at the end of the file belongs to a cue that never came.
        if end == lines.endIndex, text.count > 1, let last = places.last, isNumber(lines[last]),
            isBlank(lines[last - 1])
        {
            text.removeLast()
        }
        return text
    }

    /// Whether a cue begins with the line at `index`, even one that is left out for its arrow.
    private static func endsCue(_ index: Int, _ lines: [String]) -> Bool {
        if timing(lines[index]) != nil { return true }
        guard let times = times(lines[index], brokenArrow), times.allSatisfy(\.isExact) else { return false }
        return index == 0 || isBlank(lines[index - 1]) || isNumber(lines[index - 1])
    }

    private static func isBlank(_ line: String) -> Bool { line.wholeMatch(of: blank) != nil }

    private static func isNumber(_ line: String) -> Bool {
        line.wholeMatch(of: number) != nil
    }

    private static func digits(_ line: String) -> String {
        String(line.unicodeScalars.filter { ("0"..."9").contains($0) })
    }

    /// Whether the number at `index` is the counter of a cue.
    private static func isCounter(_ index: Int, _ lines: [String]) -> Bool {
        guard isNumber(lines[index]), let next = lines[(index + 1)...].firstIndex(where: { !isBlank($0) }) else {
            return false
        }
        return endsCue(next, lines) && (next == index + 1 || index == 0 || isBlank(lines[index - 1]))
    }

    /// The timing line in the form of WebVTT, or nil if `line` is none.
    private static func timing(_ line: String) -> String? {
        times(line, arrow)?.map(\.text).joined(separator: " --> ")
    }

    /// The two times on `line`, with `arrow` between them, and whether they have hours or a fraction.
    private static func times(_ line: String, _ arrow: Regex<Substring>) -> [(text: String, isExact: Bool)]? {
        guard line.utf8.contains(UInt8(ascii: ":")) else { return nil }
        var rest = line[...]
        func consume<Output>(_ regex: Regex<Output>) -> Output? {
            guard let match = rest.prefixMatch(of: regex) else { return nil }
            rest = rest[match.range.upperBound...]
            return match.output
        }
        func time() -> (text: String, isExact: Bool)? {
            let minus = consume(sign)
            guard let (_, hours, minutes, seconds) = consume(long) ?? consume(short) else { return nil }
            let fraction = consume(fraction)
            let decimals = fraction?.1.prefix(3) ?? ""
            let significant = hours.drop { $0 == "0" }
            let whole = significant.count > 15 ? Int128(1) << 90 : Int128(significant) ?? 0
            let rest = [minutes, seconds].reduce(Int128(0)) { ($0 + (Int128($1) ?? 0)) * 60 } / 60 * 1000
            let sum = min(whole * 3_600_000 + rest + (Int128(decimals) ?? 0), Int128(Int64.max))
            return (spell(minus?.contains("-") == true ? 0 : Int64(sum)), !hours.isEmpty || fraction != nil)
        }
        _ = consume(marks)
        guard let start = time(), consume(arrow) != nil, let end = time() else { return nil }
        return [start, end]
    }

    private static func spell(_ time: Int64) -> String {
        func padded(_ value: Int64, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
        }
        let fields = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { padded($0, 2) }
        return fields.joined(separator: ":") + "." + padded(time % 1000, 3)
    }

    /// The settings that the `{\anN}` at the beginning of `line` stands for.
    private static func settings(_ line: String) -> String {
        guard let found = line.prefixMatch(of: blocks)?.1,
            let number = found.firstMatch(of: alignment)?.1.wholeNumber
        else { return "" }
        let line = ["", " line:45%", " line:0"][(number - 1) / 3]
        let position = [" position:5% align:left", "", " position:95% align:right"][(number - 1) % 3]
        return line + position
    }

    /// The lines of cue text that `line` becomes, in a cue with these `styles`.
    private static func cueText(_ line: String, _ styles: inout String) -> [String] {
        var rows: [(text: String, bare: String, styles: String)] = []
        func begin(_ styles: String) { rows.append((styles.map { "<\($0)>" }.joined(), "", styles)) }
        func append(_ piece: String) {
            rows[rows.count - 1].text += piece
            rows[rows.count - 1].bare += piece
        }
        begin(styles)
        for match in line.matches(of: pieces) {
            switch match.0 {
            case "<": append("&lt;")
            case "&": append("&amp;")
            case "\0": append("\u{FFFD}")
            case ">": append(rows[rows.count - 1].text.utf8.suffix(2).elementsEqual("--".utf8) ? "&gt;" : ">")
            case "\\N", "\\n": begin(styles)
            case let piece where piece.utf8.starts(with: "{\\".utf8) && piece.utf8.count > 1: break
            case let piece:
                if let list = match.7 {
                    for letter in list.lowercased() where "biu".contains(letter) {
                        if !rows[rows.count - 1].styles.contains(letter) {
                            rows[rows.count - 1].styles.append(letter)
                            rows[rows.count - 1].text += "<\(letter)>"
                        }
                        if match.6 == "Y", !styles.contains(letter) { styles.append(letter) }
                    }
                } else if let letter = match.5?.lowercased() {
                    append("<\(match.4 ?? "")\(letter)>")
                } else if let letter = match.2?.lowercased(), let slash = match.1 {
                    let isWhole = match.3?.isEmpty != false || match.3?.prefixMatch(of: tagEnd) != nil
                    if isWhole, "biu".contains(letter) { append("<\(slash)\(letter)>") }
                } else {
                    append(String(piece))
                }
            }
        }
        return rows.filter { !isSpace($0.bare) }.map { row in
            var text = row.text
            while let last = text.unicodeScalars.last, isSpace(String(last)) { text.unicodeScalars.removeLast() }
            return text + row.styles.reversed().map { "</\($0)>" }.joined()
        }
    }

    private static func isSpace(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { " \t\u{0C}".unicodeScalars.contains($0) }
    }

    // Made once, because making one takes longer than a match.
    nonisolated(unsafe) private static let blank = scalars(/\uFEFF*[ \t\f]*/)
    nonisolated(unsafe) private static let number = scalars(/\uFEFF*[ \t\f]*[0-9]+[ \t\f]*/)
    nonisolated(unsafe) private static let long = scalars(
        /([0-9]+)[ \t\f]*:[ \t\f]*([0-9]{1,2})[ \t\f]*:[ \t\f]*([0-9]{1,2})(?![0-9])/)
    nonisolated(unsafe) private static let short = scalars(
        /()([0-9]{1,3})[ \t\f]*:[ \t\f]*([0-9]{1,2})(?![0-9]|[ \t\f]*:)/)
    nonisolated(unsafe) private static let sign = scalars(/[ \t\f]*-?[ \t\f]*/)
    nonisolated(unsafe) private static let fraction = scalars(/[ \t\f]*[,.][ \t\f]*([0-9]*)/)
    nonisolated(unsafe) private static let marks = scalars(/\uFEFF*/)
    nonisolated(unsafe) private static let arrow = scalars(/[ \t\f]*-->/)
    nonisolated(unsafe) private static let blocks = scalars(/\uFEFF*[ \t\f]*((?:\{\\[^{}]*\})+)/)
    nonisolated(unsafe) private static let alignment = scalars(/\\an([1-9])[\\}]/)
    nonisolated(unsafe) private static let brokenArrow = scalars(/(?:[ \t\f]*-)+[ \t\f]*>/)
    nonisolated(unsafe) private static let pieces = scalars(
        #/
          <(\/?)([A-Za-z])([^<>]*)>
        | <[\x20\t\f]*(\/?)[\x20\t\f]*([BIUbiu])[\x20\t\f]*>
        | \{([Yy]):([BIUSbius,\x20\t\f]*[BIUSbius][,\x20\t\f]*)\}
        | \\[Nn] | \{\\[^{}]*\} | &(?:amp|lt|gt|nbsp|lrm|rlm); | [\s\S]
        /#)
    nonisolated(unsafe) private static let tagEnd = scalars(/[ \t\f\/]/)

    /// `regex` on scalars: a combining mark after a `<` must not hide it.
    private static func scalars<Output>(_ regex: Regex<Output>) -> Regex<Output> {
        regex.matchingSemantics(.unicodeScalar)
    }
}

extension Substring {
    fileprivate var wholeNumber: Int? { Int(self) }
}
