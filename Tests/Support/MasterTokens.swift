/// Random multivariant playlists with subtitle groups of every kind, the same ones in every run.
public enum MasterTokens {
    /// A playlist of up to `largest` lines. One in eight has a tag of media playlists in it.
    public static func playlist(upTo largest: Int = 10, using generator: inout SeededGenerator) -> [UInt8] {
        let newline = Bool.random(using: &generator) ? "\n" : "\r\n"
        var text = "#EXTM3U" + newline
        let usesVariables = Int.random(in: 0..<3, using: &generator) == 0
        if usesVariables { text += definitions.joined(separator: newline) + newline }
        for _ in 0..<Int.random(in: 0...largest, using: &generator) {
            text += line(usesVariables: usesVariables, using: &generator)
            text += Int.random(in: 0..<10, using: &generator) == 0 ? "\n" : newline
        }
        if Int.random(in: 0..<8, using: &generator) == 0 {
            text += "#EXTINF:4,\(newline)#EXT-X-STREAM-INF:A=1\(newline)"
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { text.removeLast() }
        return Array(text.utf8)
    }

    private static func line(usesVariables: Bool, using generator: inout SeededGenerator) -> String {
        func pick(_ choices: [String]) -> String { choices[Int.random(in: 0..<choices.count, using: &generator)] }
        let group = pick(usesVariables ? groups + variableGroups : groups)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: return "#EXT-X-STREAM-INF:" + pick(lists)
        case 2: return "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"\(group)\"" + pick(["", " ", ",A=\"SUBTITLES\""])
        case 3, 4, 5:
            return "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(pick(names))\""
                + pick(["", ",DEFAULT=YES,AUTOSELECT=YES", ",DEFAULT=NO", ", DEFAULT = YES "])
                + ",URI=\"\(pick(usesVariables ? uris + ["{$base}en.m3u8", "{$base}x.m3u8"] : uris))\""
        default: return pick(others)
        }
    }

    private static let definitions = [
        "#EXT-X-DEFINE:NAME=\"g\",VALUE=\"g1\"", "#EXT-X-DEFINE:NAME=\"base\",VALUE=\"\"",
        "#EXT-X-DEFINE:NAME=\"two\",VALUE=\"{$g}-2\"", "#EXT-X-DEFINE:IMPORT=\"elsewhere\"",
        "#EXT-X-DEFINE:NAME=\"odd\",VALUE=\"a\"b\"c\"",
    ]
    private static let groups = ["g1", "g1", "g2", "subs", "grün"]
    private static let variableGroups = ["{$g}", "{$two}", "$x{$g}", "{$elsewhere}", "{$", "{$odd}"]
    private static let names = ["English", "English", "English 2", "Svenska", "Français", "English 3"]
    private static let uris = ["en.m3u8", "sv.m3u8", "x.m3u8", "y.m3u8", "z.m3u8"]
    private static let lists = [
        "BANDWIDTH=1", "BANDWIDTH=1", "BANDWIDTH=1,CODECS=\"avc1,mp4a\" ", "", "A=\"SUBTITLES=\"", "X-SUBTITLES=\"x\"",
        "A=\"x", "SUBTITLES", "BANDWIDTH=1,", "SUBTITLES=\"x", "SUBTITLES=g2,B=1", "SUBTITLES=\"g1\",A=\"",
        "SUBTITLES=\"g1\",SUBTITLES=\"g2\"", "SUBTITLES=\"a\"b\"c\"", "SUBTITLES=\"\"",
        "SUBTITLES=,B=1,", "SUBTITLES=\"\",SUBTITLES=\"g2\"", "SUBTITLES=\"g1\",SUBTITLES=\"a\"b\"c\"",
        "SUBTITLES,SUBTITLES=",
        "BANDWIDTH=1 , ",
    ]
    private static let others = [
        "v/1.m3u8", "https://example.com/SUBTITLES", "", "# SUBTITLES", "#EXT-X-INDEPENDENT-SEGMENTS",
        "#EXT-X-STREAM-INF",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"x\",URI=\"i\"", "#EXT-X-SESSION-DATA:DATA-ID=\"SUBTITLES\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"SUBTITLES\",URI=\"a.m3u8\"",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,NAME=\"x\"",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\"2\",NAME=\"x\"", "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID,NAME=\"x\"",
        "#EXT-X-MEDIA:TYPE=\"SUBTITLES\",GROUP-ID=g2,NAME=\"q\",URI=\"q\"", "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g3",
        "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\"", "#EXT-X-ENDLIST", "#EXT-X-ALLOW-CACHE:NO",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\",NAME=\"e\",URI=\"e\"",
    ]
}
