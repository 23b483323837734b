import Foundation

/// A playlist of the conformance data.
public struct ConformanceText: Sendable, CustomStringConvertible {
    /// The names of the folder and the file.
    public let name: String
    /// The playlist.
    public let bytes: [UInt8]

    /// The name, for the test's report.
    public var description: String { name }

    /// Every playlist there is; none if the data is not there, which a test of its own must notice.
    public static let all = (try? load()) ?? []

    private static func load() throws -> [ConformanceText] {
        try Conformance.files(in: "m3u8", withExtension: "m3u8").map { url in
            ConformanceText(
                name: "\(url.deletingLastPathComponent().lastPathComponent)/\(url.lastPathComponent)",
                bytes: try Conformance.bytes(of: url))
        }
    }
}
