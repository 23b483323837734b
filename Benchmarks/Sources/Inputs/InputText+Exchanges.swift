extension InputText {
    /// Requests for a multivariant playlist and the origin's responses, as a proxy meets them: a player's first, one with the tag of an
    /// edited playlist, a browser's for a part of a segment, and a 304.
    ///
    /// Each head ends with an empty line; its first line is a request's or a response's.
    static func exchanges() -> InputText {
        var text = InputText(byteCount: 3_000)
        for (request, response) in [(player, whole), (revalidation, notModified), (segment, part)] {
            for line in request + response { text.line(line) }
        }
        return text
    }

    private static let player: [InputLine] = [
        "GET /film/master.m3u8?session=19 HTTP/1.1", "Host: cdn.example.com", "Accept: */*",
        "X-Playback-Session-Id: 0F1B7C4A-5A40-4E2F-9C55-6B0E6C1D2F33", "Accept-Language: en-GB,en;q=0.9",
        "Accept-Encoding: gzip", "User-Agent: AppleCoreMedia/1.0.0 (iPhone; U; CPU OS 18_0 like Mac OS X; en_gb)",
        "Connection: keep-alive", "",
    ]

    private static let whole: [InputLine] = [
        "HTTP/1.1 200 OK", "Server: origin", "Date: Sun, 22 Nov 2026 10:00:00 GMT",
        "Content-Type: application/vnd.apple.mpegurl", "Content-Length: 2750",
        "Last-Modified: Sat, 21 Nov 2026 08:00:00 GMT", "ETag: \"673f0c40-abe\"", "Cache-Control: max-age=6",
        "Access-Control-Allow-Origin: *", "Accept-Ranges: bytes", "",
    ]

    private static let revalidation: [InputLine] = [
        "GET /film/master.m3u8?session=19 HTTP/1.1", "Host: cdn.example.com", "Accept: */*",
        "Accept-Encoding: gzip, deflate, br", "If-None-Match: W/\"x\", \"673f0c40-abe-surtitle-00000000075bcd15\"",
        "If-Modified-Since: Sat, 21 Nov 2026 08:00:00 GMT", "Origin: https://player.example.com",
        "Sec-Fetch-Mode: cors", "Connection: keep-alive", "",
    ]

    private static let notModified: [InputLine] = [
        "HTTP/1.1 304 Not Modified", "Date: Sun, 22 Nov 2026 10:00:00 GMT", "ETag: \"673f0c40-abe\"",
        "Cache-Control: max-age=6", "",
    ]

    private static let segment: [InputLine] = [
        "GET /film/v5/seg_00017.m4s HTTP/1.1", "Host: cdn.example.com", "Accept: */*", "Range: bytes=0-524287",
        "Accept-Encoding: identity", "Referer: https://player.example.com/watch", "Connection: keep-alive", "",
    ]

    private static let part: [InputLine] = [
        "HTTP/1.1 206 Partial Content", "Content-Type: video/mp4", "Content-Length: 524288",
        "Content-Range: bytes 0-524287/1834002", "Accept-Ranges: bytes", "ETag: \"673f0c41-1bfc12\"", "",
    ]
}
