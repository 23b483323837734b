/// A directory that gets several files, none of them before all are whole.
///
/// Each file is written under a temporary name, and ``commit()`` renames them all when they are whole. Until then
/// nothing that was in the directory has changed; what has not been committed is removed with this object. The
/// directory itself is made when it is first used, so that input that is refused before leaves none, and removed again
/// if nothing is committed. The same happens when a signal ends the process (``Interruption``).
///
///     out/.surtitle-unfinished-4711/1, 2, 3 …     all that waits: a killed process leaves one folder, which says so
///     out/.surtitle-unfinished-4711/4/a, b …      what will be in a new directory: the folder 4 takes its place
///     ./.surtitle-unfinished-4711                 a single file
///
/// To rename a file costs the system as much as to make it. A directory that was not there before, and in which there
/// will be files alone, gets all of them by one call, and nobody finds some of them in it. Whoever stands in the empty
/// directory by then, as a shell may, is left in one that has gone.
///
/// What is there already stays if it is equal. No file that the command reads is overwritten (``ReadFiles``), and none
/// that it has not made, unless that is asked for: the commit is refused then.
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
    /// The directories whose files do not all wait under their own names.
    private var renaming: Set<ObjectIdentifier> = []
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

    /// What the system knows of the file at the end of `steps`, or nil if there is none. Refuses what no file can
    /// replace.
    func status(of steps: [String]) throws(Failure) -> FileStatus? {
        try status(of: steps.last ?? ".", in: directory(steps.dropLast()))
    }

    /// Writes a file that will be at the end of `steps`, which are the names of directories below this one, then the
    /// file's.
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
                if isEqual { unfinished.dropFirst() } else { try unfinished.renameFirst(of: renaming) }
            }
            unfinished.removeFolders()
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
        let isEqual = try Failure.refusing(
            place,
            try file.directory.descriptor.hasEqualFile(
                file.name, found, to: file.temporaryName, in: file.home.descriptor))
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
        let found = try Failure.refusing(place, try directory.descriptor.status(of: name))
        guard let found else { return nil }
        if found.isDirectory { throw .refused(place, "is a directory, where a file is to be written; remove it") }
        // A link to one stands for it: whoever opens /dev/stderr means no file, though messages may go to one.
        let target = FileStatus(at: place) ?? found
        if !found.isReplaceable || !target.isReplaceable && !target.isDirectory
            || target.identity != found.identity && FileDescriptor.isStandardStream(target)
        {
            throw .refused(
                place,
                "is a device, a pipe, a socket or a standard stream, where a file is to be written; give another place")
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

    /// Where files wait that will be in `directory`: the folder for all that are on the same device, or one in it.
    private func home(for directory: Directory) throws(Failure) -> Directory {
        if let known = homes[ObjectIdentifier(directory)] { return known }
        let home = isForOneFile ? directory : try findHome(for: directory)
        homes[ObjectIdentifier(directory)] = home
        if !directory.isNew || home === directory { renaming.insert(ObjectIdentifier(directory)) }
        return home
    }

    private func findHome(for directory: Directory) throws(Failure) -> Directory {
        let root = try self.directory([])
        let devices = try Failure.refusing(
            path, (try root.descriptor.status().identity.device, try directory.descriptor.status().identity.device))
        // Nothing can be renamed from one device to another.
        guard devices.0 == devices.1 else { return directory }
        if folder == nil { folder = try newFolder(in: root, for: root) { Self.temporaryName($0) } }
        guard let folder, directory.isNew, directory !== root else { return folder ?? directory }
        return try newFolder(in: folder, for: directory) { "\($0)" }
    }

    /// Makes a folder in `parent`, which has the mode of any other if it can take the place of `directory`.
    private func newFolder(
        in parent: Directory, for directory: Directory, _ name: (Int) -> String
    ) throws(Failure) -> Directory {
        try Interruption.deferring { () throws(Failure) in
            while true {
                counter += 1
                let mode: mode_t = directory.isNew ? 0o777 : 0o700
                if let made = try parent.newDirectory(name(counter), mode: mode, unfinished) { return made }
            }
        }
    }

    /// A name that says what it is, and that no other process gives.
    private static func temporaryName(_ number: Int) -> String {
        ".surtitle-unfinished-\(getpid())\(number == 1 ? "" : "-\(number)")"
    }

    private func temporaryFile(in directory: Directory, for name: String) throws(Failure) -> ByteWriter {
        let home = try home(for: directory)
        var temporaryName = name
        while true {
            if renaming.contains(ObjectIdentifier(directory)) {
                counter += 1
                temporaryName = home === directory ? Self.temporaryName(counter) : "\(counter)"
            }
            let writer = try Interruption.deferring { () throws(Failure) -> ByteWriter? in
                do throws(SystemError) {
                    let descriptor = try home.descriptor.makeFile(temporaryName)
                    unfinished.append(
                        UnfinishedFiles.File(
                            home: home, temporaryName: temporaryName, directory: directory, name: name))
                    return ByteWriter(descriptor, name: directory.path(of: name))
                } catch {
                    // An earlier process with the same number was killed, and could not remove its file; or the name
                    // has been given twice.
                    if error.code == EEXIST { return nil }
                    throw .refused(directory.path(of: name), error.description)
                }
            }
            if let writer { return writer }
            renaming.insert(ObjectIdentifier(directory))
        }
    }
}
