/// The beginning of a response.
public struct ResponseHead: Equatable, Sendable {
    /// What the first bytes of the body have told.
    public enum Content: UInt8, Sendable {
        /// Nobody has looked at them.
        case unseen
        /// They are a playlist's.
        case playlist
        /// They are of something else.
        case other
    }

    /// The status code.
    public let status: Int

    /// What the first bytes of the body have told.
    public let content: Content

    /// A response whose body nobody has looked at, unless said otherwise.
    public init(status: Int, content: Content = .unseen) {
        self.status = status
        self.content = content
    }
}

/// What was decided about a response.
public struct ResponseDecision: Equatable, Sendable {
    /// What is done with the body.
    public enum Action: Equatable, Sendable {
        /// It goes on as it is. The header edits, if any, are to be made still.
        case pass
        /// It goes through the rewriter. Up to so many bytes of the origin's are held: if it ends within them, what
        /// came out is sent with its length by ``HeaderEdits/setContentLength(_:)``; if not, it is streamed from there
        /// on, without a length.
        case hold(upTo: Int)
        /// It goes through the rewriter, and goes on as it comes out, without a length (RFC 9112 6.3).
        case stream
        /// The first bytes must be seen, 12 at most: give them to ``HTTPRules/content(of:isWhole:)`` and decide again
        /// with the answer.
        case look
        /// The response is dropped, and the request sent again as ``HTTPRules/decideAgain(_:after:into:)`` says. A
        /// proxy that cannot do so passes the response on as it is.
        case askAgain
    }

    /// What is done with the body.
    public let action: Action

    /// Why.
    public let reason: DecisionReason

    /// How the body is encoded, if that is the reason. A proxy that can undo it may do so, and decide again without
    /// Content-Encoding.
    public let coding: ContentCoding?

    init(_ action: Action, _ reason: DecisionReason, _ coding: ContentCoding? = nil) {
        self.action = action
        self.reason = reason
        self.coding = coding
    }
}
