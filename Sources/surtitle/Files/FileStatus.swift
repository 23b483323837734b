/// What the system knows of a file.
struct FileStatus {
    /// What makes a file this one and no other, whatever it is called.
    struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    let identity: Identity
    /// The size in bytes, where the file is a regular one, which can be read anywhere.
    let size: Int?
    let isDirectory: Bool

    init(_ status: stat) {
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        let type = status.st_mode & S_IFMT
        size = type == S_IFREG ? Int(status.st_size) : nil
        isDirectory = type == S_IFDIR
    }
}
