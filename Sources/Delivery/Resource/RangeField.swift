package import ByteScan

/// What the Range field of a request asks for (RFC 9110 14.2), as far as one range goes.
///
///     bytes=0-499     bytes=500-     bytes=-500
///
/// Several ranges get the whole, as a server may answer them (14.2), and so does whatever cannot be understood: another
/// unit, a last position before the first, no number.
package enum RangeField: Equatable, Sendable {
    /// No range, or one that is ignored.
    case whole
    /// From the first position through the last, which counts; through the end if there is none.
    case from(Int, through: Int?)
    /// So many bytes at the end.
    case suffix(Int)

    /// What a resource of some length has of it.
    package enum Answer: Equatable, Sendable {
        /// All of it, with status 200.
        case whole
        /// These bytes, at least one, with status 206.
        case part(Range<Int>)
        /// None, with status 416.
        case unsatisfiable
    }

    /// What the value of the field asks for.
    package init(_ value: ByteView) { self = Self.parsed(value) ?? .whole }

    /// What the fields of a request ask for. With If-Range the whole is sent, since nothing here has a tag that it
    /// could name (RFC 9110 13.1.5).
    package init(_ headers: [HeaderLine]) {
        let ranges = headers.filter { $0.isNamed("Range") }
        guard ranges.count == 1, let range = ranges.first, !headers.contains(where: { $0.isNamed("If-Range") }) else {
            self = .whole
            return
        }
        self = range.value.withView { RangeField($0) }
    }

    /// What a resource of `length` bytes has of it.
    package func answer(length: Int) -> Answer {
        switch self {
        case .whole: return .whole
        case .from(let first, let last):
            guard first >= 0, first < length else { return .unsatisfiable }
            let end = last.map { $0 < length ? $0 + 1 : length } ?? length
            return end > first ? .part(first..<end) : .whole
        case .suffix(let count):
            guard count > 0 else { return .unsatisfiable }
            // Content-Range has no form for no bytes (14.4).
            guard length > 0 else { return .whole }
            return .part((length - min(count, length))..<length)
        }
    }

    /// The one range that `value` asks for; nil if there is none, or several.
    private static func parsed(_ value: ByteView) -> RangeField? {
        let value = value.trimmed
        guard let equals = value.firstOffset(of: ASCII.equals), value.prefix(upTo: equals).equalsIgnoringCase("bytes")
        else { return nil }
        var list = FieldList(value.suffix(from: equals + 1), .entityTags)
        guard let range = list.next(), list.next() == nil, let hyphen = range.firstOffset(of: ASCII.hyphen) else {
            return nil
        }
        let first = range.prefix(upTo: hyphen)
        let last = range.suffix(from: hyphen + 1)
        if first.isEmpty { return number(last).map { .suffix($0) } }
        guard let start = number(first) else { return nil }
        if last.isEmpty { return .from(start, through: nil) }
        guard let end = number(last), end >= start else { return nil }
        return .from(start, through: end)
    }

    /// The number that `digits` are; what does not fit is the largest that does. Nil if they are none.
    private static func number(_ digits: ByteView) -> Int? {
        Int(decimal: digits) ?? (!digits.isEmpty && digits.allSatisfy(ASCII.isDigit) ? .max : nil)
    }
}
