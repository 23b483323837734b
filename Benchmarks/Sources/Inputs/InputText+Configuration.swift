extension InputText {
    /// A router's configuration in JSON: tracks, an edit, a scheme, a condition and limits.
    static func configuration(trackCount: Int) -> InputText {
        var text = InputText(byteCount: 120 * trackCount + 400)
        text.line("{")
        text.line("  \"master\": \"https://origin.example.com/film/master.m3u8\",")
        text.line("  \"tracks\": [")
        for number in 0..<trackCount {
            let comma = number + 1 < trackCount ? "," : ""
            text.line(
                """
                    {"uri": "subs/\(number, width: 3).vtt", "language": "\(Self.language(number))",\
                 "name": "Track \(number)", "default": \(number == 0 ? "true" : "false"), "duration": "1:34:05.500"}\(comma)
                """)
        }
        text.line("  ],")
        text.line("  \"edits\": [{\"set\": \"EXT-X-STREAM-INF:NAME=\\\"hd\\\"\"}, {\"drop\": \"EXT-X-SESSION-DATA\"}],")
        text.line("  \"keep-variants\": \"BANDWIDTH<=3000000 && RESOLUTION<=720\",")
        text.line("  \"limits\": {\"longest-line\": 65536, \"past-limit\": \"fail\"}")
        text.line("}")
        return text
    }

    /// A language of its own for each number below 676: `en-x-aa`, `en-x-ab` and so on.
    public static func language(_ number: Int) -> String {
        let letters = [number / 26 % 26, number % 26].map { String(UnicodeScalar(UInt8(97 + $0))) }
        return "en-x-\(letters.joined())"
    }
}
