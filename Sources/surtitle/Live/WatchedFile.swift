/// A file that another program writes again and again, in place or by renaming: its bytes, whenever they have changed.
///
/// What is in the middle of being written may be read too. It is read again once it has changed.
struct WatchedFile {
    let path: String
    private var seen: FileStatus.Version?

    /// The file at `path`, which need not be there yet.
    init(_ path: String) { self.path = path }

    /// The whole file; nil if it is as it was, or not there.
    ///
    /// - Throws: A refusal of what cannot be read, or has more than `limit` bytes.
    mutating func read(upTo limit: Int) throws(Failure) -> [UInt8]? {
        guard let status = FileStatus(at: path), status.version != seen else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileDescriptor.bytes(at: path, upTo: limit)
        } catch {
            // It has been removed, and will be back.
            if error.code == ENOENT { return nil }
            throw .refused(path, error.description)
        }
        seen = status.version
        guard bytes.count <= limit else {
            throw .refused(path, "at byte \(limit): more than \(limit) bytes, so this is hardly a playlist")
        }
        return bytes
    }
}
