public import ByteScan

/// Some bytes of a text are no characters in its encoding.
///
/// It is told of a text that has been decoded all the same, and thrown by those who want no such text.
public struct MalformedText: Error, Equatable, Sendable {
    /// The encoding from which the text was converted; nil for UTF-8, which is handed on as it is.
    public let encoding: TextEncoding?
    /// The stream position, in bytes, of the first byte that is no part of a character.
    public let position: Int
    /// How many U+FFFD stand for what is no character; 0 for UTF-8.
    public let replacementCount: Int
}

extension MalformedText: Described {
    /// What is wrong, and where, in one line.
    public var message: Message {
        guard let encoding else { return "at byte \(position): not UTF-8, so that players show U+FFFD" }
        return
            "at byte \(position): not \(Array(encoding.name.utf8)); U+FFFD stands for what is no character, \(replacementCount) in all"
    }
}
