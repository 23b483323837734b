internal import ByteScan

/// Ends the reading of a text whose line does not end, such as /dev/zero: nobody could tell what it is, however long one waits.
struct EndlessLine {
    /// How long a line may be, in bytes.
    static let longestLine = 256 << 20

    private let name: String
    /// How many bytes have come, and how many of them are of lines that have ended.
    private var position = 0
    private var lineStart = 0

    /// A watch on the file that messages call `name`.
    init(_ name: String) { self.name = name }

    /// Notes the next chunk.
    mutating func note(_ chunk: UnsafeRawBufferPointer) throws(Failure) {
        let view = unsafe ByteView(chunk)
        let end =
            view.lastOffset(of: ASCII.lineFeed, before: view.count)
            ?? view.lastOffset(of: ASCII.carriageReturn, before: view.count)
        if let end { lineStart = position + end + 1 }
        position += view.count
        guard position - lineStart <= Self.longestLine else {
            throw .refused(
                name,
                "at byte \(lineStart): the line has more than \(Self.longestLine) bytes; give a file whose lines end")
        }
    }
}
