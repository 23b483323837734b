// What is wrong in words that are there in Embedded Swift too, without the values that a description puts in.

extension ConfigurationError.Reason {
    /// What is wrong, or what was expected.
    package var words: StaticString {
        switch kind {
        case .json(let reason): reason.words
        case .unknownKey: "the key is unknown"
        case .missing: "a key is missing"
        case .expected(let what): what.text
        case .contradiction(let what): what.text
        case .track: "a track is refused"
        case .edit: "an edit is refused"
        case .uri: "a part of a URI is refused"
        case .base: "the base is no absolute URI"
        case .condition: "the condition cannot be read"
        }
    }
}

extension JSONError.Reason {
    /// What was expected, or is wrong.
    fileprivate var words: StaticString {
        switch self {
        case .value: "a value was expected"
        case .key: "a key in double quotes was expected"
        case .colon: "a colon was expected"
        case .comma: "a comma, or the end of the array or object was expected"
        case .trailingComma: "nothing follows the comma"
        case .extraText: "the end of the text was expected"
        case .unexpectedEnd: "the text ends too early"
        case .number: "this is no number"
        case .controlCharacter: "a string holds a control character"
        case .escape: "this is no escape"
        case .surrogate: "half a surrogate pair is no character"
        case .encoding: "the string is not UTF-8"
        case .duplicateKey: "the object has the key already"
        case .depth: "too many arrays and objects are open"
        default: "the text is too long"
        }
    }
}
