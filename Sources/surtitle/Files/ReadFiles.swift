/// The files that the command has opened for reading, none of which may be overwritten.
///
/// A file is known by its device and number, so that it does not matter what it is called. With it its names count that
/// are symbolic links: to replace such a link would change what the name means.
struct ReadFiles {
    /// What is read, by what must stay; the value is what messages call it.
    private var names: [FileStatus.Identity: String] = [:]

    // The command reads in one thread.
    nonisolated(unsafe) private static var all = ReadFiles()

    /// Notes the file `name`, of which the system knows `status`; `path` is where it was opened, nil for standard
    /// input.
    static func note(_ name: String, _ status: FileStatus, at path: String?) {
        let links = path.map(links(at:)) ?? []
        for identity in [status.identity] + links where unsafe all.names[identity] == nil {
            unsafe all.names[identity] = name
        }
    }

    /// Forgets all files but those at `paths`, as they are now. What another program replaces again and again has one
    /// number after the other, and a number that is free may become that of any file.
    static func beginAgain(with paths: [String]) {
        unsafe all.names.removeAll(keepingCapacity: true)
        for path in paths { if let status = FileStatus(at: path) { note(path, status, at: path) } }
    }

    /// What messages call the file that is read and is this one, or nil if none is.
    static func name(of status: FileStatus) -> String? { unsafe all.names[status.identity] }

    /// The symbolic links that are followed from `path`, the last step of each alone.
    private static func links(at path: String) -> [FileStatus.Identity] {
        var found: [FileStatus.Identity] = []
        var path = path
        // More links in a row than any system follows.
        var target = ""
        while found.count < 64, let link = FileStatus(ofLinkAt: path, leadingTo: &target) {
            found.append(link.identity)
            path = target.unicodeScalars.first == "/" ? target : path.folder + target
        }
        return found
    }
}

extension FileStatus {
    /// The symbolic link at `path`, which leads to `target`; nil if there is none.
    fileprivate init?(ofLinkAt path: String, leadingTo target: inout String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        let memory = Memory(Int(PATH_MAX))
        guard let text = unsafe memory.buffer.assumingMemoryBound(to: CChar.self).baseAddress else { return nil }
        let count = unsafe readlink(path, text, memory.buffer.count)
        guard count > 0 else { return nil }
        target = unsafe String(decoding: memory.bytes(count), as: UTF8.self)
        self.init(status)
    }
}
