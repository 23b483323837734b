// The C library of the platform, and what its errors mean.
#if canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#else
@_exported import Darwin
#endif

/// An error of a system call.
struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32

    /// The error of the call just made.
    static var last: SystemError { SystemError(code: errno) }

    /// What it means, for a message.
    var description: String {
        switch code {
        case ENOENT: "no such file or directory"
        case EACCES, EPERM: "permission denied"
        case EISDIR: "is a directory; name a file"
        case ENOTDIR: "a part of the path is not a directory"
        case ELOOP: "a part of the path is a symbolic link"
        case ENOSPC: "no space left"
        case EFBIG: "the file grows larger than is allowed; raise the limit (ulimit -f)"
        case ENAMETOOLONG: "the name is too long"
        case EROFS: "the file system is read-only"
        default: unsafe String(cString: strerror(code))
        }
    }
}
