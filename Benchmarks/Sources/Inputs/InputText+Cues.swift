extension InputText {
    /// A WebVTT file of `byteCount` bytes or a few more: 25 to 40 bytes a line.
    ///
    /// A stylesheet and a region first; then cues, seven in ten of them with an id, half of them with settings, of one or two
    /// lines, some with markup or letters outside ASCII, and now and then a note. The last cue is the same for every size but for
    /// its times, so that what it costs to find it says something about the size and nothing else.
    public static func cues(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var chance = Chance(seed: 3)
        text.line("WEBVTT - made for measuring")
        text.line("Kind: captions")
        text.line("Language: en")
        text.line("")
        text.line("STYLE")
        text.line("::cue { background: rgba(0,0,0,.6); }")
        text.line("")
        text.line("REGION")
        text.line("id:low width:40% lines:3")
        text.line("regionanchor:0%,100% viewportanchor:10%,90% scroll:up")
        text.line("")
        var time = 500
        var number = 1
        while text.count + 160 < byteCount {
            if chance.isOnce(in: 250) {
                text.line("NOTE \(chance.words(8))")
                text.line("\(chance.words(9))")
                text.line("")
            }
            if !chance.isOnce(in: 3) { text.line("\(number)") }
            let end = time + chance.number(in: 700..<4500)
            text.timing(time, end, settings: chance.pick(settings))
            for _ in 0..<chance.number(in: 1..<3) { text.line("\(chance.cueLine())") }
            text.line("")
            time = end + chance.number(in: 0..<600)
            number += 1
        }
        text.line("\(number)")
        text.timing(time, time + 2_345, settings: " line:90% position:50% align:center")
        text.line("And that is all that can be said about it,")
        text.line("for there is nothing after this.")
        text.line("")
        return text
    }

    /// A WebVTT file of `byteCount` bytes or a few less: some 37 bytes a line, and nothing but times and text.
    ///
    /// The cues follow each other fast, so that no time passes 99 hours: in a film none does.
    public static func plainCues(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var chance = Chance(seed: 4)
        text.line("WEBVTT")
        text.line("")
        var time = 500
        while text.count + 160 < byteCount {
            let end = time + chance.number(in: 700..<2500)
            text.timing(time, end, settings: "")
            for _ in 0..<chance.number(in: 1..<3) { text.line("\(chance.words(chance.number(in: 6..<12)))") }
            text.line("")
            time = end + chance.number(in: 0..<600)
        }
        return text
    }

    private static let settings = [
        "", "", "", " align:start", " line:0%", " align:center line:90% position:50% size:80%", " region:low",
    ]

    /// The line of a cue's times, in milliseconds, and settings.
    private mutating func timing(_ start: Int, _ end: Int, settings: String) {
        line("\(timestamp: start) --> \(timestamp: end)\(settings)")
    }
}

extension Chance {
    private static let common = [
        "about", "after", "again", "all", "and", "because", "before", "come", "could", "don't", "door", "even", "every",
        "for", "from", "give", "good", "have", "here", "house", "I'm", "into", "it's", "just", "know", "last", "leave",
        "little", "look", "make", "maybe", "morning", "nothing", "now", "only", "other", "over", "people", "right",
        "said",
        "should", "some", "something", "tell", "than", "that", "the", "then", "there", "they", "think", "this", "time",
        "under", "very", "wait", "want", "was", "we're", "what", "when", "where", "with", "without", "would", "you",
    ]
    private static let rare = ["déjà", "Malmö", "Привет", "ありがとう", "字幕", "고마워", "¿Qué?", "—", "…", "🙂"]

    mutating func words(_ count: Int) -> String {
        var words: [String] = []
        for _ in 0..<count { words.append(isOnce(in: 32) ? pick(Self.rare) : pick(Self.common)) }
        return words.joined(separator: " ")
    }

    /// A line of a cue's text: most plain, some with a voice, italics or an escape.
    fileprivate mutating func cueLine() -> String {
        let words = words(number(in: 5..<11))
        return switch number(in: 0..<50) {
        case 0..<5: "<v Speaker\(number(in: 0..<4))>\(words)"
        case 5..<8: "<i>\(words)</i>"
        case 8: "Q&amp;A \(words)"
        default: words
        }
    }
}
