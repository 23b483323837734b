#if canImport(AVFoundation) && !os(watchOS)
internal import Dispatch
internal import Foundation

/// A file of this device, as if an origin had it that serves no ranges, or had it not.
///
/// A read waits until the file is on the device, which one of iCloud may not be, and cannot be cancelled. So it has a
/// thread of its own, and whoever is cancelled does not wait for it.
enum LocalFile {
    /// What is at `path`, as the answer of `url`: no more than `limit` bytes.
    ///
    /// - Throws: What the system says if it cannot be read, and `CancellationError`.
    static func response(at url: URL, _ path: String, _ limit: Int) async throws -> TransportResponse {
        let reading = Reading()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard reading.begin(continuation) else { return }
                DispatchQueue.global(qos: .userInitiated).async {
                    reading.end(Result { try read(at: url, path, limit) })
                }
            }
        } onCancel: {
            reading.end(.failure(CancellationError()))
        }
    }

    /// A read that somebody waits for: until it ends, or until the wait does.
    private final class Reading: @unchecked Sendable {
        private let lock = NSLock()
        private var continuation: CheckedContinuation<TransportResponse, any Error>?
        private var hasEnded = false

        /// Whether anybody still waits.
        func begin(_ continuation: CheckedContinuation<TransportResponse, any Error>) -> Bool {
            let isWanted = lock.withLock {
                if !hasEnded { self.continuation = continuation }
                return !hasEnded
            }
            if !isWanted { continuation.resume(throwing: CancellationError()) }
            return isWanted
        }

        func end(_ result: Result<TransportResponse, any Error>) {
            let waiting = lock.withLock {
                defer { (continuation, hasEnded) = (nil, true) }
                return continuation
            }
            waiting?.resume(with: result)
        }
    }

    private static func read(at url: URL, _ path: String, _ limit: Int) throws -> TransportResponse {
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
