import Delivery
import Support
import Testing

/// The first time stamp of a video whose references hold variables (8216bis 4.3).
@Suite struct VariableFetchTests {
    private static let address = "v.m3u8?t=a%2Fb&e=&t=c&quote=\"&ab=1"
    private static let path = "/" + address
    private static let tick = "tick 126000 at 0"

    private static func row(
        _ reason: String, _ playlists: [String: String], asks asked: [String], _ result: String = tick
    ) -> FetchCase {
        var origins: [String: [NaiveOrigin]] = [:]
        for (path, text) in playlists { origins[path] = [NaiveOrigin(Array(("#EXTM3U\n" + text).utf8))] }
        for path in asked where path.hasSuffix(".ts") { origins[path] = [NaiveOrigin(FetchFiles.transport)] }
        return FetchCase(reason, .mediaStart(video: FetchCase.url(address)), origins, asks: [path] + asked, result)
    }

    private static func media(
        _ reason: String, _ lines: String, asks asked: [String], _ result: String = tick
    ) -> FetchCase { row(reason, [path: lines], asks: asked, result) }

    private static let master =
        "#EXT-X-DEFINE:NAME=\"d\",VALUE=\"x/y\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{$d}/w.m3u8?n=5\n"
    private static let none = "unusable: variable"

    private static let rows: [FetchCase] = [
        media("a value", "#EXT-X-DEFINE:NAME=\"d\",VALUE=\"x\"\n#EXTINF:6,\n{$d}/{$d}.ts\n", asks: ["/x/x.ts"]),
        media(
            "the first value counts",
            "#EXT-X-DEFINE:NAME=\"d\",VALUE=\"x\"\n#EXT-X-DEFINE:NAME=\"d\",VALUE=\"y\"\n#EXTINF:6,\n{$d}.ts\n",
            asks: ["/x.ts"]),
        media(
            "a value in a value",
            "#EXT-X-DEFINE:NAME=\"d\",VALUE=\"x\"\n#EXT-X-DEFINE:NAME=\"e\",VALUE=\"{$d}y\"\n#EXTINF:6,\n{$e}.ts\n",
            asks: ["/xy.ts"]),
        media(
            "of the query, as it is written, the first", "#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXTINF:6,\n{$t}.ts\n",
            asks: ["/a%2Fb.ts"]),
        media("a name that ends like another", "#EXT-X-DEFINE:QUERYPARAM=\"b\"\n#EXTINF:6,\n{$b}.ts\n", asks: [], none),
        media("a parameter without a value", "#EXT-X-DEFINE:QUERYPARAM=\"e\"\n#EXTINF:6,\n{$e}.ts\n", asks: [], none),
        media("a parameter that is not there", "#EXT-X-DEFINE:QUERYPARAM=\"n\"\n#EXTINF:6,\n{$n}.ts\n", asks: [], none),
        media("a quote", "#EXT-X-DEFINE:QUERYPARAM=\"quote\"\n#EXTINF:6,\n{$quote}.ts\n", asks: [], none),
        media("nothing to import from", "#EXT-X-DEFINE:IMPORT=\"d\"\n#EXTINF:6,\n{$d}.ts\n", asks: [], none),
        media("a definition behind it", "#EXTINF:6,\n{$d}.ts\n#EXT-X-DEFINE:NAME=\"d\",VALUE=\"x\"\n", asks: [], none),
        row(
            "of the multivariant playlist",
            [path: master, "/x/y/w.m3u8?n=5": "#EXT-X-DEFINE:IMPORT=\"d\"\n#EXTINF:6,\n/{$d}.ts\n"],
            asks: ["/x/y/w.m3u8?n=5", "/x/y.ts"]),
        row(
            "not imported", [path: master, "/x/y/w.m3u8?n=5": "#EXTINF:6,\n/{$d}.ts\n"], asks: ["/x/y/w.m3u8?n=5"], none
        ),
        row(
            "each playlist has its own query",
            [
                path: master,
                "/x/y/w.m3u8?n=5":
                    "#EXT-X-DEFINE:QUERYPARAM=\"n\"\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXTINF:6,\n{$n}.ts\n",
            ],
            asks: ["/x/y/w.m3u8?n=5", "/x/y/5.ts"]),
        media(
            "in an init segment",
            "#EXT-X-DEFINE:NAME=\"d\",VALUE=\"i\"\n#EXT-X-MAP:URI=\"{$d}.mp4\"\n#EXTINF:6,\nf.m4s\n",
            asks: ["/i.mp4"], "missing: status 404"),
    ]

    @Test(arguments: rows) func variable(_ row: FetchCase) { row.check() }
}
