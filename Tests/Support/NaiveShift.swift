/// A WebVTT file with the times of its cues shifted, with the whole file in memory: an oracle.
///
/// It depends on the fact that ``NaiveCues`` states: a cue is a timing line, and its identifier and its text are the lines around it.
public enum NaiveShift {
    /// What `file` becomes, shifted by `shift` milliseconds, and how many of its cues are left out.
    public static func rewrite(_ file: [UInt8], by shift: Int64) -> (bytes: [UInt8], leftOut: Int) {
        guard shift != 0, NaiveWebVTT.blocks(of: file) != nil else { return (file, 0) }
        var lines = NaiveLines.lines(of: file)
        var removed = Set<Int>()
        var leftOut = 0
        for index in lines.indices.dropFirst() {
            let line = lines[index].text
            guard NaiveTimings.hasArrow(line), let times = NaiveTimings.timing(line) else { continue }
            let text = lines.indices[(index + 1)...].prefix {
                !lines[$0].text.isEmpty && !NaiveTimings.hasArrow(lines[$0].text)
            }
            guard shifted(times.end, by: shift) <= 0 else {
                lines[index].text = timingLine(line, by: shift)
                for index in text { lines[index].text = cueText(lines[index].text, by: shift) }
                continue
            }
            leftOut += 1
            removed.insert(index)
            removed.formUnion(text)
            let isNamed =
                index >= 3 && !lines[index - 1].text.isEmpty && !NaiveTimings.hasArrow(lines[index - 1].text)
                && lines[index - 2].text.isEmpty
            if isNamed { removed.insert(index - 1) }
        }
        var output: [UInt8] = []
        for (index, line) in lines.enumerated() {
            if !removed.contains(index) {
                output += line.text + line.terminator
            } else if output.last == 0x0D, line.terminator.last == 0x0A {
                // A CR before it must not become one with a line feed after it.
                output.append(0x0A)
            }
        }
        return (output, leftOut)
    }

    /// The text of a cue with its time stamps shifted.
    public static func cueText(_ text: [UInt8], by shift: Int64) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            output.append(byte)
            guard byte == 0x3C else { continue }
            var after = rest
            guard let time = NaiveTimings.timestamp(&after), after.first == 0x3E else { continue }
            output += spelling(of: time, Array(rest[..<after.startIndex]), by: shift)
            rest = after
        }
        return output
    }

    /// A time after the shift, below 0 perhaps; the latest that fits stays.
    public static func shifted(_ time: Int64, by shift: Int64) -> Int64 {
        if time == .max { return .max }
        let sum = Int128(time) + Int128(shift)
        return sum > Int128(Int64.max) ? .max : Int64(sum)
    }

    private static func timingLine(_ line: [UInt8], by shift: Int64) -> [UInt8] {
        var rest = line[...]
        NaiveTimings.skipSpace(&rest)
        let start = rest.startIndex
        let first = NaiveTimings.timestamp(&rest) ?? 0
        let startEnd = rest.startIndex
        NaiveTimings.skipSpace(&rest)
        rest = rest.dropFirst(3)
        NaiveTimings.skipSpace(&rest)
        let end = rest.startIndex
        let second = NaiveTimings.timestamp(&rest) ?? 0
        return line[..<start] + spelling(of: first, Array(line[start..<startEnd]), by: shift) + line[startEnd..<end]
            + spelling(of: second, Array(line[end..<rest.startIndex]), by: shift) + rest
    }

    /// How the time `time`, which is spelled `old`, is spelled after the shift.
    private static func spelling(of time: Int64, _ old: [UInt8], by shift: Int64) -> [UInt8] {
        let new = max(0, shifted(time, by: shift))
        if new == time { return old }
        func digits(_ number: Int64, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let rest = "\(digits(new / 60_000 % 60, 2)):\(digits(new / 1000 % 60, 2)).\(digits(new % 1000, 3))"
        let hasHours = old.count { $0 == 0x3A } == 2 || new >= 3_600_000
        return Array(((hasHours ? digits(new / 3_600_000, 2) + ":" : "") + rest).utf8)
    }
}
