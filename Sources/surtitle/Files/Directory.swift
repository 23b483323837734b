/// A directory that is open: what it is called in messages, and a hold on it that no renaming changes.
final class Directory {
    let path: String
    let descriptor: FileDescriptor

    private init(_ path: String, _ descriptor: consuming FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens the directory at `path`, and makes it and those above it where there are none.
    convenience init(making path: String) throws(Failure) {
        var prefix = path.unicodeScalars.first == "/" ? "/" : ""
        for step in path.pieces(at: "/") where !step.isEmpty {
            prefix += "\(step)/"
            guard unsafe mkdir(prefix, 0o777) != 0 else { continue }
            let error = SystemError.last
            // What is there already is opened below, and is a directory or not.
            guard [EEXIST, EISDIR, EROFS, EACCES].contains(error.code) else { throw .refused(path, error.reason) }
        }
        do {
            self.init(path, try FileDescriptor(directory: path))
        } catch {
            throw .refused(path, error.code == ENOTDIR ? "is no directory; give another one with -o" : error.reason)
        }
    }

    /// Opens the directory called `name` in this one, and makes it where there is none. A symbolic link is refused: it
    /// could lead anywhere.
    func directory(_ name: String) throws(Failure) -> Directory {
        let path = path(of: name)
        if unsafe mkdirat(descriptor.number, name, 0o777) != 0, errno != EEXIST {
            throw .refused(path, SystemError.last.reason)
        }
        do {
            return Directory(path, try descriptor.directory(name))
        } catch {
            let isLink = error.code == ELOOP || error.code == ENOTDIR
            throw .refused(path, isLink ? "is a file or a symbolic link, not a directory; remove it" : error.reason)
        }
    }

    /// What messages call the file `name` in this directory.
    func path(of name: String) -> String { path.unicodeScalars.last == "/" ? path + name : "\(path)/\(name)" }
}
