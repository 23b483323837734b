/// How local subtitle files are read.
enum SubtitleSource {
    /// How much of a file is held at most, where it has to be whole in memory.
    static let largestWhole = 256 << 20

    /// Hands `body` the WebVTT that is in `file`, in chunks.
    static func forEachChunk(
        of file: borrowing InputFile, chunk: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe file.forEachChunk(of: chunk, body)
    }

    /// All the WebVTT that is in `file`.
    static func whole(_ file: borrowing InputFile, chunk: Int) throws(Failure) -> [UInt8] {
        let name = file.name
        var bytes: [UInt8] = []
        try unsafe forEachChunk(of: file, chunk: chunk) { (part) throws(Failure) in
            guard part.count <= largestWhole - bytes.count else {
                throw .refused(
                    name, "at byte \(largestWhole): more than \(largestWhole) bytes; sort the cues by their start")
            }
            unsafe bytes.append(contentsOf: part)
        }
        return bytes
    }
}
