internal import ByteScan

/// What a playlist is rendered into: an array, a buffer, or nothing but a count.
protocol ByteSink: ~Copyable {
    mutating func append(contentsOf bytes: some Sequence<UInt8>)
}

extension ByteSink where Self: ~Copyable {
    mutating func append(_ literal: StaticString) { unsafe append(contentsOf: ByteView(literal).buffer) }

    mutating func append(decimal value: UInt64, minimumCount: Int = 1) {
        append(contentsOf: DecimalDigits(value, minimumCount: minimumCount))
    }

    /// Appends a duration above 0 in seconds with three decimals, and as many more as it takes, none of them a 0 at the end.
    mutating func append(_ duration: MediaDuration) {
        let (seconds, thousandths) = duration.milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        append(decimal: seconds)
        append(".")
        append(decimal: thousandths, minimumCount: 3)
        var (rest, digitCount) = (UInt64(duration.nanosecondRest.magnitude), 6)
        guard rest > 0 else { return }
        while rest % 10 == 0 { (rest, digitCount) = (rest / 10, digitCount - 1) }
        append(decimal: rest, minimumCount: digitCount)
    }
}

extension [UInt8]: ByteSink {}

extension ReusableBuffer: ByteSink where Element == UInt8 {}

/// How many bytes would have been written.
struct ByteCount: ByteSink {
    private(set) var count = 0

    mutating func append(contentsOf bytes: some Sequence<UInt8>) { for _ in bytes { count += 1 } }
}
