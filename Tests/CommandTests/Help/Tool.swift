import Foundation

/// Where programs are that some systems have and others have not.
enum Tool {
    /// Whether `name` is in one of the folders of PATH.
    static func isInstalled(_ name: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
}
