import ByteScan

/// A message's first line in words, and its fields, as a proxy's own parser hands them over.
struct MessageHead {
    let words: [ByteView]
    let fields: [(name: ByteView, value: ByteView)]

    /// The heads in `bytes`, each with an empty line at its end.
    static func all(in bytes: UnsafeRawBufferPointer) -> [MessageHead] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.split(whereSeparator: \.isEmpty).map { lines in
            MessageHead(
                words: lines.first?.split(separator: UInt8(ascii: " ")).map(view) ?? [],
                fields: lines.dropFirst().map { line in
                    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
                    return (view(line[..<colon]), view(line[colon...].dropFirst()))
                })
        }
    }

    private static func view(_ slice: Slice<UnsafeRawBufferPointer>) -> ByteView {
        ByteView(UnsafeRawBufferPointer(rebasing: slice))
    }
}
