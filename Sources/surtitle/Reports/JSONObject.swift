internal import ByteScan

/// A JSON object that is put together member by member, in one line.
struct JSONObject {
    private var members: [String] = []

    /// The object's text.
    var text: String { "{\(members.joined(separator: ","))}" }

    /// Appends a member whose value is already JSON.
    mutating func append(_ name: String, json: String) { members.append("\(Self.quoted(name)):\(json)") }

    mutating func append(_ name: String, _ text: String) { append(name, json: Self.quoted(text)) }

    mutating func append(_ name: String, _ number: some BinaryInteger) { append(name, json: "\(number)") }

    mutating func append(_ name: String, _ truth: Bool) { append(name, json: truth ? "true" : "false") }

    /// Appends a member that is null if there is no number.
    mutating func append(_ name: String, orNull number: Int64?) {
        append(name, json: number.map { "\($0)" } ?? "null")
    }

    /// `text` as a JSON string (RFC 8259, section 7), with escapes for all that has one in a line of text: a terminal
    /// may show it.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case " "..."~": result.unicodeScalars.append(scalar)
            default: append(scalar, to: &result)
            }
        }
        return result + "\""
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        let character = String(scalar)
        guard let number = character.withView({ $0.hiddenCharacter }) else { return result += character }
        result += "\\u" + String(utf8: ASCII.hexadecimal(number, digits: 4))
    }
}
