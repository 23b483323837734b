/// Which bytes a request gets, looked at one by one.
public enum NaiveRanges {
    /// The positions of a resource of `length` bytes from `offset` on, at most `count` of them, or all if there is no count.
    ///
    /// Nil if the numbers are below 0, or the offset is past the end.
    public static func positions(_ offset: Int64, _ count: Int?, of length: Int) -> [Int]? {
        guard offset >= 0, count ?? 0 >= 0, offset <= Int64(length) else { return nil }
        let behind = (0..<length).filter { Int64($0) >= offset }
        return count.map { Array(behind.prefix($0)) } ?? behind
    }

    /// What a Range field gets of a resource of `length` bytes: a status, and the positions (RFC 9110 14.2).
    public static func answer(_ field: String, of length: Int) -> (status: Int, positions: [Int]) {
        let whole = (200, Array(0..<length))
        let value = trimmed(field)
        guard let equals = value.firstIndex(of: "="), value[..<equals].lowercased() == "bytes" else { return whole }
        let ranges = value[value.index(after: equals)...].split(separator: ",").map { trimmed(String($0)) }
            .filter { !$0.isEmpty }
        guard ranges.count == 1, let hyphen = ranges[0].firstIndex(of: "-") else { return whole }
        let first = String(ranges[0][..<hyphen])
        let last = String(ranges[0][ranges[0].index(after: hyphen)...])
        guard isNumber(first) || first.isEmpty, isNumber(last) || last.isEmpty, first + last != "" else { return whole }
        if first.isEmpty {
            let count = Int(last) ?? .max
            if count == 0 { return (416, []) }
            return length == 0 ? whole : (206, Array((0..<length).suffix(count)))
        }
        if !last.isEmpty, isLess(last, first) { return whole }
        let positions = (0..<length).filter { $0 >= Int(first) ?? .max && (last.isEmpty || $0 <= Int(last) ?? .max) }
        return positions.isEmpty ? (416, []) : (206, positions)
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether one number is below another, as far as 64 bits tell them apart.
    private static func isLess(_ left: String, _ right: String) -> Bool { (Int(left) ?? .max) < (Int(right) ?? .max) }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
