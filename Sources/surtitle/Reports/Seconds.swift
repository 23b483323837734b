internal import ByteScan
internal import M3U8
internal import WebVTT

// Times as reports write them: seconds with three decimals, or more if they have more: `634.567`, `5.99999`.

extension Timestamp {
    /// The time as seconds.
    var seconds: String { spelled(seconds: milliseconds / 1000, billionths: milliseconds % 1000 * 1_000_000) }
}

extension DecimalSeconds {
    /// The duration as seconds.
    var exactSeconds: String {
        spelled(seconds: nanoseconds / 1_000_000_000, billionths: Int64(nanoseconds % 1_000_000_000))
    }
}

private func spelled(seconds: some BinaryInteger, billionths: Int64) -> String {
    let digits = DecimalDigits(billionths: billionths.magnitude, minimumCount: 3)
    return "\(seconds)." + String(decoding: Array(digits), as: UTF8.self)
}
