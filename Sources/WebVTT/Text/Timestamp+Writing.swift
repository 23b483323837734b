import ByteScan

extension Timestamp {
    /// The time as `HH:MM:SS.mmm`, with more digits for the hours where they need them; a time before 0 is written as 0.
    public var spelling: [UInt8] {
        let time = UInt64(max(0, milliseconds))
        var text = Array(DecimalDigits(time / 3_600_000, minimumCount: 2))
        text.append(ASCII.colon)
        text += DecimalDigits(time / 60_000 % 60, minimumCount: 2)
        text.append(ASCII.colon)
        text += DecimalDigits(time / 1000 % 60, minimumCount: 2)
        text.append(ASCII.period)
        text += DecimalDigits(time % 1000, minimumCount: 3)
        return text
    }
}

#if !hasFeature(Embedded)
extension Timestamp: CustomStringConvertible {
    /// The time as `HH:MM:SS.mmm`.
    public var description: String { String(decoding: spelling, as: UTF8.self) }
}
#endif
