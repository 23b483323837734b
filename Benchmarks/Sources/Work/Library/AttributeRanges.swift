import M3U8

/// The library's scanners, asked for every attribute of every tag that has an attribute list.
enum AttributeRanges {
    /// Visits them all and mixes up where they are. There is one scanner for each run, reset for every playlist.
    static func digest(
        of bytes: UnsafeRawBufferPointer, inChunksOf size: Int, times: Int
    ) throws(LimitError) -> UInt64 {
        var scanner = LineScanner()
        var sum: UInt64 = 0
        for _ in 0..<times {
            scanner.reset()
            for chunk in bytes.chunks(of: size) {
                try scanner.scan(chunk) { line in visit(line) { sum &+= $0.digest } }
            }
            try scanner.finish { line in visit(line) { sum &+= $0.digest } }
        }
        return sum
    }

    /// What is wrong with the ranges in `bytes`, whole or in chunks, or nil.
    static func fault(in bytes: UnsafeRawBufferPointer, expected: [AttributeRange]) -> String? {
        var scanner = LineScanner()
        for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
            var found: [AttributeRange] = []
            scanner.reset()
            do {
                for chunk in bytes.chunks(of: size) {
                    try scanner.scan(chunk) { line in visit(line) { found.append($0) } }
                }
                try scanner.finish { line in visit(line) { found.append($0) } }
            } catch {
                return "in chunks of \(size) bytes: \(error)"
            }
            guard found.count == expected.count else {
                return "in chunks of \(size) bytes: \(found.count) attributes, not \(expected.count)"
            }
            if let (wrong, right) = zip(found, expected).first(where: { $0 != $1 }) {
                return "in chunks of \(size) bytes: an attribute is found at \(wrong.name), not at \(right.name)"
            }
        }
        return nil
    }

    @inline(__always)
    private static func visit(_ line: PlaylistLine, _ body: (AttributeRange) -> Void) {
        guard case .tag(let name) = line.kind, name.hasAttributeList else { return }
        var attributes = line.attributes
        while let attribute = attributes.next() {
            let name = attribute.name
            let value = attribute.value
            body(
                AttributeRange(
                    name: name.moved(by: line.position), value: value.moved(by: line.position)))
        }
    }
}

extension Range<Int> {
    /// The range with both bounds `distance` later. What is timed is the library, so nothing is checked.
    @inline(__always)
    fileprivate func moved(by distance: Int) -> Range<Int> {
        Range(uncheckedBounds: (lowerBound &+ distance, upperBound &+ distance))
    }
}
