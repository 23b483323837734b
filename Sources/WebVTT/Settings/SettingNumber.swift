import ByteScan

/// A decimal number as cue settings write it, as a `Double`.
///
///     ['-'] digits ['.' digits]        (HTML, "rules for parsing floating-point number values", as far as settings go)
///
/// A number of at most 19 digits, 19 of them after the point, is the nearest `Double`. Of any other it is the nearest
/// or the one beside it, because digits after the 19th that is not a leading zero are cut off, and longer powers of ten
/// are rounded.
enum SettingNumber {
    /// The number that `text` is, all of it; nil for anything else and for what is too large.
    static func value(_ text: ByteView) -> Double? {
        let isNegative = text.has(ASCII.hyphen, at: 0)
        var reader = ByteReader(isNegative ? text.suffix(from: 1) : text)
        let whole = reader.digits()
        let hasPoint = reader.skip(".")
        let fraction = reader.digits()
        guard reader.rest.isEmpty, !whole.isEmpty, hasPoint != fraction.isEmpty else { return nil }
        var mantissa: UInt64 = 0
        var exponent = -fraction.count
        for part in [whole, fraction] {
            for digit in part {
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(digit - ASCII.zero)
                } else {
                    exponent += 1
                }
            }
        }
        let magnitude = scaled(mantissa, byTenToThe: exponent)
        guard magnitude.isFinite else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// `mantissa` times a power of ten, by powers that fit 64 bits.
    private static func scaled(_ mantissa: UInt64, byTenToThe exponent: Int) -> Double {
        guard mantissa > 0, exponent > -400 else { return 0 }
        guard exponent < 400 else { return .infinity }
        // The number is `bits` times 2 to the `power`, and the highest bit of `bits` is set.
        var (bits, power, left) = (mantissa, 0, exponent)
        repeat {
            power -= bits.leadingZeroBitCount
            bits <<= UInt64(bits.leadingZeroBitCount)
            var factor = powerOfTen(min(left.magnitude, 19))
            let shift = factor.leadingZeroBitCount
            factor <<= UInt64(shift)
            let isInexact: Bool
            if left >= 0 {
                let product = bits.multipliedFullWidth(by: factor)
                (bits, power, isInexact) = (product.high, power + 64 - shift, product.low != 0)
            } else {
                let divided = factor.dividingFullWidth((bits >> 1, bits << 63))
                (bits, power, isInexact) = (divided.quotient, power - 63 + shift, divided.remainder != 0)
            }
            // What is left of a bit decides between two values that are equally near.
            if isInexact { bits |= 1 }
            left -= left.signum() * Int(min(left.magnitude, 19))
        } while left != 0
        return Double(sign: .plus, exponent: power, significand: Double(bits))
    }

    private static func powerOfTen(_ exponent: UInt) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
