/// The timing part of the W3C WebVTT parsing algorithm, line by line, as plainly as possible: an oracle.
///
/// It depends on one fact: the parser tries every line with an arrow exactly once, whatever came before it, and never
/// revokes a success. The cues of a file are therefore its timing lines, without the first line of the file.
public enum NaiveTimings {
    /// The start and end of every cue of `file`, in milliseconds, or nil if the file has no signature.
    public static func cues(in file: [UInt8]) -> [(start: Int64, end: Int64)]? {
        guard let lines = lines(of: file), hasSignature(lines[0]) else { return nil }
        return lines.dropFirst().filter(hasArrow).compactMap(timing).map { ($0.start, $0.end) }
    }

    /// The latest end of the cues that show, in milliseconds, of those whose timing line and the terminator before it are in
    /// `window`, a part of a file up to its end.
    public static func latestEnd(inTail window: [UInt8]) -> Int64? {
        (lines(of: window) ?? []).dropFirst().filter(hasArrow).compactMap(timing).filter { $0.end > $0.start }
            .map(\.end).max()
    }

    /// The lines of `file` without their terminators and without a byte order mark; a file has at least one.
    static func lines(of file: [UInt8]) -> [[UInt8]]? {
        var bytes = file[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var lines: [[UInt8]] = [[]]
        var previous: UInt8 = 0
        for byte in bytes {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0A, 0x0D: lines.append([])
            default: lines[lines.count - 1].append(byte)
            }
            previous = byte
        }
        return lines
    }

    static func hasSignature(_ line: [UInt8]) -> Bool {
        ["WEBVTT ", "WEBVTT\t"].contains { line.starts(with: Array($0.utf8)) } || line == Array("WEBVTT".utf8)
    }

    static func hasArrow(_ line: [UInt8]) -> Bool {
        let arrow = Array("-->".utf8)
        return line.indices.contains { line[$0...].starts(with: arrow) }
    }

    /// The two times of a timing line and what follows them, legal or not, without the white space around it.
    static func timing(_ line: [UInt8]) -> (start: Int64, end: Int64, settings: [UInt8])? {
        var rest = line[...]
        skipSpace(&rest)
        guard let start = timestamp(&rest) else { return nil }
        skipSpace(&rest)
        for byte in "-->".utf8 {
            guard rest.popFirst() == byte else { return nil }
        }
        skipSpace(&rest)
        guard let end = timestamp(&rest) else { return nil }
        skipSpace(&rest)
        let settings = rest.reversed().drop { [0x20, 0x09, 0x0C].contains($0) }.reversed()
        return (start, end, Array(settings))
    }

    static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
        while let byte = rest.first, [0x20, 0x09, 0x0C].contains(byte) { rest.removeFirst() }
    }

    /// "Collect a WebVTT timestamp", step by step.
    public static func timestamp(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        var unitsAreHours = false
        var (value1, value2, value3) = (digits(&rest), "", "")
        guard !value1.isEmpty else { return nil }
        if value1.count != 2 || number(value1) > 59 { unitsAreHours = true }
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        value2 = digits(&rest)
        guard value2.count == 2 else { return nil }
        if unitsAreHours || rest.first == UInt8(ascii: ":") {
            guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
            value3 = digits(&rest)
            guard value3.count == 2 else { return nil }
        } else {
            (value1, value2, value3) = ("0", value1, value2)
        }
        guard rest.popFirst() == UInt8(ascii: ".") else { return nil }
        let value4 = digits(&rest)
        guard value4.count == 3, number(value2) <= 59, number(value3) <= 59 else { return nil }
        let sum = number(value1) * 3_600_000 + number(value2) * 60_000 + number(value3) * 1000 + number(value4)
        return sum >= 9_223_372_036_854_775_807 ? .max : Int64(sum)
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> String {
        var digits = ""
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            digits.unicodeScalars.append(Unicode.Scalar(byte))
            rest.removeFirst()
        }
        return digits
    }

    /// The number that `digits` spell; hours far past any time that can be represented are cut off.
    private static func number(_ digits: String) -> Int128 {
        let significant = digits.drop { $0 == "0" }
        return significant.count > 20 ? 100_000_000_000_000_000_000 : Int128(significant) ?? 0
    }
}
