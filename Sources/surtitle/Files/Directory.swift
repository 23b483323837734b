/// An open directory. Files are opened relative to its descriptor, so that renaming it meanwhile changes nothing.
final class Directory {
    /// What messages call it.
    let path: String
    let descriptor: FileDescriptor
    /// Whether this run has made it, so that nothing is in it but what this run puts there.
    let isNew: Bool

    private init(_ path: String, _ descriptor: consuming FileDescriptor, isNew: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isNew = isNew
    }

    /// Opens the directory at `path`; it and those above it are made if they are missing, and noted in `unfinished`.
    convenience init(making path: String, _ unfinished: UnfinishedFiles) throws(Failure) {
        var prefix = path.unicodeScalars.first == "/" ? "/" : ""
        var isNew = false
        // Scalars, not characters: a slash is one, whatever combining mark follows.
        for step in path.unicodeScalars.split(separator: "/") {
            prefix += "\(String(step))/"
            isNew = unsafe mkdir(prefix, 0o777) == 0
            guard !isNew else {
                unfinished.append(UnfinishedFiles.MadeDirectory(path: prefix, parent: nil))
                continue
            }
            let error = SystemError.last
            // What exists already is opened below, which tells whether it is a directory.
            guard [EEXIST, EISDIR, EROFS, EACCES].contains(error.code) else { throw .refused(path, error.reason) }
        }
        do {
            self.init(path, try FileDescriptor(directory: path), isNew: isNew)
        } catch {
            throw .refused(path, error.code == ENOTDIR ? "is no directory; give another one with -o" : error.reason)
        }
    }

    /// The names of the files in the directory at `path`; nil if there is no such directory.
    static func names(in path: String) -> [String]? {
        guard let stream = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(cString: $0)
                }
            }
            names.append(name)
        }
        return names
    }

    /// Opens the directory called `name` in this one; it is made if it is missing, and noted in `unfinished`. A symbolic link is
    /// refused, because it could lead anywhere.
    func directory(_ name: String, _ unfinished: UnfinishedFiles) throws(Failure) -> Directory {
        let path = path(of: name)
        let isNew = unsafe mkdirat(descriptor.number, name, 0o777) == 0
        if isNew {
            unfinished.append(UnfinishedFiles.MadeDirectory(path: name, parent: self))
        } else if errno != EEXIST {
            throw .refused(path, SystemError.last.reason)
        }
        do {
            return Directory(path, try descriptor.directory(name), isNew: isNew)
        } catch {
            let isLink = error.code == ELOOP || error.code == ENOTDIR
            throw .refused(path, isLink ? "is a file or a symbolic link, not a directory; remove it" : error.reason)
        }
    }

    /// Makes and opens a directory called `name` in this one, for files that wait; nil if the name is in use. It is
    /// noted in
    /// `unfinished`.
    func newDirectory(_ name: String, _ unfinished: UnfinishedFiles) throws(Failure) -> Directory? {
        let path = path(of: name)
        if unsafe mkdirat(descriptor.number, name, 0o700) != 0 {
            guard errno != EEXIST else { return nil }
            throw .refused(path, SystemError.last.reason)
        }
        unfinished.append(folder: UnfinishedFiles.MadeDirectory(path: name, parent: self))
        return Directory(
            path, try SystemError.refusing(path) { () throws(SystemError) in try descriptor.directory(name) },
            isNew: true)
    }

    /// What messages call the file called `name` in this directory.
    func path(of name: String) -> String { path.unicodeScalars.last == "/" ? path + name : "\(path)/\(name)" }
}
