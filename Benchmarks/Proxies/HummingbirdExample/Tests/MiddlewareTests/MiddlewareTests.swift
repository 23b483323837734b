import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Sideload
import SubtitlesMiddleware
import Testing

@Suite struct MiddlewareTests {
    private static let playlist = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n"

    /// What an application with the middleware answers; it serves the playlist by its length, or the first bytes if a range is asked for.
    private func answer(_ path: String, _ fields: HTTPFields = [:]) async throws -> (Response, String) {
        let tracks = try SubtitleTracks([SubtitleTrack(uri: "en.m3u8", language: "en", name: "English")])
        let router = Router()
        router.add(middleware: SubtitlesMiddleware(tracks))
        router.get("**") { request, _ in
            let isPart = request.headers[.range] != nil
            let type = request.uri.path.hasSuffix(".ts") ? "video/mp2t" : "audio/mpegurl"
            let body = isPart ? String(Self.playlist.prefix(10)) : Self.playlist
            return Response(
                status: isPart ? .partialContent : .ok, headers: [.contentType: type, .eTag: "\"a\""],
                body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test"))
        let response = try await router.buildResponder().respond(
            to: request, context: BasicRequestContext(source: source))
        let body = Body()
        try await response.body.write(body)
        return (response, body.text)
    }

    private final class Body: ResponseBodyWriter {
        var text = ""

        func write(_ buffer: ByteBuffer) { text += String(buffer: buffer) }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }

    @Test(arguments: ["/master.m3u8", "/play"])
    func aPlaylistGetsTracks(path: String) async throws {
        let expected = try SubtitleTracks([SubtitleTrack(uri: "en.m3u8", language: "en", name: "English")])
            .sideloaded(into: Array(Self.playlist.utf8)).bytes
        // At a path that tells nothing a range is asked for again, whole.
        for fields: HTTPFields in [[:], [.range: "bytes=0-9"]] {
            let (response, body) = try await answer(path, fields)
            #expect(body == String(decoding: expected, as: UTF8.self))
            #expect((response.status, response.headers[.contentLength]) == (.ok, "\(expected.count)"))
            #expect(response.headers[.eTag]?.contains("surtitle") == true)
        }
    }

    @Test func mediaIsLeftAlone() async throws {
        let (response, body) = try await answer("/a.ts", [.range: "bytes=0-9"])
        #expect(
            (response.status, body, response.headers[.eTag]) == (
                .partialContent, String(Self.playlist.prefix(10)), "\"a\""
            ))
    }
}
