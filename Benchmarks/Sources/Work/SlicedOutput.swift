import M3U8

/// Compares output with what is expected, slice by slice, while the slices are valid.
struct SlicedOutput {
    private let expected: [UInt8]
    private var count = 0
    private var firstFault: String?

    /// How many bytes were ranges of the chunks they came in.
    private(set) var forwardedCount = 0

    init(expected: [UInt8]) { self.expected = expected }

    /// Compares the next slice, which may be a range of `chunk`.
    mutating func compare(_ slice: OutputSlice, of chunk: UnsafeRawBufferPointer) {
        guard firstFault == nil else { return }
        if case .chunk(let range) = slice.source {
            let isInside = range.lowerBound >= 0 && range.upperBound <= chunk.count && range.count == slice.count
            guard isInside, slice.bytes.baseAddress == chunk.baseAddress.map({ $0 + range.lowerBound }) else {
                firstFault = "a slice at \(count) is not where it says"
                return
            }
            forwardedCount += slice.count
        }
        guard expected.count - count >= slice.count, slice.bytes.elementsEqual(expected[count..<count + slice.count])
        else {
            firstFault = "the output is not the expected one from somewhere after \(count) on"
            return
        }
        count += slice.count
    }

    /// What is wrong with all the slices there were, or nil.
    var fault: String? {
        firstFault ?? (count == expected.count ? nil : "the output ends at \(count), not at \(expected.count)")
    }
}
