/// An open directory. Files are opened relative to its descriptor, so that renaming it meanwhile changes nothing.
final class Directory {
    /// What messages call it.
    let path: String
    let descriptor: FileDescriptor
    /// Whether this run has made it, so that nothing is in it but what this run puts there.
    let isNew: Bool

    /// Where it lies, and its name there; nil unless that was known when it was opened.
    private let place: (parent: Directory, name: String)?
    /// Whether directories in it have been opened.
    private var hasDirectories = false
    /// Whether another directory has taken its place.
    private(set) var isReplaced = false

    private init(
        _ path: String, _ descriptor: consuming FileDescriptor, isNew: Bool, in place: (Directory, String)? = nil
    ) {
        self.path = path
        self.descriptor = descriptor
        self.isNew = isNew
        self.place = place
    }

    /// Opens the directory at `path`; it and those above it are made if they are missing, and noted in `unfinished`.
    convenience init(making path: String, _ unfinished: UnfinishedFiles) throws(Failure) {
        var prefix = path.unicodeScalars.first == "/" ? "/" : ""
        var isNew = false
        var place = ("", "")
        var refusal: SystemError?
        // Scalars, not characters: a slash is one, whatever combining mark follows.
        for step in path.unicodeScalars.split(separator: "/") {
            place = (prefix.isEmpty ? "." : prefix, String(step))
            prefix += "\(String(step))/"
            isNew = unsafe mkdir(prefix, 0o777) == 0
            guard !isNew else {
                unfinished.append(UnfinishedFiles.MadeDirectory(path: prefix, parent: nil))
                continue
            }
            let error = SystemError.last
            // What exists already is opened below, which tells whether it is a directory.
            guard [EEXIST, EISDIR, EROFS, EACCES].contains(error.code) else {
                throw .refused(path, (refusal ?? error).description)
            }
            refusal = [EROFS, EACCES].contains(error.code) ? error : nil
        }
        do {
            let parent = isNew ? Directory(place.0, try FileDescriptor(directory: place.0), isNew: false) : nil
            self.init(path, try FileDescriptor(directory: path), isNew: isNew, in: parent.map { ($0, place.1) })
        } catch {
            let reason = error.code == ENOENT ? refusal ?? error : error
            throw .refused(
                path, error.code == ENOTDIR ? "is no directory; give another one with -o" : reason.description)
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

    /// Opens the directory called `name` in this one; it is made if it is missing, and noted in `unfinished`. A
    /// symbolic link is refused, because it could lead anywhere.
    func directory(_ name: String, _ unfinished: UnfinishedFiles) throws(Failure) -> Directory {
        let path = path(of: name)
        let isNew = unsafe mkdirat(descriptor.number, name, 0o777) == 0
        if isNew {
            unfinished.append(UnfinishedFiles.MadeDirectory(path: name, parent: self))
        } else if errno != EEXIST {
            throw .refused(path, SystemError.last.description)
        }
        hasDirectories = true
        do {
            return Directory(path, try descriptor.directory(name), isNew: isNew, in: (self, name))
        } catch {
            let isLink = error.code == ELOOP || error.code == ENOTDIR
            throw .refused(
                path, isLink ? "is a file or a symbolic link, not a directory; remove it" : error.description)
        }
    }

    /// Makes and opens a directory called `name` in this one, for files that wait, which may become another directory
    /// if `mode` says so; nil if the name is in use. It is noted in `unfinished`.
    func newDirectory(_ name: String, mode: mode_t, _ unfinished: UnfinishedFiles) throws(Failure) -> Directory? {
        let path = path(of: name)
        if unsafe mkdirat(descriptor.number, name, mode) != 0 {
            guard errno != EEXIST else { return nil }
            throw .refused(self.path, SystemError.last.description)
        }
        unfinished.append(folder: UnfinishedFiles.MadeDirectory(path: name, parent: self))
        return Directory(
            path, try Failure.refusing(path, try descriptor.directory(name)), isNew: true, in: (self, name))
    }

    /// Puts `home`, in which all that belongs here has its name, in the place of this directory, which is empty but for
    /// it. Returns whether that is done: not if something else has come here, or this directory has been moved.
    func isReplaced(by home: Directory) -> Bool {
        if isReplaced { return true }
        guard isNew, !hasDirectories, let place, let from = home.place, isStillThere else { return false }
        // What is inside this directory cannot take its place before it is outside.
        let isInside = from.parent === self
        if isInside, !Self.rename(from, to: (place.parent, from.name)) { return false }
        isReplaced = Self.rename(isInside ? (place.parent, from.name) : from, to: place)
        if isInside, !isReplaced { _ = Self.rename((place.parent, from.name), to: from) }
        return isReplaced
    }

    /// Whether nobody has moved it.
    private var isStillThere: Bool {
        guard let place, let found = try? place.parent.descriptor.status(of: place.name) else { return false }
        return found.identity == (try? descriptor.status())?.identity
    }

    private static func rename(_ from: (parent: Directory, name: String), to: (parent: Directory, name: String)) -> Bool
    {
        unsafe renameat(from.parent.descriptor.number, from.name, to.parent.descriptor.number, to.name) == 0
    }

    /// What messages call the file called `name` in this directory.
    func path(of name: String) -> String { path.unicodeScalars.last == "/" ? path + name : "\(path)/\(name)" }
}
