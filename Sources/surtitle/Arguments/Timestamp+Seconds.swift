internal import WebVTT

extension Timestamp {
    /// The time as seconds with three decimals: `634.567`.
    var seconds: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let digits = String(rest)
        return "\(seconds).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}
