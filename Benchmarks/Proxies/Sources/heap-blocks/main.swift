import CHeapBlocks
import Foundation
import SurtitleProxy

// heap-blocks: how many blocks a response takes of the heap, more than one that passes through.
//
// The proxy answers over loopback, from an origin that allocates nothing, to a client that allocates nothing. So what is counted in a round of
// requests is the proxy's, and a round without the sideloader is what it takes for passing. What is printed is the difference for one
// response, and the status is 1 if it is more than the limit.

struct Row {
    let name: String
    let playlist: [UInt8]
    /// How many blocks more than passing.
    let limit: Double
}

func playlist(_ count: Int) -> [UInt8] {
    var text = Array("#EXTM3U\n".utf8)
    var number = 1_000_000
    while text.count < count {
        text +=
            "#EXT-X-STREAM-INF:BANDWIDTH=\(number),CODECS=\"avc1.640028,mp4a.40.2\",RESOLUTION=1920x1080\n\(number).m3u8\n"
            .utf8
        number += 1
    }
    return text
}

/// Blocks of the heap for one response.
func blocks(for playlist: [UInt8], passing: Bool, responses: Int) async throws -> Double {
    let origin = try Origin(playlist)
    var options = [
        "--origin", "http://127.0.0.1:\(origin.port)", "--listen", "127.0.0.1:0", "--threads", "1", "--quiet",
        "--url", "host",
    ]
    options += [
        "--track", "uri=subs/en.m3u8,language=en,name=English,default", "--track",
        "uri=sv.m3u8,language=sv,name=Svenska",
    ]
    let source = SiteSource(try Options(options + (passing ? ["--pass"] : [])))
    let server = try await ProxyServer(source.settings())
    try await server.serve(source.load(port: server.port))
    let client = try Client(port: server.port)
    // What is used again is there by then.
    try client.ask(20, for: playlist, edited: !passing)
    let before = HeapBlocks.count()
    try client.ask(responses, for: playlist, edited: !passing)
    let counted = HeapBlocks.count() - before
    try await server.end()
    return Double(counted) / Double(responses)
}

guard HeapBlocks.areCounted() else {
    print("blocks cannot be counted here")
    exit(1)
}
var isWithin = true
for row in [
    Row(name: "2.8 KB", playlist: playlist(2800), limit: 8), Row(name: "1 MB", playlist: playlist(1 << 20), limit: 60),
] {
    let responses = row.playlist.count < 100_000 ? 1000 : 50
    let passing = try await blocks(for: row.playlist, passing: true, responses: responses)
    let again = try await blocks(for: row.playlist, passing: true, responses: responses)
    let sideloading = try await blocks(for: row.playlist, passing: false, responses: responses)
    let more = sideloading - min(passing, again)
    let figures = String(
        format: "%6@  passing %7.2f (again %7.2f)  sideloading %7.2f  more %6.2f of at most %.0f", row.name as NSString,
        passing,
        again, sideloading, more, row.limit)
    print(figures)
    if more > row.limit { isWithin = false }
}
exit(isWithin ? 0 : 1)
