/// A directory that gets several files at once, or none.
///
/// Each file is written under a temporary name, and ``commit()`` renames them all when they are whole. Until then nothing
/// that was in the directory has changed; what has not been committed is removed with this object. The directory itself is
/// made when it is first used, so that input that is refused before leaves none, and removed again if nothing is committed. The
/// same happens when a signal ends the process (``Interruption``).
///
///     out/.surtitle-unfinished-4711/1, 2, 3 …     all that waits: what a killed process leaves is one folder, whose
/// name says so
///     ./.surtitle-unfinished-4711                 a single file
///
/// What is there already stays if it is equal. No file that the command reads is overwritten (``ReadFiles``), and
/// none that it has
/// not made, unless that is asked for: the commit is refused then.
final class OutputDirectory {
    /// What may be replaced.
    enum Replacing {
        /// Whatever has the name of a file.
        case everything
        /// What an earlier run has made.
        case own((_ steps: [String]) -> Bool)
    }

    private let path: String
    /// What to do if a file that is read would be overwritten.
    private let advice: String
    private let replacing: Replacing
    /// Whether it gets one file, which needs no folder to wait in.
    private let isForOneFile: Bool
    /// The folder that files wait in.
    private var folder: Directory?
    /// The directories that are open, by their steps from this one; it is itself the one of no steps.
    private var opened: [[String]: Directory] = [:]
    /// Where files wait that will be in each of these.
    private var homes: [ObjectIdentifier: Directory] = [:]
    /// What is removed unless it is committed.
    private let unfinished = UnfinishedFiles()
    /// Where each staged file goes, in steps.
    private var places: [[String]] = []
    /// How many temporary names have been tried.
    private var counter = 0
    /// How many files have been written, and how many were there already.
    private(set) var (writtenCount, equalCount) = (0, 0)

    /// The directory at `path`. If a file that must stay would be overwritten in it, the user gets the advice `advice`.
    init(
        _ path: String, otherwise advice: String = "give another directory with -o",
        replacing: Replacing = .everything, isForOneFile: Bool = false
    ) {
        self.path = path
        self.advice = advice
        self.replacing = replacing
        self.isForOneFile = isForOneFile
    }

    /// What has been written, for a closing line.
    var summary: String {
        let written = "\(writtenCount) \(writtenCount == 1 ? "file" : "files") written"
        return equalCount == 0 ? written : "\(written), \(equalCount) unchanged"
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
        places.removeLast(max(places.count - count, 0))
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
        _ = try status(of: name, in: directory)
        let writer = try temporaryFile(in: directory, for: name)
        places.append(steps)
        return writer
    }

    /// Gives all files their names, in the order they were staged in.
    func commit() throws(Failure) {
        var isEqual: [Bool] = []
        for (file, steps) in zip(unfinished.files, places) { isEqual.append(try isThere(file, steps)) }
        try Interruption.deferring { () throws(Failure) in
            unfinished.keepDirectories()
            for isEqual in isEqual {
                if isEqual { unfinished.dropFirst() } else { try unfinished.renameFirst() }
            }
            unfinished.removeFolder()
        }
        equalCount = isEqual.count { $0 }
        writtenCount = isEqual.count - equalCount
    }

    /// Whether the file is there already, byte for byte. Refuses to put it in place of another that must stay.
    private func isThere(_ file: UnfinishedFiles.File, _ steps: [String]) throws(Failure) -> Bool {
        let place = file.directory.path(of: file.name)
        guard let found = try status(of: file.name, in: file.directory) else { return false }
        let source = ReadFiles.name(of: found)
        if source == nil, case .everything = replacing { return false }
        let isEqual = try SystemError.refusing(place) { () throws(SystemError) in
            try file.directory.descriptor.hasEqualFile(
                file.name, found, to: file.temporaryName, in: file.home.descriptor)
        }
        if isEqual, !isForOneFile { return true }
        if let source { throw .refused(source, "would be overwritten by \(place); \(advice)") }
        if case .own(let isEarlier) = replacing, isEarlier(steps) { return false }
        throw .refused(
            place,
            "is there, and differs from what would be written; nothing was written; \(advice), or --force to replace it"
        )
    }

    /// What the system knows of the file called `name` in `directory`, or nil if there is none. Refuses what no file
    /// can replace.
    private func status(of name: String, in directory: Directory) throws(Failure) -> FileStatus? {
        if directory.isNew { return nil }
        let place = directory.path(of: name)
        let found = try SystemError.refusing(place) { () throws(SystemError) in
            try directory.descriptor.status(of: name)
        }
        guard let found else { return nil }
        if found.isDirectory { throw .refused(place, "is a directory, where a file is to be written; remove it") }
        if !found.isReplaceable {
            throw .refused(place, "is a device, a pipe or a socket, where a file is to be written; give another place")
        }
        return found
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

    /// Where files wait that will be in `directory`: the folder for all that are on the same device.
    private func home(for directory: Directory) throws(Failure) -> Directory {
        if isForOneFile { return directory }
        if let known = homes[ObjectIdentifier(directory)] { return known }
        let home = try findHome(for: directory)
        homes[ObjectIdentifier(directory)] = home
        return home
    }

    private func findHome(for directory: Directory) throws(Failure) -> Directory {
        let root = try self.directory([])
        let devices = try SystemError.refusing(path) { () throws(SystemError) in
            (try root.descriptor.status().identity.device, try directory.descriptor.status().identity.device)
        }
        // Nothing can be renamed from one device to another.
        guard devices.0 == devices.1 else { return directory }
        if let folder { return folder }
        let made = try Interruption.deferring { () throws(Failure) in
            while true {
                counter += 1
                if let made = try root.newDirectory(Self.temporaryName(counter), unfinished) { return made }
            }
        }
        folder = made
        return made
    }

    /// A name that says what it is, and that no other process gives.
    private static func temporaryName(_ number: Int) -> String {
        ".surtitle-unfinished-\(getpid())\(number == 1 ? "" : "-\(number)")"
    }

    private func temporaryFile(in directory: Directory, for name: String) throws(Failure) -> ByteWriter {
        let home = try home(for: directory)
        while true {
            counter += 1
            let temporaryName = home === folder ? "\(counter)" : Self.temporaryName(counter)
            let writer = try Interruption.deferring { () throws(Failure) -> ByteWriter? in
                do throws(SystemError) {
                    let descriptor = try home.descriptor.makeFile(temporaryName)
                    unfinished.append(
                        UnfinishedFiles.File(
                            home: home, temporaryName: temporaryName, directory: directory, name: name))
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
