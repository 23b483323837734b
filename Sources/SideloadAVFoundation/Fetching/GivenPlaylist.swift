#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

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
