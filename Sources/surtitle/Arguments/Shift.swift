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
        let number = isNegative || text.utf8.first == UInt8(ascii: "+") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = number.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        let digits = Array(parts[0]) + fraction + Array(repeating: UInt8(ascii: "0"), count: max(0, 3 - fraction.count))
        let isWhole = parts.allSatisfy { !$0.isEmpty } && fraction.count <= 3
        // As many digits as 292 thousand years have fit a number of 64 bits in any case.
        guard isWhole, digits.count <= 16, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            throw .usage("\(option) is \(text), which is no number of seconds with up to three decimals, like -1.4")
        }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        milliseconds = isNegative ? -value : value
    }
}
