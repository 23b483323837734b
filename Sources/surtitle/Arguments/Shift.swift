internal import ByteScan

/// By how much cues are shifted: the value of `--shift`.
struct Shift: Equatable {
    /// Milliseconds; later if above 0.
    let milliseconds: Int64

    /// No shift.
    static let none = Shift(milliseconds: 0)

    private init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Parses the value of `option`: seconds with up to three decimals, such as `-1.4`, kept exactly.
    init(option: String, _ text: String) throws(Failure) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let isSigned = isNegative || text.utf8.first == UInt8(ascii: "+")
        let value = text.withView { Int64(decimal: $0.suffix(from: isSigned ? 1 : 0), places: 3) }
        // So many years, 292 thousand, fit a number of 64 bits in other units too.
        guard let value, value < 10_000_000_000_000_000 else {
            throw .usage("\(option) is \(text), which is no number of seconds with up to three decimals, like -1.4")
        }
        milliseconds = isNegative ? -value : value
    }
}
