internal import ByteScan
internal import M3U8
internal import WebVTT

// Times as reports write them: seconds with three decimals, or more if they have more: `634.567`, `5.99999`.

extension Timestamp {
    /// The time as seconds.
    var seconds: String {
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        return String(utf8: [UInt8](seconds: seconds, billionths: rest * 1_000_000, decimals: 3))
    }
}

extension DecimalSeconds {
    /// The duration as seconds.
    var exactSeconds: String { String(utf8: spelling(decimals: 3)) }
}
