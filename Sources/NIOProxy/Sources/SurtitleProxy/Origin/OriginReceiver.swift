import NIOCore
import NIOHTTP1

/// Whoever made a request to an origin, and gets what becomes of it, on its event loop.
///
/// Either it fails, or an end comes; nothing comes after that.
protocol OriginReceiver: AnyObject {
    /// The final response has begun, whose body is so long; in answer to HEAD, that it would be.
    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength)
    /// More of its body.
    func originSent(_ bytes: ByteBuffer)
    /// Nothing more for the moment: time to flush.
    func originPaused()
    /// The response is whole.
    func originEnded(_ trailers: HTTPHeaders?)
    /// There is no response, or no more of it.
    func originFailed(_ failure: OriginFailure)
    /// More of the request's body can be sent, or should not be for the moment.
    func originIsWritable(_ isWritable: Bool)
}

extension OriginReceiver {
    func originPaused() {}
    func originIsWritable(_ isWritable: Bool) {}
}

/// Why there is no response, or not all of it.
enum OriginFailure: Error {
    /// No connection could be made.
    case unreachable
    /// There are as many connections as may be.
    case busy
    /// No connection was made in time.
    case connectingTooLong
    /// It broke off.
    case brokenOff
    /// What came was no HTTP, or nothing that was asked for.
    case malformed
}
