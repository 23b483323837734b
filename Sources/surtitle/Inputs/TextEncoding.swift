internal import ByteScan

/// A character encoding that the system's iconv knows.
struct TextEncoding: Equatable {
    static let utf16LittleEndian = TextEncoding(name: "UTF-16LE")
    static let utf16BigEndian = TextEncoding(name: "UTF-16BE")

    /// The name as it was given.
    let name: String

    private init(name: String) { self.name = name }

    /// The encoding called `name`, the value of `option`.
    init(option: String, _ name: String) throws(Failure) {
        self.name = name
        // A slash or a comma begins what iconv takes for something else than a name.
        guard name.utf8.allSatisfy(Self.isNameByte), EncodingConverter(self) != nil else {
            throw .usage(
                "\(option) is \(name), which is no encoding that this system's iconv knows; "
                    + "give one such as \(Self.examples); iconv -l lists them")
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_.:()+".utf8.contains(byte)
    }

    /// Some names, for messages.
    static let examples = "windows-1252, shift_jis or gb18030"
}

/// What the first bytes of a file say about its encoding.
enum ByteOrderMark {
    /// There is none, or that of UTF-32, which is not read.
    case absent
    case utf8
    /// UTF-16, in the order of its bytes that the encoding has.
    case utf16(TextEncoding)

    private static let utf8Bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let bigEndianBytes: [UInt8] = [0xFE, 0xFF]
    private static let littleEndianBytes: [UInt8] = [0xFF, 0xFE]
    /// UTF-32, which begins like UTF-16.
    private static let longLittleEndianBytes: [UInt8] = [0xFF, 0xFE, 0, 0]

    /// How many bytes decide, at most.
    static let decidingByteCount = 4

    /// The mark at the `head` of a file; nil if more of it is needed.
    init?(head: [UInt8], isWhole: Bool) {
        let marks = [Self.utf8Bytes, Self.bigEndianBytes, Self.longLittleEndianBytes]
        if !isWhole, marks.contains(where: { head.count < $0.count && $0.starts(with: head) }) { return nil }
        self =
            if head.starts(with: Self.utf8Bytes) {
                .utf8
            } else if head.starts(with: Self.bigEndianBytes) {
                .utf16(.utf16BigEndian)
            } else if head.starts(with: Self.littleEndianBytes), !head.starts(with: Self.longLittleEndianBytes) {
                .utf16(.utf16LittleEndian)
            } else {
                .absent
            }
    }
}
