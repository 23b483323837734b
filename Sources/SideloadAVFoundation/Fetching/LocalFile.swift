#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

/// A file of this device, as if an origin had it that serves no ranges.
enum LocalFile {
    static func response(at url: URL, _ path: String, _ limit: Int) throws -> TransportResponse {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let body = try file.read(upToCount: limit) ?? Data()
        return TransportResponse(status: 200, url: url, body: body, isCutOff: body.count == limit)
    }
}
#endif
