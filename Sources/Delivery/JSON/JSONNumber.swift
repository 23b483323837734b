package import ByteScan
package import M3U8

/// A number of a JSON text: its spelling, of which nothing is lost (RFC 8259, section 6).
package struct JSONNumber: Equatable {
    /// The number as it is written, valid as long as the text is.
    package let spelling: ByteView

    /// The number of `spelling`, which has been checked.
    init(_ spelling: ByteView) { self.spelling = spelling }

    /// The number if it is written as an integer, without a fraction or an exponent, and fits; nil otherwise.
    package var integer: Int? {
        let isNegative = spelling.first == ASCII.hyphen
        var value = 0
        for byte in spelling.suffix(from: isNegative ? 1 : 0) {
            // Below zero from the start, because there is one more number there.
            guard let digit = ASCII.digit(byte), let next = value.times(10, plus: isNegative ? -Int(digit) : Int(digit))
            else { return nil }
            value = next
        }
        return value
    }

    /// The number as seconds, exact to the nanosecond; digits after the ninth of the fraction are cut off.
    ///
    /// Nil if it has a sign or an exponent.
    package var seconds: DecimalSeconds? { DecimalSeconds(spelling) }
}
