#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// What makes requests to origins: URLSession unless the app has its own.
///
/// A transport follows redirects as its client does, with the header fields of
/// ``TransportRequest/redirected(to:from:)``. If the task that calls it is cancelled it stops, and throws.
public protocol SubtitleTransport: Sendable {
    /// Makes a request, and returns the answer with no more of its body than `request.byteLimit`.
    ///
    /// - Throws: Whatever says that there was no answer, or that it broke off.
    func response(to request: TransportRequest) async throws -> TransportResponse
}

/// A GET request to an origin.
public struct TransportRequest: Sendable {
    /// What is asked for.
    public let url: URL

    /// The header fields: those of the player and of the app, and those that the request is about.
    public internal(set) var fields: [(name: String, value: String)]

    /// The most bytes of a body that are of use.
    public internal(set) var byteLimit: Int

    var challenges: RequestChallenges?
    /// The header fields at another URL; nil if it may not be asked.
    var redirection: (@Sendable (_ target: URL, _ source: URL) -> [(name: String, value: String)]?)?

    /// A request.
    public init(_ url: URL, fields: [(name: String, value: String)] = [], byteLimit: Int) {
        self.url = url
        self.fields = fields
        self.byteLimit = byteLimit
    }

    /// The request that follows a redirect to `target`: with the header fields that may go to that origin.
    ///
    /// Nil if the redirect is not to be followed: from https to http, for instance. Its answer is that of the request
    /// then.
    ///
    /// - Parameters:
    ///   - target: The URL that the redirect leads to.
    ///   - source: The URL that has answered with the redirect; that of this request unless said otherwise.
    public func redirected(to target: URL, from source: URL? = nil) -> TransportRequest? {
        guard let fields = (redirection ?? redirectedByOrigin)(target, source ?? url) else { return nil }
        var redirected = TransportRequest(target, fields: fields, byteLimit: byteLimit)
        (redirected.challenges, redirected.redirection) = (challenges, redirection)
        return redirected
    }

    /// The header fields at `target` of a request that nobody's policies are known of: all of them go to the same
    /// origin alone.
    private func redirectedByOrigin(_ target: URL, _ source: URL) -> [(name: String, value: String)]? {
        let (to, from) = (Array(target.absoluteString.utf8), Array(source.absoluteString.utf8))
        guard RouteOrigin.mayFollow(to, from: from) else { return nil }
        if RouteOrigin.isShared(to, Array(url.absoluteString.utf8)) { return fields }
        let anonymous = OriginHeaders.anonymous(fields.map { HeaderLine($0.name, $0.value) })
        let ownNames = ["range", "if-range", "accept-encoding"]
        return fields.filter { field in
            ownNames.contains(field.name.lowercased())
                || anonymous.contains { $0.name.elementsEqual(field.name.utf8) }
        }
    }

    /// Has a challenge of the origin's answered by the app's delegate, as it answers those of the player's requests, or
    /// else as the system does by itself.
    ///
    /// Once ``SubtitleTransport/response(to:)`` has ended, nobody waits for an answer: the challenge is cancelled, and a
    /// delegate that still has it is told so, by `resourceLoader(_:didCancel:)`.
    public func answer(
        _ challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let challenges else { return completionHandler(.performDefaultHandling, nil) }
        challenges.answer(challenge, completionHandler)
    }
}

/// What an origin has answered.
public struct TransportResponse: Sendable {
    /// The status code, after redirects.
    public let status: Int

    /// The URL that answered, after redirects.
    public let url: URL

    /// The header fields.
    public let fields: [(name: String, value: String)]

    /// The body, without content codings if the transport undoes them.
    public let body: Data

    /// Whether the body goes on after what is here: there was more than the limit.
    public let isCutOff: Bool

    /// Whether the transport has undone content codings, whatever Content-Encoding says, as URLSession does.
    public let isDecoded: Bool

    /// Whether the body has been made UTF-8 of another encoding.
    var wasEncoded = false

    /// An answer.
    public init(
        status: Int, url: URL, fields: [(name: String, value: String)] = [], body: Data, isCutOff: Bool = false,
        isDecoded: Bool = false
    ) {
        self.status = status
        self.url = url
        self.fields = fields
        self.body = body
        self.isCutOff = isCutOff
        self.isDecoded = isDecoded
    }
}
#endif
