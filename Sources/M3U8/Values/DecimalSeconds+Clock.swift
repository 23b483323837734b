package import ByteScan

extension DecimalSeconds {
    /// The time that `text` is as people write it, kept exactly; nil if it is none.
    ///
    ///     634.567     634.567s
    ///     10:34.567   1:02:03.5   minutes and seconds have two digits after a colon, and are below 60
    package init?(clock text: ByteView) {
        // A comma ends an EXTINF's duration, but not a time.
        if text.firstOffset(of: ASCII.comma) != nil { return nil }
        guard text.firstOffset(of: ASCII.colon) != nil else {
            let isMarked = text.last == UInt8(ascii: "s")
            self.init(isMarked ? text.prefix(upTo: text.count - 1) : text)
            return
        }
        var minutes: UInt64 = 0
        var rest = text
        var colons = 0
        while let colon = rest.firstOffset(of: ASCII.colon) {
            let field = rest.prefix(upTo: colon)
            guard colons < 2, colons == 0 || Self.isBelow60(field), let number = UInt64(decimal: field) else {
                return nil
            }
            minutes = minutes.times(60, plus: number) ?? .max
            colons += 1
            rest = rest.suffix(from: colon + 1)
        }
        guard Self.isBelow60(rest.prefix(upTo: rest.firstOffset(of: ASCII.period) ?? rest.count)),
            let seconds = DecimalSeconds(rest)
        else { return nil }
        self = seconds + DecimalSeconds(nanoseconds: minutes.times(60_000_000_000) ?? .max)
    }

    /// Whether `field` is two digits from 00 to 59.
    private static func isBelow60(_ field: ByteView) -> Bool {
        field.count == 2 && field[0] < UInt8(ascii: "6") && field.allSatisfy(ASCII.isDigit)
    }
}
