/// Pieces of requests and responses, mostly right, for random exchanges.
public enum HTTPTokens {
    /// The marks at the end of tags that were derived with the fingerprints below, and of some that were not.
    public static let marks = [
        "-surtitle-00000000075bcd15", "-surtitle-00000000075bcd15", "-surtitle-ffffffffffffffff",
        "-surtitle-0000000000000001", "-surtitle-00000000075BCD15", "-surtitle-075bcd15", "-gzip",
    ]

    /// The fingerprints of the marks.
    public static let fingerprints: [UInt64] = [0x075b_cd15, .max]

    /// Targets, likely and not.
    public static let targets = [
        "/master.m3u8", "/a/b.M3U8?x=1", "/a%2Em3u8;b", "http://h/a.m3u", "/a.ism/manifest(format=m3u8-aapl)", "/a.ts",
        "/", "*", "/a?b.m3u8", "http://h",
    ]

    /// Dates in every form, near each other.
    public static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT", "Sunday, 06-Nov-94 08:49:38 GMT",
        "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:60 GMT", "0", "sun, 06 Nov 1994 08:49:37 GMT",
    ]

    /// Names of the fields that matter, and some that do not.
    public static let names = [
        "Accept-Encoding", "A-IM", "Cache-Control", "If-Match", "If-None-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since", "If-Range", "Range", "Want-Digest", "Want-Content-Digest", "Want-Repr-Digest",
        "Accept-Ranges", "Content-Digest", "Content-Encoding", "Content-Length", "Content-MD5", "Content-Range",
        "Content-Type", "Content-Type", "Digest", "ETag", "ETag", "Last-Modified", "Repr-Digest", "Trailer",
        "Transfer-Encoding", "Vary", "Age", "X-Range", "Content-Location", "ETags", "",
    ]

    private static let values = [
        "identity", "gzip, br", "br", "no-transform", "max-age=0, No-Transform", "private=\"a, no-transform\"", "*",
        "bytes", "none", "bytes=0-1", "0", "5", "5, 5", "70000", "99999999999999999999", "chunked", "text/plain",
        "application/vnd.apple.mpegurl", "Audio/mpegURL; charset=utf-8", "application/x-mpegurl", "audio/x-mpegurl ;",
        "", ",", "\"", "W/", "a,b",
    ]

    /// An entity tag or what looks like one.
    public static func tag(using generator: inout SeededGenerator) -> String {
        let opaque = ["", "a", "5f3e-1a2b", "a,b", "\u{E9}\\", "a b", "-surtitle-"]
        let weakness = ["", "", "W/", "w/"]
        let mark = Bool.random(using: &generator) ? pick(marks, &generator) : ""
        return pick(weakness, &generator) + "\"" + pick(opaque, &generator) + mark
            + (Int.random(in: 0..<9, using: &generator) == 0 ? "" : "\"")
    }

    /// A value that may suit `name`.
    public static func value(of name: String, using generator: inout SeededGenerator) -> String {
        switch name {
        case "ETag", "If-Match", "If-None-Match", "If-Range":
            let tags = (0...Int.random(in: 0...(name == "ETag" ? 0 : 3), using: &generator)).map { _ in
                tag(using: &generator)
            }
            let value = tags.joined(separator: pick([",", ", ", " ,\t", ",,", ",\r\n "], &generator))
            return Int.random(in: 0..<6, using: &generator) == 0 ? pick(values, &generator) : value
        case "Last-Modified", "If-Modified-Since", "If-Unmodified-Since": return pick(dates, &generator)
        default: return pick(values, &generator)
        }
    }

    /// Field lines, names in any case.
    public static func header(upTo count: Int, using generator: inout SeededGenerator) -> [NaiveHTTP.Field] {
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in
            let name = pick(names, &generator)
            let value = value(of: name, using: &generator)
            let spelling = [name, name, name.lowercased(), name.uppercased()]
            return NaiveHTTP.Field(pick(spelling, &generator), pick(["", " ", " \t"], &generator) + value)
        }
    }

    private static func pick<Item>(_ items: [Item], _ generator: inout SeededGenerator) -> Item {
        items[Int.random(in: 0..<items.count, using: &generator)]
    }
}
