/// What the system answered instead of doing as asked.
struct SystemError: Error, Equatable {
    /// The value of `errno`.
    let code: Int32

    /// The error of the call just made.
    static var last: SystemError { SystemError(code: errno) }

    /// What it means to the one who reads it.
    var reason: String {
        switch code {
        case ENOENT: "no such file or directory"
        case EACCES, EPERM: "permission denied"
        case EISDIR: "is a directory; name a file"
        case ENOTDIR: "a part of the path is not a directory"
        case ELOOP: "a part of the path is a symbolic link"
        case ENOSPC: "no space left"
        case ENAMETOOLONG: "the name is too long"
        case EROFS: "the file system is read-only"
        default: unsafe String(cString: strerror(code))
        }
    }
}
