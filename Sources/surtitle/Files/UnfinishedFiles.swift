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
    /// The folder that files wait in; nil if there is none.
    private var folder: MadeDirectory?
    /// The directories that were not there before, outer ones first.
    private var directories: [MadeDirectory] = []

    /// A directory that was made: a path from the working directory, or a name in an open directory.
    struct MadeDirectory {
        let path: String
        let parent: Directory?
    }

    func append(_ file: File) { files.append(file) }

    func append(_ directory: MadeDirectory) { directories.append(directory) }

    func append(folder made: MadeDirectory) { folder = made }

    /// Gives the first file its name.
    func renameFirst() throws(Failure) {
        guard let file = files.first else { return }
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
            _ = unsafe unlinkat(file.home.descriptor.number, file.temporaryName, 0)
        }
    }

    /// Removes the folder that files wait in, now that none does.
    func removeFolder() {
        if let made = folder { Self.remove(made) }
        folder = nil
    }

    /// Removes everything. Directories in which somebody else has put something stay.
    func removeAll() {
        remove(allBut: 0)
        removeFolder()
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
