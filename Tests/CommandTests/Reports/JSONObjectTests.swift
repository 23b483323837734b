import Testing

@testable import surtitle

/// Objects of JSON, member by member.
@Suite struct JSONObjectTests {
    @Test(arguments: [
        ("", ""), (" !~", " !~"), ("\"\\", "\\\"\\\\"), ("\n\t", "\\n\\t"), ("\r", "\\u000D"), ("\u{1F}", "\\u001F"),
        ("\u{7F}\u{9F}", "\\u007F\\u009F"), ("\u{A0}é🙂", "\u{A0}é🙂"), ("\u{202E}", "\\u202E"), ("e\u{301}", "e\u{301}"),
    ])
    func textIsQuoted(_ text: String, _ quoted: String) { #expect(JSONObject.quoted(text) == "\"\(quoted)\"") }

    @Test func membersAreInOrder() {
        var object = JSONObject()
        #expect(object.text == "{}")
        object.append("a\"", "b")
        object.append("c", -5)
        object.append("d", true)
        object.append("e", false)
        object.append("f", orNull: nil)
        object.append("g", orNull: .max)
        object.append("h", json: "[1]")
        #expect(
            object.text
                == "{\"a\\\"\":\"b\",\"c\":-5,\"d\":true,\"e\":false,\"f\":null,\"g\":9223372036854775807,\"h\":[1]}")
    }
}
