#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation

/// A file of this device, as if an origin had it that serves no ranges.
struct LocalFile: SubtitleTransport {
    /// What stands for its URL where one of http is wanted. No such host can be (RFC 6761 6.4).
    static let address = Array("http://file.invalid/".utf8)

    let path: String

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let body = try file.read(upToCount: request.byteLimit) ?? Data()
        return TransportResponse(
            status: 200, url: request.url, body: body, isCutOff: body.count == request.byteLimit)
    }
}
#endif
