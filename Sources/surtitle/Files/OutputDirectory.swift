/// A directory that files are put into together: each is written under a temporary name, and when all of them are whole
/// they are renamed. Until then nothing that was there has changed.
final class OutputDirectory {
    /// A file under its temporary name.
    private struct StagedFile {
        let directory: Directory
        let temporaryName: String
        let name: String
    }

    private let root: Directory
    private var opened: [[String]: Directory] = [:]
    private var staged: ArraySlice<StagedFile> = []
    private var counter = 0

    /// The directory at `path`, which is made where there is none.
    init(_ path: String) throws(Failure) {
        root = try Directory(making: path)
        opened[[]] = root
    }

    deinit { discard(allBut: 0) }

    /// How many files have been staged.
    var stagedCount: Int { staged.count }

    /// Gives up the files staged last, so that `count` are left.
    func discard(allBut count: Int) {
        while staged.count > count, let file = staged.popLast() {
            _ = unsafe unlinkat(file.directory.descriptor.number, file.temporaryName, 0)
        }
    }

    /// What is at the end of `steps` now, or nil.
    func status(of steps: [String]) throws(Failure) -> FileStatus? {
        let directory = try directory(steps.dropLast())
        let name = steps.last ?? "."
        do {
            return try directory.descriptor.status(of: name)
        } catch {
            throw .refused(directory.path(of: name), error.reason)
        }
    }

    /// Writes a file that will be at the end of `steps`: directories below this one, then the name.
    func stage(_ steps: [String], _ write: (ByteWriter) throws(Failure) -> Void) throws(Failure) {
        let writer = try open(steps)
        try write(writer)
        try writer.finish()
    }

    /// Opens a file that will be at the end of `steps`. It must be finished before the commit.
    func open(_ steps: [String]) throws(Failure) -> ByteWriter {
        let directory = try directory(steps.dropLast())
        let name = steps.last ?? "."
        if try status(of: steps)?.isDirectory == true {
            throw .refused(directory.path(of: name), "is a directory, where a file is to be written; remove it")
        }
        return try temporaryFile(in: directory, for: name)
    }

    /// Gives all files their names, in the order they were staged in.
    func commit() throws(Failure) {
        while let file = staged.first {
            let number = file.directory.descriptor.number
            guard unsafe renameat(number, file.temporaryName, number, file.name) == 0 else {
                throw .refused(file.directory.path(of: file.name), SystemError.last.reason)
            }
            staged.removeFirst()
        }
    }

    private func directory(_ steps: some Collection<String>) throws(Failure) -> Directory {
        var path: [String] = []
        var directory = root
        for step in steps {
            path.append(step)
            if let known = opened[path] {
                directory = known
            } else {
                directory = try directory.directory(step)
                opened[path] = directory
            }
        }
        return directory
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
                // A process of the same number left it behind.
                if error.code != EEXIST { throw .refused(directory.path(of: name), error.reason) }
            }
        }
    }
}
