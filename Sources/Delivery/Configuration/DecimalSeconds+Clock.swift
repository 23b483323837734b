public import ByteScan
public import M3U8

extension DecimalSeconds {
    /// The time that `text` is as people write it, kept exactly; nil if it is none.
    ///
    ///     634.567     634.567s
    ///     10:34.567   1:02:03.5   minutes and seconds have two digits after a colon, and are below 60
    public init?(clock text: ByteView) {
        // A comma ends an EXTINF's duration, but not a time.
        if text.firstOffset(of: ASCII.comma) != nil { return nil }
        guard text.firstOffset(of: ASCII.colon) != nil else {
            let isMarked = text.last == UInt8(ascii: "s")
            self.init(isMarked ? text.prefix(upTo: text.count - 1) : text)
            return
        }
        var minutes: UInt64 = 0
        var start = 0
        var colons = 0
        while let colon = text.firstOffset(of: ASCII.colon, from: start) {
            let field = text[start..<colon]
            guard colons < 2, colons == 0 || Self.isBelow60(field), let number = Self.number(field) else { return nil }
            let (hours, isTooLarge) = minutes.multipliedReportingOverflow(by: 60)
            let (sum, overflows) = hours.addingReportingOverflow(number)
            minutes = isTooLarge || overflows ? .max : sum
            colons += 1
            start = colon + 1
        }
        let last = text.suffix(from: start)
        guard Self.isBelow60(last.prefix(upTo: last.firstOffset(of: ASCII.period) ?? last.count)),
            let seconds = DecimalSeconds(last)
        else { return nil }
        let (nanoseconds, isTooLarge) = minutes.multipliedReportingOverflow(by: 60_000_000_000)
        self = seconds + DecimalSeconds(nanoseconds: isTooLarge ? .max : nanoseconds)
    }

    /// Whether `field` is two digits from 00 to 59.
    private static func isBelow60(_ field: ByteView) -> Bool {
        field.count == 2 && field[0] < UInt8(ascii: "6") && field.allSatisfy { ASCII.digit($0) != nil }
    }

    /// The number that `field` is; nil if it is none, or has more than 64 bits.
    private static func number(_ field: ByteView) -> UInt64? {
        guard !field.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in field {
            guard let digit = ASCII.digit(byte) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(digit))
            if isTooLarge || overflows { return nil }
            value = sum
        }
        return value
    }
}
