internal import WebVTT

/// Copies a file of subtitles as WebVTT, with a timestamp map put in if one is asked for.
final class SubtitleCopy {
    private let writer: ByteWriter
    private var rewriter: TimestampMapRewriter?

    /// A copy that goes to `writer`.
    init(to writer: ByteWriter, map: TimestampMap?) {
        self.writer = writer
        rewriter = map.map { TimestampMapRewriter($0) }
    }

    /// Copies `file`.
    func copy(_ file: borrowing InputFile, chunk: Int) throws(Failure) {
        try unsafe SubtitleDecoder(file.name).forEachChunk(of: file, chunk: chunk) { (bytes) throws(Failure) in
            unsafe write(bytes)
            try writer.check()
        }
        rewriter?.finish { writer.write($0.view) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        guard rewriter != nil else { return unsafe writer.write(bytes) }
        unsafe rewriter?.write(bytes) { writer.write($0.view) }
    }

    /// Whether the copy of `file`, which can be read anywhere, is the file byte for byte where it gets no map.
    static func isVerbatim(_ file: borrowing InputFile) throws(Failure) -> Bool {
        try SubtitleDecoder.format(of: file) != .subRip
    }
}
