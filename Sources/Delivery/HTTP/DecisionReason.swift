public import ByteScan

/// Why a decision was made, for those who log it. Later versions may know more reasons.
public struct DecisionReason: Equatable, Sendable {
    /// A number that stays the same in later versions.
    public let code: UInt8

    private init(_ code: UInt8) { self.code = code }

    // MARK: Of a request

    /// The method is neither GET nor HEAD (RFC 9110 9.1), so no playlist comes back.
    public static var method: DecisionReason { DecisionReason(0) }
    /// The path has none of the forms that playlists have.
    public static var unlikelyPath: DecisionReason { DecisionReason(1) }
    /// The path has the form of a playlist's.
    public static var likelyPath: DecisionReason { DecisionReason(2) }
    /// The client has a playlist that was edited here: it names the tag.
    public static var derivedTag: DecisionReason { DecisionReason(3) }
    /// It is asked again, after a response that could not be edited.
    public static var secondRequest: DecisionReason { DecisionReason(4) }

    // MARK: Of either

    /// Cache-Control says `no-transform` (RFC 9110 7.7).
    public static var noTransform: DecisionReason { DecisionReason(5) }
    /// The fields that matter are longer than the limit of ``HeaderFields``.
    public static var fieldsTooLong: DecisionReason { DecisionReason(6) }

    // MARK: Of a response

    /// Content-Type is a playlist's.
    public static var playlistType: DecisionReason { DecisionReason(7) }
    /// The first bytes are a playlist's.
    public static var playlistContent: DecisionReason { DecisionReason(8) }
    /// The path is likely and Content-Type is not a playlist's, so the first bytes must tell.
    public static var unknownContent: DecisionReason { DecisionReason(9) }
    /// Neither the path nor Content-Type is a playlist's.
    public static var otherType: DecisionReason { DecisionReason(10) }
    /// The first bytes are not a playlist's.
    public static var otherContent: DecisionReason { DecisionReason(11) }
    /// The body is encoded (RFC 9110 8.4).
    public static var encoded: DecisionReason { DecisionReason(12) }
    /// It is a 206, of whose body nobody knows what comes before and after (RFC 9110 15.3.7).
    public static var partialContent: DecisionReason { DecisionReason(13) }
    /// It is a 304, which has no body (RFC 9110 15.4.5).
    public static var notModified: DecisionReason { DecisionReason(14) }
    /// It answers HEAD, and so has no body (RFC 9110 9.3.2).
    public static var head: DecisionReason { DecisionReason(15) }
    /// It is a 1xx, 204 or 205, which have no body (RFC 9110 15.2, 15.3.5, 15.3.6).
    public static var noContent: DecisionReason { DecisionReason(16) }
    /// It is a redirect or another 3xx (RFC 9110 15.4).
    public static var redirect: DecisionReason { DecisionReason(17) }
    /// It is an error (RFC 9110 15.5, 15.6).
    public static var errorStatus: DecisionReason { DecisionReason(18) }
    /// It has a status whose body is not known to be the resource.
    public static var otherStatus: DecisionReason { DecisionReason(19) }
}

extension DecisionReason: Described {
    /// The reason in words, without a subject.
    public var message: Message {
        switch self {
        case .method: "the method is neither GET nor HEAD"
        case .unlikelyPath: "the path is not a playlist's"
        case .likelyPath: "the path is a playlist's"
        case .derivedTag: "the client has a playlist with tracks"
        case .secondRequest: "asked again without Range, conditions and encodings"
        case .noTransform: "Cache-Control says no-transform"
        case .fieldsTooLong: "the header fields are longer than the limit"
        case .playlistType: "Content-Type is a playlist's"
        case .playlistContent: "the first bytes are a playlist's"
        case .unknownContent: "the path is a playlist's, Content-Type is not"
        case .otherType: "neither path nor Content-Type is a playlist's"
        case .otherContent: "the first bytes are not a playlist's"
        case .encoded: "the body is encoded"
        case .partialContent: "the body is a part"
        case .notModified: "not modified, no body"
        case .head: "HEAD, no body"
        case .noContent: "the status has no body"
        case .redirect: "a redirect"
        case .errorStatus: "an error"
        case .otherStatus: "the status is none that a playlist comes with"
        default: "reason \(Int(code))"
        }
    }
}
