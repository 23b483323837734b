/// An attribute list, parsed as plainly as possible (RFC 8216 4.2): an oracle.
public enum NaiveAttributes {
    /// `NAME=value`, each without the white space around it.
    public struct Item: Equatable, Sendable {
        /// What stands before the first `=` outside quotes; the whole item if there is none.
        public var name: [UInt8]
        /// What stands after it, quotes included; nil if there is no `=`.
        public var value: [UInt8]?

        /// An item of these.
        public init(name: [UInt8], value: [UInt8]?) {
            self.name = name
            self.value = value
        }

        /// The value without its quotes.
        public var content: [UInt8] {
            guard let value, value.count >= 2, value.first == 0x22, value.last == 0x22 else { return value ?? [] }
            return Array(value.dropFirst().dropLast())
        }
    }

    /// Space and tab.
    public static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether every quote is closed.
    public static func isClosed(_ list: [UInt8]) -> Bool { list.filter { $0 == 0x22 }.count % 2 == 0 }

    /// Whether the bytes can stand between quotes: no quote, no control character and no other end of a line.
    public static func isQuotable(_ content: [UInt8]) -> Bool {
        !content.contains(0x22) && !holdsControl(String(decoding: content, as: UTF8.self))
    }

    /// Whether `text` has a character of C0, DEL, C1, U+2028 or U+2029.
    public static func holdsControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F, 0x2028...0x2029: true
            default: false
            }
        }
    }

    /// The list cut at every comma outside quotes, white space and empty pieces kept. An empty list has no piece.
    public static func pieces(of list: [UInt8]) -> [[UInt8]] {
        if list.isEmpty { return [] }
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in list {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted {
                pieces.append([])
            } else {
                pieces[pieces.count - 1].append(byte)
            }
        }
        return pieces
    }

    /// The items of the list, in order, without the empty ones.
    public static func items(of list: [UInt8]) -> [Item] {
        pieces(of: list).compactMap(item)
    }

    /// The content of the first item of that name that has a value, or nil if there is none.
    public static func first(_ name: String, in list: [UInt8]) -> [UInt8]? {
        items(of: list).first { $0.name == Array(name.utf8) && $0.value != nil }?.content
    }

    static func item(_ piece: [UInt8]) -> Item? {
        let text = trimmed(piece)
        guard !text.isEmpty else { return nil }
        guard let equals = equals(in: text) else { return Item(name: text, value: nil) }
        return Item(name: trimmed(Array(text[..<equals])), value: trimmed(Array(text[(equals + 1)...])))
    }

    /// Where the first `=` outside quotes stands.
    static func equals(in text: [UInt8]) -> Int? {
        var isQuoted = false
        for (index, byte) in text.enumerated() {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == UInt8(ascii: "="), !isQuoted { return index }
        }
        return nil
    }

    static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes[...]
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return Array(bytes)
    }
}
