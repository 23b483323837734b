public import ByteScan
public import M3U8

/// A number of a JSON text: its spelling, of which nothing is lost (RFC 8259, section 6).
public struct JSONNumber: Equatable {
    /// The number as it is written, valid as long as the text is.
    public let spelling: ByteView

    /// The number of `spelling`, which has been checked.
    init(_ spelling: ByteView) { self.spelling = spelling }

    /// The number if it is written as an integer, without a fraction or an exponent, and fits; nil otherwise.
    public var integer: Int? {
        let isNegative = spelling.first == ASCII.hyphen
        var value = 0
        for byte in spelling.suffix(from: isNegative ? 1 : 0) {
            guard let digit = ASCII.digit(byte) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            // Below zero from the start, because there is one more number there.
            let (next, overflows) =
                isNegative
                ? product.subtractingReportingOverflow(Int(digit)) : product.addingReportingOverflow(Int(digit))
            if isTooLarge || overflows { return nil }
            value = next
        }
        return value
    }

    /// The number as seconds, exact to the nanosecond; digits after the ninth of the fraction are cut off.
    ///
    /// Nil if it has a sign or an exponent.
    public var seconds: DecimalSeconds? { DecimalSeconds(spelling) }
}
