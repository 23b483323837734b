extension InputText {
    /// How a SubRip file is made.
    public enum SubRipKind: Sendable {
        /// Text in English, some letters of other languages in it.
        case plain
        /// The same with CRLF at the ends of lines, as most files in the field have it.
        case returns
        /// One line in five in italics, in colour or placed, and now and then an ampersand.
        case markup
        /// Text in Chinese.
        case chinese
    }

    /// A SubRip file of `byteCount` bytes or a few less: a counter, times, one or two lines of text, and a blank line.
    public static func subRip(byteCount: Int, _ kind: SubRipKind) -> InputText {
        var text = InputText(byteCount: byteCount)
        var chance = Chance(seed: 5)
        let end = kind == .returns ? "\r" : ""
        var time = 500
        var number = 1
        while text.count + 250 < byteCount {
            let after = time + chance.number(in: 700..<2500)
            text.line("\(number)\(end)")
            text.line("\(timestamp: time, ",") --> \(timestamp: after, ",")\(end)")
            for line in 0..<chance.number(in: 1..<3) {
                text.line("\(chance.subRipLine(kind, isFirst: line == 0))\(end)")
            }
            text.line("\(end)")
            time = after + chance.number(in: 0..<600)
            number += 1
        }
        return text
    }
}

extension Chance {
    private static let chinese = [
        "我们", "知道", "什么", "时候", "你", "他们", "已经", "没有", "可以", "现在", "这里", "因为", "所以", "朋友", "明天", "回家", "吗",
        "，", "？", "不要", "再", "一次", "相信",
    ]

    fileprivate mutating func subRipLine(_ kind: InputText.SubRipKind, isFirst: Bool) -> String {
        let words =
            kind == .chinese
            ? (0..<number(in: 5..<11)).map { _ in pick(Self.chinese) }.joined()
            : words(number(in: 5..<11))
        guard kind == .markup else { return words }
        return switch number(in: 0..<50) {
        case 0..<5: "<i>\(words)</i>"
        case 5..<7: "<font color=\"#ffff00\">\(words)</font>"
        case 7..<9: isFirst ? "{\\an8}\(words)" : words
        case 9: "\(words) & \(words)"
        default: words
        }
    }
}
