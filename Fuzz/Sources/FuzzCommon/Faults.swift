/// What was wrong with the library's answers, in words.
public struct Faults {
    /// The words.
    public private(set) var found: [String] = []

    /// Notes `fault`.
    public mutating func add(_ fault: String) { found.append(fault) }

    /// Notes `faults`, found with the text cut as `split`.
    mutating func add(_ faults: [String], in split: [Range<Int>]) {
        found += faults.map { "\($0), \(Self.words(split))" }
    }

    /// Notes `fault` unless `isRight`.
    public mutating func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) {
        if !isRight { add(fault()) }
    }

    /// Notes that `answer` is not `expected`, unless it is.
    public mutating func expect<Answer: Equatable>(
        _ answer: Answer, is expected: Answer, _ what: @autoclosure () -> String
    ) {
        guard answer != expected else { return }
        add("\(what()):\n  answer   \(Self.words(answer))\n  expected \(Self.words(expected))")
    }

    /// A split in words; only its beginning if it is long.
    static func words(_ split: [Range<Int>]) -> String {
        "in \(split.count) chunks, the first of \(split.prefix(16).map { "\($0.count)" }.joined(separator: ", ")) bytes"
    }

    private static func words(_ value: some Equatable) -> String {
        if let bytes = value as? [UInt8] { return String(decoding: bytes, as: UTF8.self).debugDescription }
        return "\(value)"
    }
}
