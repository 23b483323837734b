/// Random playlists made of the pieces that a scanner has to tell apart, the same ones in every run.
public enum PlaylistTokens {
    /// A playlist of up to `largest` lines.
    ///
    /// Most begin with a signature, and most of their lines are nearly right.
    public static func playlist(upTo largest: Int = 12, using generator: inout SeededGenerator) -> [UInt8] {
        var playlist = pick(heads, &generator)
        let kinds = Int.random(in: 0..<4, using: &generator)
        for _ in 0..<Int.random(in: 0...largest, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1, 2: playlist += tagLine(kinds == 0 ? mediaTags : multivariantTags, using: &generator)
            case 3: playlist += tagLine(kinds == 1 ? mediaTags + multivariantTags : otherTags, using: &generator)
            case 4, 5: playlist += pick(uris, &generator)
            default: playlist += pick(oddLines, &generator)
            }
            playlist += pick(lineEnds, &generator)
        }
        return playlist
    }

    /// A tag with an attribute list.
    static func tagLine(_ tags: [String], using generator: inout SeededGenerator) -> [UInt8] {
        pick(tags, &generator) + list(using: &generator)
    }

    /// An attribute list of up to six items, half of them strung together from tokens at random.
    public static func list(using generator: inout SeededGenerator) -> [UInt8] {
        var list: [UInt8] = []
        for number in 0..<Int.random(in: 0...6, using: &generator) {
            if number > 0 { list += pick(separators, &generator) }
            list += pick(spaces, &generator)
            if Bool.random(using: &generator) {
                list += pick(names, &generator) + pick(equals, &generator) + pick(values, &generator)
            } else {
                for _ in 0..<Int.random(in: 0...4, using: &generator) { list += pick(pieces, &generator) }
            }
            list += pick(spaces, &generator)
        }
        return list
    }

    /// A string of up to `largest` tokens, without any shape.
    public static func tokens(upTo largest: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var tokens: [UInt8] = []
        for _ in 0..<Int.random(in: 0...largest, using: &generator) { tokens += pick(pieces, &generator) }
        return tokens
    }

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> [UInt8] {
        let choice = choices[Int.random(in: 0..<choices.count, using: &generator)]
        return choice == "FF" ? [0xFF, 0xC2] : Array(choice.utf8)
    }

    /// The attribute names to draw from, so that edits can name them.
    public static let names = ["SUBTITLES", "BANDWIDTH", "CODECS", "A", "AUDIO", "URI", "X-SUBTITLES"]

    private static let heads = [
        "#EXTM3U\n", "#EXTM3U\n", "#EXTM3U\n", "#EXTM3U\r\n", "#EXTM3U\r\n", "\u{FEFF}#EXTM3U\n", "#EXTM3U x=\"\n",
        "#EXTM3U \r\n", "#EXTM3U", "#EXTM3U8\n", "#EXTM3U\r", "", "\n",
    ]
    private static let multivariantTags = [
        "#EXT-X-STREAM-INF:", "#EXT-X-STREAM-INF:", "#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:TYPE=SUBTITLES,",
        "#EXT-X-MEDIA:", "#EXT-X-I-FRAME-STREAM-INF:", "#EXT-X-SESSION-DATA:",
    ]
    private static let mediaTags = ["#EXTINF:", "#EXTINF:4.0,", "#EXT-X-KEY:", "#EXT-X-MAP:", "#EXT-X-PART:"]
    private static let otherTags = [
        "#EXT-X-DEFINE:", "#EXT-X-START:", "#EXT-X-VERSION:", "#EXT-X-FOO:", "#EXTVLCOPT:", "#EXT-X-STREAM-INFO:",
        "#EXT-X-STREAM-IN:", "#ext-x-stream-inf:", "#EXT-X-STREAM-INF", "#EXT-X-MEDIA", "#EXT-X-GAP", "#EXT", "#EX",
        "#",
        "##EXT-X-STREAM-INF:", " #EXT-X-STREAM-INF:", "#EXT-X-PREFETCH-DISCONTINUITY-AND-MUCH-MORE-THAN-THAT:",
    ]
    private static let uris = ["v/1.m3u8", "https://example.com/v.m3u8?a=1,b=\"2\"", "v", "字.m3u8", "FF"]
    private static let oddLines = [
        "", "", " ", "\t", "\r", "# comment", "#", "\0", "-----", "#----", "x#EXT-X-STREAM-INF:A=1", "\r#EXT-X-GAP",
    ]
    private static let lineEnds = ["\n", "\n", "\n", "\n", "\n", "\r\n", "\r\n", "\n\n", "\r\r\n", "\r", ""]
    private static let separators = [",", ",", ",", ",", ",,", ", ,", ";"]
    private static let spaces = ["", "", "", "", " ", "\t", "  "]
    private static let equals = ["=", "=", "=", "=", " = ", "==", "", "=\t"]
    private static let values = [
        "1", "\"x\"", "\"a,b=c\"", "\"\"", "", "YES", "1.50", "\"SUBTITLES=\"", "\"x\"y", "\"x", "0xFF", "{$v}", "FF",
    ]
    private static let pieces = [
        "SUBTITLES", "A", "B", "=", "=", ",", ",", "\"", "\"", " ", "\t", "\r", "\0", "FF", "SUBTITLES=\"x\"", ",A=1",
        "1234567890123456789012345678901234567890123456789012345678901234567890",
    ]
}
