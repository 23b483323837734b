import ByteScan

/// A message's first line in words, and its fields, as a proxy's own parser hands them over.
///
/// Nothing of it is counted by references, so that what is timed is the library. Its memory is never freed.
struct MessageHead: BitwiseCopyable {
    /// A field line.
    struct Field: BitwiseCopyable {
        let name: ByteView
        let value: ByteView
    }

    /// The first two words: a method and a target, or a version and a status.
    let words: (ByteView, ByteView)
    /// The status of a response; 0 for a request.
    let status: Int
    let fields: UnsafeBufferPointer<Field>

    /// The heads in `bytes`, each with an empty line at its end.
    static func all(in bytes: UnsafeRawBufferPointer) -> [MessageHead] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.split(whereSeparator: \.isEmpty).map { lines in
            let words = (lines.first?.split(separator: UInt8(ascii: " ")) ?? []).map(view) + [ByteView(), ByteView()]
            let fields = lines.dropFirst().map { line in
                let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
                return Field(name: view(line[..<colon]), value: view(line[colon...].dropFirst()))
            }
            let memory = UnsafeMutableBufferPointer<Field>.allocate(capacity: fields.count)
            _ = memory.initialize(from: fields)
            return MessageHead(
                words: (words[0], words[1]), status: Int(String(decoding: Array(words[1]), as: UTF8.self)) ?? 0,
                fields: UnsafeBufferPointer(memory))
        }
    }

    private static func view(_ slice: Slice<UnsafeRawBufferPointer>) -> ByteView {
        ByteView(UnsafeRawBufferPointer(rebasing: slice))
    }
}
