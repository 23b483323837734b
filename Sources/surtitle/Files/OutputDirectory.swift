/// A directory that gets several files at once, or none.
///
/// Each file is written under a temporary name, and ``commit()`` renames them all when they are whole. Until then nothing
/// that was in the directory has changed; what has not been committed is removed with this object. The directory itself is
/// made when it is first used, so that input that is refused before leaves none.
///
/// No file that the command reads is overwritten (``ReadFiles``): staging one in its place is refused. So is the commit, because
/// a file may be read only after another has been staged in its place.
final class OutputDirectory {
    /// A file under its temporary name.
    private struct StagedFile {
        let directory: Directory
        let temporaryName: String
        let name: String
    }

    private let path: String
    /// What to do if a file that is read would be overwritten.
    private let advice: String
    /// The directories that are open, by their steps from this one; it is itself the one of no steps.
    private var opened: [[String]: Directory] = [:]
    private var staged: ArraySlice<StagedFile> = []
    /// How many temporary names have been tried.
    private var counter = 0

    /// The directory at `path`. If a file that is read would be overwritten in it, the user gets the advice `advice`.
    init(_ path: String, otherwise advice: String = "give another directory with -o") {
        self.path = path
        self.advice = advice
    }

    deinit { discard(allBut: 0) }

    /// How many files have been staged.
    var stagedCount: Int { staged.count }

    /// Removes the files staged last, so that `count` are left.
    func discard(allBut count: Int) {
        while staged.count > count, let file = staged.popLast() {
            _ = unsafe unlinkat(file.directory.descriptor.number, file.temporaryName, 0)
        }
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
        for file in staged { try checkPlace(of: file.name, in: file.directory) }
        while let file = staged.first {
            let number = file.directory.descriptor.number
            guard unsafe renameat(number, file.temporaryName, number, file.name) == 0 else {
                throw .refused(file.directory.path(of: file.name), SystemError.last.reason)
            }
            staged.removeFirst()
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
        let found =
            if let name = steps.last {
                try directory(steps.dropLast()).directory(name)
            } else {
                try Directory(making: path)
            }
        opened[steps] = found
        return found
    }

    private func temporaryFile(in directory: Directory, for name: String) throws(Failure) -> ByteWriter {
        while true {
            counter += 1
            let temporaryName = ".surtitle-\(getpid())-\(counter)"
            do throws(SystemError) {
                let descriptor = try directory.descriptor.makeFile(temporaryName)
                staged.append(StagedFile(directory: directory, temporaryName: temporaryName, name: name))
                return ByteWriter(descriptor, name: directory.path(of: name))
            } catch {
                // An earlier process with the same number did not remove its file.
                if error.code != EEXIST { throw .refused(directory.path(of: name), error.reason) }
            }
        }
    }
}
