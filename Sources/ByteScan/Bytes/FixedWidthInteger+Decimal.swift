extension FixedWidthInteger {
    /// The number that all of `bytes` are, in decimal digits; nil if they are none, or if it does not fit.
    @inlinable
    package init?(decimal bytes: ByteView) {
        guard !bytes.isEmpty else { return nil }
        var value: Self = 0
        for byte in bytes {
            guard let digit = ASCII.digit(byte), let next = value.times(10, plus: Self(digit)) else { return nil }
            value = next
        }
        self = value
    }

    /// What `bytes` are, digits and perhaps a point and more digits, times 10 to the `places`.
    ///
    /// Nil if they are anything else, if more than `places` digits follow the point, or if it does not fit.
    package init?(decimal bytes: ByteView, places: Int) {
        let point = bytes.firstOffset(of: ASCII.period)
        let fraction = point.map { bytes.suffix(from: $0 + 1) } ?? ByteView("0")
        guard fraction.count <= places, let whole = Self(decimal: bytes.prefix(upTo: point ?? bytes.count)),
            var addend = Self(decimal: fraction)
        else { return nil }
        var unit: Self = 1
        for place in 0..<places {
            unit *= 10
            if place >= fraction.count { addend *= 10 }
        }
        guard let value = whole.times(unit, plus: addend) else { return nil }
        self = value
    }

    /// The number times `factor`, plus `addend`; nil if that does not fit.
    @inlinable @inline(__always)
    package func times(_ factor: Self, plus addend: Self = 0) -> Self? {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        let (sum, overflows) = product.addingReportingOverflow(addend)
        return isTooLarge || overflows ? nil : sum
    }
}
