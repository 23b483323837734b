/// Random files made of the pieces that a WebVTT parser has to tell apart, the same ones in every run.
public enum WebVTTTokens {
    /// A file of up to `largest` pieces.
    ///
    /// Most begin with a signature, and most lines with an arrow are nearly right.
    public static func file(upTo largest: Int = 24, using generator: inout SeededGenerator) -> [UInt8] {
        var file: [UInt8] = []
        file += pick(heads, &generator)
        for _ in 0..<Int.random(in: 0...largest, using: &generator) {
            if Int.random(in: 0..<3, using: &generator) == 0 {
                file += timingLine(using: &generator)
            } else {
                file += pick(pieces, &generator)
            }
        }
        return file
    }

    /// A line with an arrow, of which each part is wrong one time in ten.
    public static func timingLine(using generator: inout SeededGenerator) -> [UInt8] {
        var line: [UInt8] = []
        for part in [lineEnds, spaces, times, spaces, arrows, spaces, times, rests] { line += pick(part, &generator) }
        return line
    }

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> [UInt8] {
        let choice = choices[Int.random(in: 0..<choices.count, using: &generator)]
        return choice == "FF" ? [0xFF, 0xC2] : Array(choice.utf8)
    }

    private static let heads = [
        "WEBVTT\n", "WEBVTT\n\n", "WEBVTT\r\n\r\n", "WEBVTT\r\r", "WEBVTT - note\n\n", "\u{FEFF}WEBVTT\n\n", "WEBVTT",
        "WEBVTT\t00:01.000 --> 00:02.000\n", "WEBVTT\nKind: captions\n\n", "WEBVTTX\n", "",
    ]
    private static let pieces = [
        "\n", "\n", "\n\n", "\r", "\r\n", "\r\n\r\n", " ", "\t", "\u{0C}", "\u{0B}", "\u{A0}", "\0", "FF", "-->",
        "--", ">", "-", ":", ".", "0", "00", "59", "60", "000", "00:01.000", "1:00:00.000", "x", "hello", "NOTE",
        "NOTE x", "STYLE", "STYLE ", "REGION", "REGION\t", "id:fred", "id:a width:40%", "lines:3", "::cue{}",
        "/* --> */", "<00:00:00.500>", "line:0", "region:fred", "WEBVTT",
        "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000", "\u{FEFF}", "字",
    ]
    private static let lineEnds = [
        "\n", "\n", "\n\n", "\n\nid\n", "\r\n", "\r", "\r\r", "\n\nSTYLE\n", "x", "", "\nNOTE\n", "\n\nNOTE\n",
    ]
    private static let spaces = [
        "", "", " ", " ", " ", "\t", " \t\u{0C} ", "          ", "\u{A0}", "x",
    ]
    private static let arrows = [
        "-->", "-->", "-->", "-->", "-->", "-->", "-->-->", "--", "->", "-- >", "--->", "x-->",
    ]
    private static let times = [
        "00:01.000", "00:02.500", "00:00:03.000", "12:34:56.789", "59:59.999", "00:00.000", "100:00:00.000",
        "0:00:00.000", "1234567890:00:00.000", "99999999999999999999999:00:00.001",
        "00000000000000000000000001:00:00.000", "60:00.000", "00:60.000", "00:60:00.000", "0:00.000", "000:00.000",
        "00:00.00", "00:00.0000", "00:00:00,000", "00:0.000", ":00:00.000", "00:00", "-00:01.000", "99:00:00.000",
    ]
    private static let rests = [
        "", "\n", "\n", "\n", "\n", "\r", "\r\n", " \n", " line:0\n", "align:start\n", "0\n", " -->\n", "\nx\n",
        "\n--\n",
    ]
}
