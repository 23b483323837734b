public import ByteScan

/// A character encoding that the system's iconv knows.
public struct TextEncoding: Equatable, Sendable {
    /// UTF-16, low byte first.
    public static let utf16LittleEndian = TextEncoding(known: "UTF-16LE")
    /// UTF-16, high byte first.
    public static let utf16BigEndian = TextEncoding(known: "UTF-16BE")

    /// The name as it was given.
    public let name: String

    private init(known name: String) { self.name = name }

    init(_ order: UTF16Order) { self = order == .bigEndian ? .utf16BigEndian : .utf16LittleEndian }

    /// The encoding called `name`, as iconv calls it: `windows-1252`, `shift_jis`, `gb18030`.
    ///
    /// - Throws: ``UnknownEncodingError`` if the system's iconv knows no such encoding, or cannot be asked for want of
    ///   memory or descriptors.
    public init(_ name: String) throws(UnknownEncodingError) {
        // A slash or a comma begins what iconv takes for something else than a name.
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { throw UnknownEncodingError(name) }
        self.name = name
        _ = try EncodingConverter(self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_.:()+".utf8.contains(byte)
    }

    /// Some names, for messages.
    package static let examples = "windows-1252, shift_jis or gb18030"
}

/// A name is that of no encoding that the system's iconv knows.
public struct UnknownEncodingError: Error, Equatable, Sendable {
    /// The name.
    public let name: String

    init(_ name: String) { self.name = name }
}

extension UnknownEncodingError: Described {
    /// What is wrong and what to do, in one line.
    public var message: Message {
        "\(Array(name.utf8)) is no encoding that this system's iconv knows; give one such as \(Array(TextEncoding.examples.utf8)); iconv -l lists them"
    }
}
