internal import ByteScan
internal import M3U8
internal import WebVTT

/// What `surtitle inspect` finds out, and how it says so.
struct FileInspection {
    /// What is printed.
    let report: String

    /// Looks into `file`.
    init(_ file: borrowing InputFile, chunk: Int) throws(Failure) {
        // The first bytes tell which of the two scanners is meant; both see them, for a pipe is read only once.
        let kind = PlaylistKind()
        let inventory = PlaylistInventory()
        var head: [UInt8] = []
        try unsafe file.forEachChunk(of: chunk) { bytes in
            unsafe head.append(contentsOf: bytes.prefix(WebVTTSignature.decidingByteCount - head.count))
            unsafe kind.scan(bytes, inventory.take)
        }
        kind.finish(inventory.take)

        var table = TextTable()
        if kind.isPlaylist {
            table.append("kind", "\(kind.verdict)")
            table.append("lines", "\(kind.lineCount)")
            report = table.text(indentation: 0) + inventory.report
        } else if unsafe head.withUnsafeBytes({ unsafe Self.isWebVTT($0) }) {
            table.append("kind", "webvtt")
            table.append("lines", "\(kind.lineCount)")
            report = table.text(indentation: 0)
        } else {
            table.append("kind", "neither")
            table.append("lines", "\(kind.lineCount)")
            report = table.text(indentation: 0)
        }
    }

    private static func isWebVTT(_ head: UnsafeRawBufferPointer) -> Bool {
        guard case .valid = unsafe WebVTTSignature(head: head, isWholeFile: true) else { return false }
        return true
    }
}
