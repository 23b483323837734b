import Drivers
import M3U8
import Support
import Testing

/// Playlists made by hand, each with what must come of it when SUBTITLES is set on every EXT-X-STREAM-INF: those bytes
/// and no others, at every split.
@Suite struct EdgeCaseTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let text: [UInt8]
        let expected: [UInt8]

        /// `expected` nil where nothing may change.
        init(_ name: String, _ text: String, _ expected: String?) {
            self.init(name, Array(text.utf8), expected.map { Array($0.utf8) })
        }

        init(_ name: String, _ text: [UInt8], _ expected: [UInt8]?) {
            self.name = name
            self.text = text
            self.expected = expected ?? text
        }

        var testDescription: String { name }
    }

    static let set = NaiveRewriter.Operation.set(name: "SUBTITLES", value: "\"s\"")

    @Test(arguments: cases)
    func setSubtitles(_ example: Case) throws {
        let rewriting = Rewriting(edits: try PlaylistEdits([Self.set.edit(of: "EXT-X-STREAM-INF")]))
        let naive = NaiveRewriter { $0.isTag("EXT-X-STREAM-INF") ? .attributes([Self.set]) : nil }
        let expected = naive.rewrite(example.text)
        #expect(expected.bytes == example.expected, "the oracle: \(String(decoding: expected.bytes, as: UTF8.self))")
        rewriting.check(example.text, expected, example.name)
    }

    @Test func thereAreThirtyAndMore() {
        #expect(Self.cases.count >= 30)
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }

    /// Three lines of the tag, each with what ends it.
    private static func lines(_ last: String, _ ending: String) -> String {
        String(repeating: "#EXT-X-STREAM-INF:RESOLUTION=1280x\(last)\(ending)v\(ending)", count: 3)
    }

    /// Enough bytes for lines before them to be scanned in whole blocks.
    private static let tail = "# " + String(repeating: "x", count: 128) + "\n"

    static let cases: [Case] = [
        Case(
            "plain", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\n"),
        Case(
            "CRLF", "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\nv\r\n",
            "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\r\nv\r\n"),
        Case(
            "line endings mixed", "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\r\n#EXT-X-STREAM-INF:BANDWIDTH=2\r\nw\n",
            "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\r\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES=\"s\"\r\nw\n"),
        Case(
            "no final newline", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv"),
        Case(
            "the tag is the last line, without newline", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\""),
        Case(
            "the text ends between CR and LF", "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r",
            "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\r"),
        Case(
            "trailing white space", "#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=1280x720  \r\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=1280x720,SUBTITLES=\"s\"  \r\nv\n"),
        Case(
            "trailing white space in many lines",
            "#EXTM3U\n" + lines("1 ", "\r\n") + lines("2\t", "\r\n") + lines("3 ", "\n") + lines("4,", "\r\n") + tail,
            "#EXTM3U\n" + lines("1,SUBTITLES=\"s\" ", "\r\n") + lines("2,SUBTITLES=\"s\"\t", "\r\n")
                + lines("3,SUBTITLES=\"s\" ", "\n") + lines("4,SUBTITLES=\"s\"", "\r\n") + tail),
        Case(
            "trailing tab", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\t \nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\t \nv\n"),
        Case(
            "white space around commas and equals signs",
            "#EXTM3U\n#EXT-X-STREAM-INF: BANDWIDTH = 1 , CODECS=\"a\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF: BANDWIDTH = 1 , CODECS=\"a\",SUBTITLES=\"s\"\nv\n"),
        Case(
            "an empty list", "#EXTM3U\n#EXT-X-STREAM-INF:\nv\n", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\"\nv\n"),
        Case(
            "a list of white space", "#EXTM3U\n#EXT-X-STREAM-INF:  \r\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\"  \r\nv\n"),
        Case("no colon", "#EXTM3U\n#EXT-X-STREAM-INF\nv\n", nil),
        Case(
            "there already", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"old\",BANDWIDTH=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\",BANDWIDTH=1\nv\n"),
        Case(
            "there already, last, with white space",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1, SUBTITLES = \"o,l=d\" \nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1, SUBTITLES = \"s\" \nv\n"),
        Case(
            "there twice", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"a\",SUBTITLES=\"b\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\",SUBTITLES=\"b\"\nv\n"),
        Case(
            "a value without quotes", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=old,BANDWIDTH=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\",BANDWIDTH=1\nv\n"),
        Case(
            "the name without a value", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\n"),
        Case(
            "the name with an empty value", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=,BANDWIDTH=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\",BANDWIDTH=1\nv\n"),
        Case(
            "the name inside a quoted string", "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"a,SUBTITLES=\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"a,SUBTITLES=\",SUBTITLES=\"s\"\nv\n"),
        Case(
            "a longer name", "#EXTM3U\n#EXT-X-STREAM-INF:X-SUBTITLES=\"a\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:X-SUBTITLES=\"a\",SUBTITLES=\"s\"\nv\n"),
        Case(
            "a name that goes on", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES-X=\"a\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES-X=\"a\",SUBTITLES=\"s\"\nv\n"),
        Case(
            "the name in lower case", "#EXTM3U\n#EXT-X-STREAM-INF:subtitles=\"a\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:subtitles=\"a\",SUBTITLES=\"s\"\nv\n"),
        Case(
            "a comma and an equals sign inside quotes",
            "#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"avc1.4d401e,mp4a.40.2\",VIDEO=\"a=b\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"avc1.4d401e,mp4a.40.2\",VIDEO=\"a=b\",SUBTITLES=\"s\"\nv\n"),
        Case("an unclosed quote", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1\nv\n", nil),
        Case(
            "an unclosed quote after the name", "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"a\",CODECS=\"avc1\nv\n", nil),
        Case(
            "a trailing comma", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\n"),
        Case(
            "empty items", "#EXTM3U\n#EXT-X-STREAM-INF:,BANDWIDTH=1,,SUBTITLES=\"a\",\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:,BANDWIDTH=1,,SUBTITLES=\"s\",\nv\n"),
        Case("EXT-X-I-FRAME-STREAM-INF", "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\"\n", nil),
        Case("EXT-X-STREAM-INFO", "#EXTM3U\n#EXT-X-STREAM-INFO:BANDWIDTH=1\nv\n", nil),
        Case("EXT-X-STREAM-IN", "#EXTM3U\n#EXT-X-STREAM-IN:BANDWIDTH=1\nv\n", nil),
        Case("the tag in lower case", "#EXTM3U\n#ext-x-stream-inf:BANDWIDTH=1\nv\n", nil),
        Case("white space before the tag", "#EXTM3U\n #EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", nil),
        Case("white space before the colon", "#EXTM3U\n#EXT-X-STREAM-INF :BANDWIDTH=1\nv\n", nil),
        Case("the tag in a comment", "#EXTM3U\n# #EXT-X-STREAM-INF:BANDWIDTH=1\n##EXT-X-STREAM-INF:A=1\n", nil),
        Case("the tag in a URI", "#EXTM3U\nv?#EXT-X-STREAM-INF:BANDWIDTH=1\n", nil),
        Case("a lone CR before the tag", "#EXTM3U\nv\r#EXT-X-STREAM-INF:BANDWIDTH=1\n", nil),
        Case(
            "a lone CR in a value", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\r2\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\r2,SUBTITLES=\"s\"\nv\n"),
        Case(
            "CR CR LF", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\r\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\r\r\nv\n"),
        Case(
            "a byte order mark", "\u{FEFF}#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
            "\u{FEFF}#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\n"),
        Case(
            "text after #EXTM3U", "#EXTM3U \t x-tvg-url=\"a\r\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n",
            "#EXTM3U \t x-tvg-url=\"a\r\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv\n"),
        Case("text stuck to #EXTM3U", "#EXTM3U8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", nil),
        Case("a lone CR after #EXTM3U", "#EXTM3U\r#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", nil),
        Case("a blank line before #EXTM3U", "\n#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", nil),
        Case("white space before #EXTM3U", " #EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", nil),
        Case("half a byte order mark", [0xEF, 0xBB] + Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n".utf8), nil),
        Case("no signature", "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", nil),
        Case("nothing", "", nil),
        Case("the signature alone", "#EXTM3U", nil),
        Case(
            "invalid UTF-8",
            Array("#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"".utf8) + [0xFF, 0xC3] + Array("\",A=".utf8) + [0x80]
                + Array("\n".utf8) + [0xFE],
            Array("#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"".utf8) + [0xFF, 0xC3] + Array("\",A=".utf8) + [0x80]
                + Array(",SUBTITLES=\"s\"\n".utf8) + [0xFE]),
        Case(
            "NUL bytes", "#EXTM3U\n\0\n#EXT-X-STREAM-INF:A=\0,\0=1\0\n\0v\0\n\0",
            "#EXTM3U\n\0\n#EXT-X-STREAM-INF:A=\0,\0=1\0,SUBTITLES=\"s\"\n\0v\0\n\0"),
        Case(
            "blank lines", "#EXTM3U\n\n\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\nv\n\n",
            "#EXTM3U\n\n\r\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\n\nv\n\n"),
        Case(
            "unknown tags, attributes and numbers as spelled",
            "#EXTM3U\n#EXT-X-FOO:a, b\n#EXT-X-STREAM-INF:FRAME-RATE=29.970,SCORE=1.50,X=99999999999999999999999\nv\n",
            "#EXTM3U\n#EXT-X-FOO:a, b\n"
                + "#EXT-X-STREAM-INF:FRAME-RATE=29.970,SCORE=1.50,X=99999999999999999999999,SUBTITLES=\"s\"\nv\n"),
        Case(
            "tags one after the other", "#EXTM3U\n#EXT-X-STREAM-INF:A=1\n#EXT-X-STREAM-INF:A=2\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"s\"\n#EXT-X-STREAM-INF:A=2,SUBTITLES=\"s\"\n"),
        Case(
            "a list as long as a block and longer",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1280000,AVERAGE-BANDWIDTH=1000000,CODECS=\"avc1.640028,mp4a.40.2\","
                + "RESOLUTION=1920x1080,FRAME-RATE=25,HDCP-LEVEL=NONE\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1280000,AVERAGE-BANDWIDTH=1000000,CODECS=\"avc1.640028,mp4a.40.2\","
                + "RESOLUTION=1920x1080,FRAME-RATE=25,HDCP-LEVEL=NONE,SUBTITLES=\"s\"\nv\n"),
        Case(
            "text after a closing quote", "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"a\"b,SUBTITLES=\"c\"d\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"a\"b,SUBTITLES=\"s\"\nv\n"),
    ]
}
