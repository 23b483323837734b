internal import ByteScan

extension InputFile {
    /// How long a line of a text may be, in bytes.
    private static var longestLine: Int { 256 << 20 }

    /// Hands the text to `body` chunk by chunk.
    ///
    /// One whose line does not end is refused, such as /dev/zero: nobody could tell what it is, however long one waits.
    func forEachTextChunk(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        // How many bytes have come, and how many of them are of lines that have ended.
        var (position, lineStart) = (0, 0)
        try unsafe forEachChunk { (bytes) throws(Failure) in
            let view = unsafe ByteView(bytes)
            let end =
                view.lastOffset(of: ASCII.lineFeed, before: view.count)
                ?? view.lastOffset(of: ASCII.carriageReturn, before: view.count)
            if let end { lineStart = position + end + 1 }
            position += view.count
            guard position - lineStart <= Self.longestLine else {
                throw .refused(
                    name,
                    "at byte \(lineStart): the line has more than \(Self.longestLine) bytes; give a file whose lines end"
                )
            }
            try unsafe body(bytes)
        }
    }

    /// The same of the bytes `range` alone; nil for all of them.
    func forEachTextChunk(
        in range: Range<Int>?, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard let range else { return try unsafe forEachTextChunk(body) }
        guard let whole = self.size, range.upperBound <= whole else {
            throw .refused(name, "has fewer bytes than EXT-X-BYTERANGE says, which ends at \(range.upperBound)")
        }
        try unsafe forEachChunk(in: range) { (bytes) throws(Failure) in
            try unsafe body(bytes)
            return true
        }
    }
}
