/// A directory that gets several files at once, or none.
///
/// Each file is written under a temporary name, and ``commit()`` renames them all when they are whole. Until then nothing
/// that was in the directory has changed; what has not been committed is removed with this object. The directory itself is
/// made when it is first used, so that input that is refused before leaves none, and removed again if nothing is committed. The
/// same happens when a signal ends the process (``Interruption``).
///
/// No file that the command reads is overwritten (``ReadFiles``): staging one in its place is refused. So is the commit, because
/// a file may be read only after another has been staged in its place.
final class OutputDirectory {
    private let path: String
    /// What to do if a file that is read would be overwritten.
    private let advice: String
    /// The directories that are open, by their steps from this one; it is itself the one of no steps.
    private var opened: [[String]: Directory] = [:]
    /// What is removed unless it is committed.
    private let unfinished = UnfinishedFiles()
    /// How many temporary names have been tried.
    private var counter = 0

    /// The directory at `path`. If a file that is read would be overwritten in it, the user gets the advice `advice`.
    init(_ path: String, otherwise advice: String = "give another directory with -o") {
        self.path = path
        self.advice = advice
    }

    deinit {
        let unfinished = unfinished
        try? Interruption.deferring { () throws(Failure) in
            unfinished.removeAll()
            Interruption.forget(unfinished)
        }
    }

    /// How many files have been staged.
    var stagedCount: Int { unfinished.files.count }

    /// Removes the files staged last, so that `count` are left.
    func discard(allBut count: Int) {
        try? Interruption.deferring { () throws(Failure) in unfinished.remove(allBut: count) }
    }

    /// What the system knows of the file at the end of `steps`, or nil if there is none.
    func status(of steps: [String]) throws(Failure) -> FileStatus? {
        let directory = try directory(steps.dropLast())
        let name = steps.last ?? "."
        return try SystemError.refusing(directory.path(of: name)) { () throws(SystemError) in
            try directory.descriptor.status(of: name)
        }
    }

    /// Writes a file that will be at the end of `steps`, which are the names of directories below this one, then the file's.
    func stage(_ steps: [String], _ write: (ByteWriter) throws(Failure) -> Void) throws(Failure) {
        let writer = try open(steps)
        try write(writer)
        try writer.finish()
    }

    /// Opens a file that will be at the end of `steps`. It must be finished before the commit.
    func open(_ steps: [String]) throws(Failure) -> ByteWriter {
        let directory = try directory(steps.dropLast())
        let name = steps.last ?? "."
        try checkPlace(of: name, in: directory)
        return try temporaryFile(in: directory, for: name)
    }

    /// Gives all files their names, in the order they were staged in.
    func commit() throws(Failure) {
        for file in unfinished.files { try checkPlace(of: file.name, in: file.directory) }
        try Interruption.deferring { () throws(Failure) in
            unfinished.keepDirectories()
            while !unfinished.files.isEmpty { try unfinished.renameFirst() }
        }
    }

    /// Refuses to put a file called `name` into `directory` in place of something that must stay.
    private func checkPlace(of name: String, in directory: Directory) throws(Failure) {
        let place = directory.path(of: name)
        let found = try SystemError.refusing(place) { () throws(SystemError) in
            try directory.descriptor.status(of: name)
        }
        guard let found else { return }
        if found.isDirectory { throw .refused(place, "is a directory, where a file is to be written; remove it") }
        if let source = ReadFiles.name(of: found) {
            throw .refused(source, "would be overwritten by \(place); \(advice)")
        }
        if !found.isReplaceable {
            throw .refused(place, "is a device, a pipe or a socket, where a file is to be written; give another place")
        }
    }

    private func directory(_ steps: some Collection<String>) throws(Failure) -> Directory {
        let steps = Array(steps)
        if let known = opened[steps] { return known }
        let parent = steps.isEmpty ? nil : try directory(steps.dropLast())
        let found = try Interruption.deferring { () throws(Failure) in
            if opened.isEmpty { Interruption.remember(unfinished) }
            guard let parent, let name = steps.last else { return try Directory(making: path, unfinished) }
            return try parent.directory(name, unfinished)
        }
        opened[steps] = found
        return found
    }

    private func temporaryFile(in directory: Directory, for name: String) throws(Failure) -> ByteWriter {
        while true {
            counter += 1
            let temporaryName = ".surtitle-\(getpid())-\(counter)"
            let writer = try Interruption.deferring { () throws(Failure) -> ByteWriter? in
                do throws(SystemError) {
                    let descriptor = try directory.descriptor.makeFile(temporaryName)
                    unfinished.append(
                        UnfinishedFiles.File(directory: directory, temporaryName: temporaryName, name: name))
                    return ByteWriter(descriptor, name: directory.path(of: name))
                } catch {
                    // An earlier process with the same number was killed, and could not remove its file.
                    if error.code == EEXIST { return nil }
                    throw .refused(directory.path(of: name), error.reason)
                }
            }
            if let writer { return writer }
        }
    }
}
