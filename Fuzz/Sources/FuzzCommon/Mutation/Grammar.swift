import Support

/// What a text is made of: where its fresh pieces come from.
public enum Grammar: Sendable {
    /// Playlists of either kind.
    case playlist
    /// Multivariant playlists with subtitle groups.
    case master
    /// One attribute list.
    case attributes
    /// WebVTT files.
    case webVTT
    /// SubRip files.
    case subRip
    /// A base on the first line, and a playlist with URIs.
    case uris
    /// A condition on the first line, and a playlist with variants.
    case expressions
    /// Short fields, one on a line.
    case words
    /// Media segments, and recipes for some.
    case media
    /// JSON texts, and configurations.
    case json
    /// A request and a response, each a line and header fields.
    case http
    /// URLs, a range, header fields, and a playlist.
    case routes

    /// A few fresh lines, mostly right.
    func fragment(using generator: inout SeededGenerator) -> [UInt8] {
        switch self {
        case .playlist, .uris, .routes: PlaylistTokens.playlist(upTo: 3, using: &generator)
        case .master, .expressions: MasterTokens.playlist(upTo: 3, using: &generator)
        case .attributes: PlaylistTokens.list(using: &generator)
        case .webVTT:
            Bool.random(using: &generator)
                ? WebVTTTokens.timingLine(using: &generator) : WebVTTTokens.file(upTo: 6, using: &generator)
        case .subRip: SubRipTokens.file(upTo: 5, using: &generator)
        case .words: token(using: &generator)
        case .media: Self.mediaPiece(using: &generator)
        case .json:
            Bool.random(using: &generator)
                ? JSONTokens.document(depth: 2, using: &generator) : JSONTokens.configuration(using: &generator)
        case .http: Self.header(using: &generator)
        }
    }

    /// A fresh word or sign.
    func token(using generator: inout SeededGenerator) -> [UInt8] {
        let tokens =
            switch self {
            case .playlist, .master, .attributes: Self.listTokens
            case .webVTT: Self.cueTokens
            case .subRip: Self.cueTokens + Self.subRipTokens
            case .uris: Self.uriTokens
            case .expressions: Self.expressionTokens
            case .words: Self.wordTokens
            case .media: Self.mediaTokens
            case .json: Self.jsonTokens
            case .http: Self.httpTokens
            case .routes: Self.uriTokens + Self.routeTokens
            }
        return Array(tokens[Int.random(in: 0..<tokens.count, using: &generator)].utf8)
    }

    /// A packet, a box, or a few steps of a recipe.
    private static func mediaPiece(using generator: inout SeededGenerator) -> [UInt8] {
        let steps = (0..<6).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let isRecipe = Bool.random(using: &generator)
        return isRecipe ? steps : Array(MediaRecipe.segment([steps[0] % 7, 0, 0] + steps).prefix(400))
    }

    /// A few field lines.
    private static func header(using generator: inout SeededGenerator) -> [UInt8] {
        HTTPTokens.header(upTo: 3, using: &generator).flatMap { NaiveHTTP.bytes("\($0.name):\($0.value)\n") }
    }

    private static let listTokens = [
        ",", "=", "\"", " ", "\t", "\r", "X-", "SUBTITLES", "SUBTITLES=\"subs\"", "A=1", ",A=\"x\"", ":", "#", "#EXT",
        "{$", "{$g}", "}", "DEFAULT=YES", "NAME=\"English\"", "NAME=\"English 2\"", "GROUP-ID=\"g1\"", "\u{FEFF}", "é",
        "URI=\"en.m3u8\"", "TYPE=SUBTITLES", "\0", "#EXTINF:4,\n", "#EXT-X-DEFINE:NAME=\"g\",VALUE=\"g1\"\n",
    ]
    private static let cueTokens = [
        "-->", "--", ">", "-", ":", ".", " ", "\t", "\u{0C}", "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "0", "9", "60",
        "59", "00:01.000", "01:00:00.000", "00:01.000 --> 00:02.000", "NOTE", "STYLE", "REGION", "WEBVTT", "\u{FEFF}",
        "X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000", "id:fred", "align:start", "line:0", "\0", "é",
        "99999999999999999999:00:00.000", "region:fred", "lines:3", "width:40%", "regionanchor:0%,100%", "scroll:up",
        "position:10%,line-left", "size:33.5%", "vertical:rl",
    ]
    private static let subRipTokens = [
        "00:00:01,000 --> 00:00:02,000", "1", "12\n", "{\\an8}", "{\\i1}", "<b>", "</b>", "<i>", "<font color=red>",
        "</font>", "&amp;", "&", "<", ">", "{", "}", "\u{FEFF}", "字", "🎬", "X1:1 X2:2",
    ]
    private static let uriTokens = [
        "http://a/b/c/d;p?q", "http", "data:", ":", "/", "//", "..", ".", "../", "./", "?", "#", "@", "[", "]", "[::1]",
        ":80", "{$base}", "a", "é", " ", "%41", "&", "\n", "#EXT-X-KEY:URI=\"k\"\n", "#EXT-X-STREAM-INF:A=1\n", "\r",
        "#EXT-X-DEFINE:NAME=\"base\",VALUE=\"http://a/b\"\n", "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"{$base}{$base}\"\n",
        "{$v}",
        "#EXT-X-PREFETCH:a\n", "#EXT-X-TWITCH-PREFETCH: {$v} \n", "skd:", "https:",
        "#EXT-X-DATERANGE:X-ASSET-URI=\"a\",X-ASSET-LIST=\"l\"\n", "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"i\"\n", "\"",
    ]
    private static let routeTokens = [
        "surtitle-", "master-", "variant-", "rendition-", "segment-", "key-", "cues-", "track://subtitles/", "https://",
        "http://",
        "HTTPS://", "en.m3u8", "en.vtt", "en-2.M3U8", "localhost/", "master/https/", "track/", "bytes=", "0-1", "5-",
        "-3", ",",
        "9223372036854775807", "99999999999999999999", "\nConnection: X-A, close\n", "\nIf-Range: a\n", "X-A: b\n",
        "\n\n",
        "#EXTM3U\n", "Proxy-A:", "\0",
    ]
    private static let expressionTokens = [
        "BANDWIDTH", "RESOLUTION", "FRAME-RATE", "CODECS", "A", "<", "<=", ">", ">=", "==", "!=", "&&", "&", "\"", " ",
        "1", "1.50", "001", "1280x720", "x", ".", "\"avc1\"", "SDR", "\n", "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
        "#EXT-X-I-FRAME-STREAM-INF:RESOLUTION=1280x720\n", ",RESOLUTION=1920x1080", ",CODECS=\"avc1\"", "\r",
    ]
    private static let wordTokens = [
        "en", "eng", "ger", "zh-Hant-TW", "sl-rozaj-biske", "de-1901", "x-a", "en-u-co-phonebk", "i-klingon", "-", "1",
        "en.m3u8", "sv.vtt", "English", "English 2", "\n", "\n\n", "\"", "{$", "{", "$", "\r", " ", "subs", "a+/=.-_",
        "#", "é", ",", "default", "sdh", "forced", "uri=", "name=", "language=", "file=", "autoselect=yes", "\\,", "\\",
        "=", "type=vtt", "--", "--uri", "--uri=", "-o", "-", "duration=1.5", "kind=captions", "\0",
    ]
    private static let jsonTokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\uD83C", "\\uDFAC", "\\u12", "\\n", "\\x", "true", "tru",
        "null", "false",
        "-", "+", ".", "e", "E+", "0", "01", "9", "1.", "-0", "1e3", "99999999999999999999", " ", "\n", "\r", "\t",
        "\0", "\u{FEFF}", "é", "🎬",
        "\u{A0}", "[[[[", "{\"a\":", "\"a\":1,\"a\":2", "\"tracks\":[{\"uri\":", "\"language\":",
        "\"edits\":[{\"set\":", "/**/", "'",
    ]
    private static let httpTokens =
        HTTPTokens.marks + HTTPTokens.dates + HTTPTokens.targets + HTTPTokens.names + [
            "\"", "\"a\"", "W/", ",", " ", "\n ", "\r", "\0", ";", "=", "%2E", "%", "*", "\n\n", "GET ", "HEAD ",
            "200\n",
            "206\n", "304\n", "no-transform", "identity", "gzip", "audio/mpegurl", "#EXTM3U\n", "text/plain", "5", "\\",
        ]
    private static let mediaTokens = [
        "G", "\0\0\u{1}", "moov", "trak", "mdia", "edts", "elst", "moof", "traf", "tfdt", "trun", "ID3\u{4}", "PRIV",
        "com.apple.streaming.transportStreamTimestamp\0", "\0", "\u{1}", "\u{7F}",
    ]
}
