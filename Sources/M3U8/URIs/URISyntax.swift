internal import ByteScan

/// Checks of the parts that are written into a URI; each returns the offset of the first fault, or nil.
enum URISyntax {
    static func schemeFault(in bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, ASCII.isLetter(first) else { return 0 }
        return bytes.firstIndex { !ASCII.isSchemeByte($0) }
    }

    /// A fault in a reg-name or an IP literal. An empty host is a fault at 0.
    static func hostFault(in bytes: [UInt8]) -> Int? {
        guard bytes.first == ASCII.openingBracket else {
            return bytes.isEmpty ? 0 : fault(in: bytes) { _ in false }
        }
        guard let last = bytes.indices.last, last > 1 else { return bytes.count }
        for index in 1..<last where !ASCII.isComponentByte(bytes[index]) && bytes[index] != ASCII.colon { return index }
        return bytes[last] == ASCII.closingBracket ? nil : last
    }

    /// A fault in a part of a query. An empty one is a fault at 0.
    static func queryFault(in bytes: [UInt8]) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        return fault(in: bytes) {
            $0 == ASCII.slash || $0 == ASCII.questionMark || $0 == ASCII.colon || $0 == ASCII.at
        }
    }

    /// The first byte that no URI holds (RFC 3986 2). Bytes outside ASCII are no fault: some playlists have them.
    static func referenceFault(in bytes: [UInt8]) -> Int? {
        bytes.firstIndex { byte in
            switch byte {
            case 0...ASCII.space, 0x7F, ASCII.quote, UInt8(ascii: "<"), ASCII.greaterThan, UInt8(ascii: "\\"): true
            case UInt8(ascii: "^"), UInt8(ascii: "`"), ASCII.openingBrace, UInt8(ascii: "|"), UInt8(ascii: "}"): true
            default: false
            }
        }
    }

    /// The first byte that is neither allowed in every component, nor part of an escape, nor `allowed`.
    private static func fault(in bytes: [UInt8], besides allowed: (UInt8) -> Bool) -> Int? {
        var index = 0
        while index < bytes.count {
            if bytes[index] == ASCII.percent {
                guard index + 2 < bytes.count, ASCII.isHexadecimalDigit(bytes[index + 1]),
                    ASCII.isHexadecimalDigit(bytes[index + 2])
                else { return index }
                index += 3
            } else if ASCII.isComponentByte(bytes[index]) || allowed(bytes[index]) {
                index += 1
            } else {
                return index
            }
        }
        return nil
    }
}
