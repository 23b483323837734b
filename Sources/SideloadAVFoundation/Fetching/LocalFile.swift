#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

/// A file of this device, as if an origin had it that serves no ranges, or had it not.
enum LocalFile {
    static func response(at url: URL, _ path: String, _ limit: Int) throws -> TransportResponse {
        guard let file = FileHandle(forReadingAtPath: path) else {
            return TransportResponse(status: 404, url: url, body: Data())
        }
        defer { try? file.close() }
        let body = try file.read(upToCount: limit) ?? Data()
        return TransportResponse(status: 200, url: url, body: body, isCutOff: body.count == limit)
    }
}

/// A playlist in memory that stands for what is at a URL.
struct GivenPlaylist: Sendable {
    let url: [UInt8]
    let body: Data

    /// What an origin would answer that has it.
    func response(_ url: URL, _ limit: Int) -> TransportResponse {
        TransportResponse(status: 200, url: url, body: body.prefix(limit), isCutOff: body.count > limit)
    }
}
#endif
