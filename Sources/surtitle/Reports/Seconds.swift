internal import M3U8
internal import WebVTT

// Times as reports write them: seconds with three decimals.

extension Timestamp {
    /// The time as seconds with three decimals: `634.567`.
    var seconds: String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return "\(seconds).\(decimals(rest, 3))"
    }
}

extension DecimalSeconds {
    /// The duration as seconds with three decimals, or more if it has more: `5.99999`.
    var exactSeconds: String {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        var fraction = decimals(rest, 9)
        while fraction.count > 3, fraction.last == "0" { fraction.removeLast() }
        return "\(seconds).\(fraction)"
    }
}

private func decimals(_ number: some BinaryInteger, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: count - digits.count) + digits
}
