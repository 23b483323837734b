public import ByteScan

/// A whole text in UTF-8, whatever encoding its bytes had.
///
///     let text = try DecodedText(bytes, in: TextEncoding("windows-1252"))
///     if let malformed = text.malformed { log("\(name): \(malformed)") }
///     serve(text.bytes)
///
/// ``TextDecoder`` does the same in chunks, and tells how a byte order mark and the encoding that is named go together.
public struct DecodedText: Equatable, Sendable {
    /// The text in UTF-8. A byte order mark of UTF-8 is still there, one of another encoding is not.
    public let bytes: [UInt8]
    /// The encoding from which the text was converted; nil for UTF-8.
    public let encoding: TextEncoding?
    /// What of the text is no character; nil if there is none.
    public let malformed: MalformedText?

    /// Decodes `bytes`, which are in the encoding `named` unless a byte order mark says otherwise, and in UTF-8 if none
    /// is named.
    ///
    /// `use` says for which texts that counts.
    ///
    /// - Throws: ``UnknownEncodingError`` if iconv cannot be asked any more, for want of memory or descriptors.
    public init(
        _ bytes: [UInt8], in named: TextEncoding? = nil, _ use: TextDecoder.Use = .always
    ) throws(UnknownEncodingError) {
        let decoder = try TextDecoder(in: named, use)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe decoder.write(bytes) { unsafe text.append(contentsOf: $0) }
        }
        unsafe decoder.finish { unsafe text.append(contentsOf: $0) }
        self.bytes = text
        encoding = decoder.encoding
        malformed = decoder.malformed
    }

    /// The text, if all of it is characters.
    ///
    /// - Throws: ``MalformedText`` with the place of the first byte that is none.
    public func wellFormed() throws(MalformedText) -> [UInt8] {
        if let malformed { throw malformed }
        return bytes
    }
}

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
