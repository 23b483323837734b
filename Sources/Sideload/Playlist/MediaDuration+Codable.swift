#if !hasFeature(Embedded)
/// As seconds in text, `634.567`: a binary fraction would not be exact.
extension MediaDuration: Codable {
    /// Reads seconds with up to nine decimals.
    ///
    /// - Throws: `DecodingError` if the text is no such number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? Array(parts[1]) : [UInt8(ascii: "0")]
        let digits =
            Array(parts[0]) + fraction + [UInt8](repeating: UInt8(ascii: "0"), count: max(9 - fraction.count, 0))
        guard !parts[0].isEmpty, (1...9).contains(fraction.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let nanoseconds = UInt64(String(decoding: digits, as: UTF8.self))
        else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no duration in seconds: \(text)")
        }
        self.init(nanoseconds: nanoseconds)
    }

    /// Writes seconds with as many decimals as make them exact.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        var fraction = String(rest * 1_000_000 + UInt64(nanosecondRest) + 1_000_000_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let sign = milliseconds < 0 ? "-" : ""
        try container.encode(fraction.isEmpty ? "\(sign)\(seconds)" : "\(sign)\(seconds).\(fraction)")
    }
}
#endif
