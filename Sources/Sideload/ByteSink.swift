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
}

extension [UInt8]: ByteSink {}

extension ReusableBuffer: ByteSink where Element == UInt8 {}

/// How many bytes would have been written.
struct ByteCount: ByteSink {
    private(set) var count = 0

    mutating func append(contentsOf bytes: some Sequence<UInt8>) { for _ in bytes { count += 1 } }
}
