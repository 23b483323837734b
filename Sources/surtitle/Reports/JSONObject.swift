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

    /// `text` as a JSON string (RFC 8259, section 7).
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\u{0}"..<" ":
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
