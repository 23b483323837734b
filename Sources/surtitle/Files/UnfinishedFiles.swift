/// What a command has made and has not finished: files under temporary names, and directories that may still be empty.
///
/// It is removed when the command fails, and when a signal ends the process: then ``Interruption`` calls
/// ``removeAll()`` from a thread of its own, so every use of the lists is inside ``Interruption/deferring(_:)``.
final class UnfinishedFiles {
    /// A file under its temporary name, and where it belongs.
    struct File {
        let home: Directory
        let temporaryName: String
        let directory: Directory
        let name: String
    }

    /// The files, in the order they were made in.
    private(set) var files: ArraySlice<File> = []
    /// The folders that files wait in, outer ones first.
    private var folders: [MadeDirectory] = []
    /// The directories that were not there before, outer ones first.
    private var directories: [MadeDirectory] = []

    /// A directory that was made: a path from the working directory, or a name in an open directory.
    struct MadeDirectory {
        let path: String
        let parent: Directory?
    }

    func append(_ file: File) { files.append(file) }

    func append(_ directory: MadeDirectory) { directories.append(directory) }

    func append(folder made: MadeDirectory) { folders.append(made) }

    /// Gives the first file its name, and with it all of a directory that is not in `renaming`: they wait under their
    /// names.
    func renameFirst(of renaming: Set<ObjectIdentifier>) throws(Failure) {
        guard let file = files.first else { return }
        if !renaming.contains(ObjectIdentifier(file.directory)), file.directory.isReplaced(by: file.home) {
            files.removeFirst()
            return
        }
        let (home, target) = (file.home.descriptor.number, file.directory.descriptor.number)
        guard unsafe renameat(home, file.temporaryName, target, file.name) == 0 else {
            throw .refused(file.directory.path(of: file.name), SystemError.last.description)
        }
        files.removeFirst()
    }

    /// Removes the first file: what has its name stays.
    func dropFirst() {
        guard let file = files.popFirst() else { return }
        _ = unsafe unlinkat(file.home.descriptor.number, file.temporaryName, 0)
    }

    /// Keeps the directories from now on: there is something in them.
    func keepDirectories() { directories = [] }

    /// Removes the files made last, so that `count` are left.
    func remove(allBut count: Int) {
        while files.count > count, let file = files.popLast() {
            if file.directory.isReplaced { continue }
            _ = unsafe unlinkat(file.home.descriptor.number, file.temporaryName, 0)
        }
    }

    /// Removes the folders that files wait in, now that none does.
    func removeFolders() { while let made = folders.popLast() { Self.remove(made) } }

    /// Removes everything. Directories in which somebody else has put something stay.
    func removeAll() {
        remove(allBut: 0)
        removeFolders()
        while let made = directories.popLast() { Self.remove(made) }
    }

    private static func remove(_ made: MadeDirectory) {
        if let parent = made.parent {
            _ = unsafe unlinkat(parent.descriptor.number, made.path, AT_REMOVEDIR)
        } else {
            _ = unsafe rmdir(made.path)
        }
    }
}
