public import ByteScan
internal import M3U8

/// The beginning of a request, valid as long as the bytes that it points to.
public struct RequestLine {
    /// The method, whose case matters (RFC 9110 9.1).
    public let method: ByteView

    /// The target in origin-form or absolute-form (RFC 9112 3.2), or `:path` of HTTP/2 and HTTP/3.
    public let target: ByteView

    /// A request line.
    public init(method: ByteView, target: ByteView) {
        self.method = method
        self.target = target
    }

    /// Calls `body` with the line of `method` and `target`, which is valid during the call.
    public static func with<Result>(
        _ method: String, _ target: String, _ body: (RequestLine) -> Result
    ) -> Result {
        method.withView { method in target.withView { target in body(RequestLine(method: method, target: target)) } }
    }

    /// The path, without query, and whether a `%` is in it; empty for a target that has none, such as `*` and
    /// `host:443`.
    var path: (bytes: ByteView, hasEscape: Bool) {
        guard target.first != ASCII.slash else {
            var hasEscape = false
            for start in stride(from: 0, to: target.count, by: ByteView.blockSize) {
                let block = target.block(at: start)
                let ends = block.equal(to: ASCII.hash).bits | block.equal(to: ASCII.questionMark).bits
                let escapes = block.equal(to: ASCII.percent).bits
                if ends != 0 {
                    hasEscape = hasEscape || escapes & (ends ^ (ends &- 1)) != 0
                    return (target.prefix(upTo: start &+ ends.trailingZeroBitCount), hasEscape)
                }
                hasEscape = hasEscape || escapes != 0
            }
            return (target, hasEscape)
        }
        let reference = URIReference(target)
        guard reference.scheme != nil, reference.authority != nil else { return (ByteView(), false) }
        let path = target[reference.path]
        return (path, path.firstOffset(of: ASCII.percent) != nil)
    }
}

/// What was decided about a request, to be kept until its response comes.
public struct RequestDecision: Equatable, Sendable {
    /// What is expected of the response.
    public enum Standing: UInt8, Sendable {
        /// A playlist is likely: the header edits are for the origin.
        case likely
        /// It goes to the origin as it is. The response may still prove to be a playlist.
        case unlikely
        /// It is sent a second time, without anything that could come between the playlist and its tracks.
        case again
        /// It goes to the origin as it is, and so does the response to the client.
        case excluded
    }

    /// What is expected of the response.
    public let standing: Standing

    /// Why.
    public let reason: DecisionReason

    /// Whether no body will come back (RFC 9110 9.3.2).
    let isHead: Bool

    /// The tracks that the response will get, whatever is configured by then.
    let tracks: TracksVersion

    /// Whether the request was changed, so that a response is whole and not encoded if the origin knows HTTP.
    var isEdited: Bool { standing == .likely || standing == .again }
}

/// What identifies the tracks that a playlist is about to get.
public struct TracksVersion: Equatable, Sendable {
    /// A number that changes when the tracks would change the output, as that of the list of tracks does.
    public var fingerprint: UInt64

    /// When the tracks last changed; nil if nobody knows, and then Last-Modified and If-Modified-Since are removed.
    ///
    /// It should not be in the future (RFC 9110 8.8.2.1), and must move on when a track is taken away too.
    public var modified: HTTPDate?

    /// A version.
    public init(fingerprint: UInt64, modified: HTTPDate? = nil) {
        self.fingerprint = fingerprint
        self.modified = modified
    }
}
