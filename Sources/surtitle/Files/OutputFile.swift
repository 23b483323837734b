/// Where a command puts its one result: standard output, or a file that is there when it is whole and not before.
final class OutputFile {
    /// What becomes of the bytes of a file that is refused, for its message.
    let refusedEnding: String

    /// Takes the result's bytes.
    let writer: ByteWriter

    private let path: String

    /// The directory of the file; nil for standard output.
    private let directory: OutputDirectory?

    /// The file at `path`; without one, with `-` or with `/dev/stdout`, standard output. The files that are read are to
    /// be opened before.
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-", path != "/dev/stdout" else {
            writer = .standardOutput()
            directory = nil
            self.path = "-"
            refusedEnding = "the bytes were passed on unchanged"
            return
        }
        let slash = path.unicodeScalars.lastIndex(of: "/")
        let name = slash.map { String(path.unicodeScalars[path.unicodeScalars.index(after: $0)...]) } ?? path
        guard !["", ".", ".."].contains(name) else { throw .usage("-o is \(path), which is a directory; name a file") }
        let folder =
            slash.map { $0 == path.unicodeScalars.startIndex ? "/" : String(path.unicodeScalars[..<$0]) } ?? "."
        let directory = OutputDirectory(folder, otherwise: "give another file with -o", isForOneFile: true)
        writer = try directory.open([name])
        self.directory = directory
        self.path = path
        refusedEnding = "nothing was written"
    }

    /// Ends the result, and calls `judge`, which throws why it is not what was asked for. Standard output has it by
    /// then; a file does not appear, and the one that was there stays. A closing line says of it what `summary` says.
    func finish(_ summary: String = "", _ judge: () throws(Failure) -> Void = {}) throws(Failure) {
        try writer.finish()
        try judge()
        guard let directory else { return }
        try directory.commit()
        Console.close(with: "\(path): \(directory.summary)\(summary.isEmpty ? "" : ", \(summary)")")
    }
}
