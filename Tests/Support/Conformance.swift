import Foundation

/// The folder of conformance data, which is not part of the project: SURTITLE_CONFORMANCE names it.
public enum Conformance {
    /// The folder, or nil if the variable is not set: tests that need it are then skipped, and say so.
    public static let folder = ProcessInfo.processInfo.environment["SURTITLE_CONFORMANCE"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
    }

    /// Whether the folder is there.
    public static var isAvailable: Bool { folder != nil }

    /// What a skipped test says.
    public static let skipped = "skipped: SURTITLE_CONFORMANCE names no folder"

    /// The files under `path` whose names end in `.suffix`, in order of name.
    ///
    /// Fails if there are none.
    public static func files(in path: String, withExtension suffix: String) throws -> [URL] {
        guard let root = folder?.appendingPathComponent(path) else { return [] }
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == suffix }
            .sorted { $0.path < $1.path }
        guard let found, !found.isEmpty else { throw CocoaError(.fileNoSuchFile) }
        return found
    }

    /// The bytes of a file. `Data(contentsOf:)` leaks if a file is empty, which the address sanitizer would report.
    static func bytes(of url: URL) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        return [UInt8](try file.readToEnd() ?? Data())
    }
}
