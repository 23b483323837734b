import Delivery
import HTTPTypes
import Hummingbird
import Sideload

/// Puts subtitle tracks into the multivariant playlists that an application answers with. One that is larger than `rules` hold passes unedited.
public struct SubtitlesMiddleware<Context: RequestContext>: RouterMiddleware {
    let tracks: SubtitleTracks
    let rules: HTTPRules

    /// Tracks for all playlists.
    public init(_ tracks: SubtitleTracks, rules: HTTPRules = HTTPRules()) {
        (self.tracks, self.rules) = (tracks, rules)
    }

    /// Asks the questions of a request and of its response, and edits what is a playlist.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let version = TracksVersion(fingerprint: tracks.fingerprint)
        var edits = HeaderEdits()
        var decision = RequestLine.with(request.method.rawValue, request.head.path ?? "/") { line in
            rules.decide(line, HeaderFields(request.headers), for: version, into: &edits)
        }
        var response = try await next(request.edited(by: edits), context)
        var made = rules.decide(ResponseHead(response), HeaderFields(response.headers), after: decision, into: &edits)
        if made.action == .askAgain {
            decision = rules.decideAgain(HeaderFields(request.headers), after: decision, into: &edits)
            response = try await next(request.edited(by: edits), context)
            made = rules.decide(ResponseHead(response), HeaderFields(response.headers), after: decision, into: &edits)
        }
        guard case .hold(let limit) = made.action, let length = response.body.contentLength, length <= limit else {
            if made.action == .pass { response.headers.apply(edits) }
            return response
        }
        let body = Collector()
        try await response.body.write(body)
        let edited = try tracks.sideloaded(into: body.bytes).bytes
        var headers = response.headers
        headers.apply(edits)
        return Response(
            status: response.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: edited)))
    }
}
