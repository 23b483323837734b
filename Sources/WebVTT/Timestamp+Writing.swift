import ByteScan

extension Timestamp {
    /// The time as `HH:MM:SS.mmm`, with more digits for the hours where they need them; a time before 0 is written as 0.
    public var spelling: [UInt8] {
        let time = UInt64(max(0, milliseconds))
        var digits: [UInt8] = []
        digits.reserveCapacity(16)
        let hours = time / 3_600_000
        if hours < 10 { digits.append(ASCII.zero) }
        Self.append(hours, to: &digits)
        digits += [ASCII.colon] + Self.pair(time / 60_000 % 60)
        digits += [ASCII.colon] + Self.pair(time / 1000 % 60)
        digits += [ASCII.period] + Self.pair(time / 10 % 100)
        Self.append(time % 10, to: &digits)
        return digits
    }

    private static func pair(_ value: UInt64) -> [UInt8] {
        [ASCII.zero + UInt8(value / 10 % 10), ASCII.zero + UInt8(value % 10)]
    }

    /// Appends the decimal digits of `value`.
    static func append(_ value: UInt64, to digits: inout [UInt8]) {
        if value >= 10 { append(value / 10, to: &digits) }
        digits.append(ASCII.zero + UInt8(value % 10))
    }
}

#if !hasFeature(Embedded)
extension Timestamp: CustomStringConvertible {
    /// The time as `HH:MM:SS.mmm`.
    public var description: String { String(decoding: spelling, as: UTF8.self) }
}
#endif
