/// Random SubRip files made of the pieces that a transcoder has to tell apart, the same ones in every run.
public enum SubRipTokens {
    /// A file of up to `largest` pieces, all of it UTF-8; most lines with an arrow are timing lines, or nearly.
    public static func file(upTo largest: Int = 24, using generator: inout SeededGenerator) -> [UInt8] {
        var file = Bool.random(using: &generator) ? "1\n00:00:01,000 --> 00:00:02,000\n" : ""
        for _ in 0..<Int.random(in: 0...largest, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: file += timingLine(using: &generator)
            case 1: file += pick(blocks, &generator)
            case 2...4: file += pick(lines, &generator) + pick(lineEnds, &generator)
            default: file += pick(pieces, &generator)
            }
        }
        return Array(file.utf8)
    }

    private static func timingLine(using generator: inout SeededGenerator) -> String {
        [spaces, times, spaces, arrows, spaces, times, rests].map { pick($0, &generator) }.joined()
    }

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> String {
        choices[Int.random(in: 0..<choices.count, using: &generator)]
    }

    private static let blocks = [
        "2\n00:00:03,000 --> 00:00:04,000\nText\n\n", "3\r\n00:00:05,000 --> 00:00:06,000\r\n{\\an8}Up\r\n\r\n",
        "4\r0:0:7,5 --> 8:9,10\r\r", "\n\n5\n\n00:00:01,000 --> 00:00:02,000\n\n",
    ]
    private static let lines = [
        "", "", " ", "1", "22", " 333\t", "\u{FEFF}4", "\u{FEFF}", "Hello", "- Hello", "{\\an8}", "{\\an1}",
        "{\\i1}{\\an9}x",
        "<i>it</i>", "<font color=\"red\">", "12 monkeys", "-->", "1:2", "字", "\0", "NOTE x", "WEBVTT",
    ]
    private static let pieces = [
        "\n", "\r", "\r\n", "\n\n", "\r\r\n", " ", "\t", "\u{0C}", "0", "7", ":", ",", ".", "-", "--", ">", "-->", "<",
        "</", "/", "b", "<b>", "</b>", "<B >", "<i/>", "<bx>", "<u class=x>", "</font>", "<font face='<'>", "&", "amp;",
        "&lt;", "&nbsp;", "&rlm;", "&quot;", "&#39;", "{", "}", "\\", "{\\", "{\\an", "{\\an8}", "{\\an7\\i1}",
        "{\\an0}",
        "{\\pos(1,2)}", "{b}", "\\N", "\\n", "{y:i}", "{Y:i}", "{y:b,i}", "{Y: ub}", "{y:", "{y:x}", "< i>", "</ i >",
        "< / u>", "< ", "é", "字", "🎬", "\u{301}", "\u{FEFF}", "\0", "x", "00:00:01,000", "00:00:01,000 --> ",
    ]
    private static let lineEnds = ["\n", "\n", "\n", "\r\n", "\r", "\r\r\n", "\n\n", "\r\n\r\n"]
    private static let spaces = ["", "", " ", " ", " ", "\t", " \t\u{0C} ", "\u{A0}", "\u{FEFF}", "x"]
    private static let arrows = ["-->", "-->", "-->", "-->", "-->", "-->", "-->-->", "--", "->", "-- >", "--->", "- >"]
    private static let times = [
        "00:00:01,000", "00:00:02.500", "0:0:3,5", "1:2:3", "00:01", "123:59,99", "1234:00,0", "00: 00 : 04 , 007",
        "99:99:99,999", "-00:00:01,000", "- 1:1", "00:00:05,1234567", "00:00:06,", "00:000:00", "00:00:000", "00:00:",
        "1234567890:00:00,000", "2562047788015:12:55,807", "99999999999999999999999:00:00,001",
        "00000000000000000000000001:00:00,000", ":01", "00,5", "x",
    ]
    private static let rests = [
        "\n", "\n", "\n", "\r\n", "\r", "", " X1:100 X2:200 Y1:1 Y2:2\n", " -->\n", "x\n", ":\n", " \n", " line:0\n",
    ]
}
