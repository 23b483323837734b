// `--track SPEC`, as the command line `surtitle` takes it: a track of a configuration in other punctuation.
//
//     uri=subs/en.m3u8,language=en,name=English,default      {"uri": "subs/en.m3u8", "language": "en", "name": "English", "default": true}
//     subs/film.sv.srt                                        {"uri": "film.sv.vtt", "file": "subs/film.sv.srt", "language": "sv"}
//
// What the values may be is the configuration's to check. Of a path alone only the language is taken, where the command line knows more.

/// What one `--track SPEC` says, as members of a JSON object.
struct TrackSpec {
    private static let flags = ["default", "forced", "sdh", "autoselect"]

    /// The object.
    let json: String

    init(_ text: String) throws(CommandError) {
        var members: [String] = []
        for (index, item) in Self.items(of: text).enumerated() {
            guard let equals = item.firstIndex(of: "=") else {
                if index == 0, let path = Self.members(ofPath: item) {
                    members += path
                } else if Self.flags.contains(item) {
                    members.append(Self.member(item, true))
                } else {
                    throw CommandError("--track \(text): \(item.debugDescription) is neither key=value nor a flag")
                }
                continue
            }
            let key = String(item[..<equals])
            let value = String(item[item.index(after: equals)...])
            guard Self.flags.contains(key) else {
                members.append("\(key.json): \(value.json)")
                continue
            }
            guard value == "yes" || value == "no" else { throw CommandError("--track \(text): \(key) is yes or no") }
            members.append(Self.member(key, value == "yes"))
        }
        json = "{" + members.joined(separator: ", ") + "}"
    }

    private static func member(_ key: String, _ isTrue: Bool) -> String { "\(key.json): \(isTrue)" }

    /// Cuts `text` at its commas, but for those after a backslash, which is left out.
    private static func items(of text: String) -> [String] {
        var items = [""]
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "," {
                items.append("")
            } else if character == "\\", rest.first == "," {
                items[items.count - 1].append(rest.removeFirst())
            } else {
                items[items.count - 1].append(character)
            }
        }
        return items
    }

    /// What a path tells: `subs/film.sv.srt`. Nil if it does not end like one of subtitles.
    private static func members(ofPath path: String) -> [String]? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var steps = name.split(separator: ".").map(String.init)
        guard steps.count > 1, let end = steps.popLast()?.lowercased() else { return nil }
        var members: [String]
        switch end {
        case "m3u8": members = ["\"uri\": \(path.json)"]
        case "vtt", "webvtt", "srt":
            members = ["\"uri\": \((steps.joined(separator: ".") + ".vtt").json)", "\"file\": \(path.json)"]
        default: return nil
        }
        let language = steps.last
        if let language, 2...3 ~= language.count, language.allSatisfy({ $0.isASCII && $0.isLetter }) {
            members.append("\"language\": \(language.json)")
        }
        return members
    }
}

extension String {
    /// The string in JSON, with its quotes.
    var json: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
