// SEAM: stands in for the library until its line and attribute scanners are there.

/// The library's scanners, asked for every attribute of every tag.
enum AttributeRanges {
    /// Visits them all and mixes up where they are.
    static func digest(of bytes: UnsafeRawBufferPointer, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            for range in Expected.attributes(of: bytes) { sum &+= AttributeRange.digest(range.name, range.value) }
        }
        return sum
    }

    /// What is wrong with the ranges in `bytes`, or nil.
    static func fault(in bytes: UnsafeRawBufferPointer, expected: [AttributeRange]) -> String? {
        let sum = expected.reduce(0) { $0 &+ AttributeRange.digest($1.name, $1.value) }
        return digest(of: bytes, times: 1) == sum ? nil : "the ranges are not the expected ones"
    }
}
