import Foundation

/// A folder of a test's own, removed with this object.
final class Scratch: Sendable {
    /// Where the command runs.
    let folder: URL
    private let root: URL
    /// Guards the number. A mutex of the standard library's needs macOS 15.
    private let lock = NSLock()
    nonisolated(unsafe) private var number = 0

    /// An empty folder.
    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("surtitle-\(UUID().uuidString)")
        folder = root.appendingPathComponent("work")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// A folder with these files in it.
    convenience init(_ files: [String: String]) throws {
        try self.init()
        for (name, text) in files { try write(name, Array(text.utf8)) }
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    /// The file's bytes; none if the name is `-`.
    func bytes(_ name: String) throws -> [UInt8] {
        name == "-" ? [] : [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The paths of everything in the folder called `name` that is no folder, hidden files too, in order.
    func files(in name: String) -> [String] {
        let base = folder.appendingPathComponent(name)
        let found = (try? FileManager.default.subpathsOfDirectory(atPath: base.path)) ?? []
        return found.filter { path in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: base.appendingPathComponent(path).path, isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }.sorted()
    }

    /// Whether a file or a folder is left of what waited to be put in its place, here or in a folder.
    var hasUnfinished: Bool {
        let found = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return found.contains { $0.contains(".surtitle-unfinished-") }
    }

    /// A file beside the folder, which the test does not see.
    func hidden(_ name: String) -> URL { root.appendingPathComponent(name) }

    func nextNumber() -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }
}
