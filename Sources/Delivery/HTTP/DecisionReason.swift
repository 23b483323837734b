public import ByteScan

/// Why a decision was made, for those who log it.
@nonexhaustive
public enum DecisionReason: UInt8, Sendable {
    // MARK: Of a request

    /// The method is neither GET nor HEAD (RFC 9110 9.1), so no playlist comes back.
    case method
    /// The path has none of the forms that playlists have.
    case unlikelyPath
    /// The path has the form of a playlist's.
    case likelyPath
    /// The client has a playlist that was edited here: it names the tag.
    case derivedTag
    /// It is asked again, after a response that could not be edited.
    case secondRequest

    // MARK: Of either

    /// Cache-Control says `no-transform` (RFC 9110 7.7).
    case noTransform
    /// The fields that matter are longer than the limit of ``HeaderFields``.
    case fieldsTooLong

    // MARK: Of a response

    /// Content-Type is a playlist's.
    case playlistType
    /// The first bytes are a playlist's.
    case playlistContent
    /// The path is likely and Content-Type is not a playlist's, so the first bytes must tell.
    case unknownContent
    /// Neither the path nor Content-Type is a playlist's.
    case otherType
    /// The first bytes are not a playlist's.
    case otherContent
    /// The body is encoded (RFC 9110 8.4).
    case encoded
    /// It is a 206, of whose body nobody knows what comes before and after (RFC 9110 15.3.7).
    case partialContent
    /// It is a 304, which has no body (RFC 9110 15.4.5).
    case notModified
    /// It answers HEAD, and so has no body (RFC 9110 9.3.2).
    case head
    /// It is a 1xx, 204 or 205, which have no body (RFC 9110 15.2, 15.3.5, 15.3.6).
    case noContent
    /// It is a redirect or another 3xx (RFC 9110 15.4).
    case redirect
    /// It is an error (RFC 9110 15.5, 15.6).
    case errorStatus
    /// It has a status whose body is not known to be the resource.
    case otherStatus
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
        }
    }
}
