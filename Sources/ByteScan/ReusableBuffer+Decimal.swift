extension ReusableBuffer where Element == UInt8 {
    /// Keeps the decimal digits of `number`, at least `digits` of them.
    public mutating func append(decimal number: UInt64, digits: Int = 1) {
        var divisor: UInt64 = 1
        var count = 1
        while count < digits || number / divisor >= 10 {
            let (next, overflows) = divisor.multipliedReportingOverflow(by: 10)
            if overflows { break }
            divisor = next
            count += 1
        }
        while divisor > 0 {
            append(ASCII.zero + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
