package import ByteScan

/// Why a JSON text was refused, and where.
package struct JSONError: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Reason: Sendable {
        /// A value was expected (RFC 8259, section 3).
        case value
        /// A key, which is a string, or the end of the object was expected (section 4).
        case key
        /// A colon was expected after a key.
        case colon
        /// A comma or the end of the array or object was expected.
        case comma
        /// A comma stands before the end of an array or object.
        case trailingComma
        /// Something comes after the value that the text is (section 2).
        case extraText
        /// The text ends before its value does.
        case unexpectedEnd
        /// A number is not written as section 6 says: a digit is missing, or a zero leads others.
        case number
        /// A string holds a control character, U+0000 to U+001F, that is not escaped (section 7).
        case controlCharacter
        /// A backslash begins no escape (section 7).
        case escape
        /// One half of a surrogate pair is escaped, but not the other: it is no character (section 8.2).
        case surrogate
        /// A string is not UTF-8 (section 8.1).
        case encoding
        /// The object has the key already (section 4: names should be unique).
        case duplicateKey
        /// More arrays and objects are open than ``JSONLimits/depth``.
        case depth
        /// The text is longer than ``JSONLimits/bytes``.
        case length
    }

    /// What is wrong.
    package let reason: Reason

    /// Where it is: the first byte that does not fit, or the text's end.
    package let location: JSONLocation
}

extension JSONError.Reason: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        switch self {
        case .value: "expected a value: an object, an array, a string in double quotes, a number, true, false or null"
        case .key: "expected a key in double quotes"
        case .colon: "expected a colon after the key"
        case .comma: "expected a comma, or the end of the array or object"
        case .trailingComma: "nothing follows the comma; remove it"
        case .extraText: "expected the end of the text after its value"
        case .unexpectedEnd: "the text ends too early"
        case .number: "expected a number such as 6, -1 or 90.5, without a leading zero or a plus sign"
        case .controlCharacter: "a string holds a control character or a line break; escape it, as in \\n"
        case .escape: "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX after a backslash"
        case .surrogate: "half a surrogate pair is no character; escape both halves, or write the character itself"
        case .encoding: "the string is not UTF-8"
        case .duplicateKey: "the object has this key already; remove one"
        case .depth: "too many arrays and objects are open inside one another"
        case .length: "the text is too long"
        }
    }
}

extension JSONError: Described {
    /// What is wrong and where, in words.
    public var message: Message { "\(location): \(reason)" }
}
