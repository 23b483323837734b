package import ByteScan

/// Checks of the parts that are written into a URI; each returns the offset of the first fault, or nil.
package enum URISyntax {
    package static func schemeFault(in bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, ASCII.isLetter(first) else { return 0 }
        return bytes.firstIndex { !ASCII.isSchemeByte($0) }
    }

    /// A fault in a reg-name or an IP literal, or in the port after it. An empty host is a fault at 0.
    static func hostFault(in bytes: [UInt8]) -> Int? {
        guard bytes.first == ASCII.openingBracket else {
            let end = bytes.firstIndex(of: ASCII.colon) ?? bytes.count
            if end == 0 { return 0 }
            return fault(in: Array(bytes[..<end])) { _ in false } ?? portFault(in: bytes, from: end)
        }
        let last = bytes.firstIndex(of: ASCII.closingBracket) ?? bytes.count - 1
        guard last > 1 else { return last + 1 }
        for index in 1..<last where !ASCII.isComponentByte(bytes[index]) && bytes[index] != ASCII.colon { return index }
        return bytes[last] == ASCII.closingBracket ? portFault(in: bytes, from: last + 1) : last
    }

    /// A fault in what follows the host: nothing, or a colon and a number up to 65535.
    private static func portFault(in bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        guard bytes[start] == ASCII.colon else { return start }
        guard start + 1 < bytes.count else { return bytes.count }
        var port = 0
        for index in (start + 1)..<bytes.count {
            guard let digit = ASCII.digit(bytes[index]) else { return index }
            port = port * 10 + Int(digit)
            if port > 65_535 { return index }
        }
        return nil
    }

    /// A fault in a part of a query. An empty one is a fault at 0.
    static func queryFault(in bytes: [UInt8]) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        return fault(in: bytes) {
            $0 == ASCII.slash || $0 == ASCII.questionMark || $0 == ASCII.colon || $0 == ASCII.at
        }
    }

    /// A fault in the beginning of a URI: its scheme, a colon, and anything that a URI may hold.
    static func addressFault(in bytes: [UInt8]) -> Int? {
        guard let colon = bytes.firstIndex(of: ASCII.colon) else { return schemeFault(in: bytes) ?? bytes.count }
        return schemeFault(in: Array(bytes[..<colon])) ?? referenceFault(in: bytes)
    }

    /// The first byte that no URI holds.
    package static func referenceFault(in bytes: [UInt8]) -> Int? { bytes.firstIndex { !ASCII.isURIByte($0) } }

    /// The name of the file that `step` of a path stands for: `sv x` for `sv%20x`.
    ///
    /// Nil if there can be no such file: the name is empty, `.` or `..`, has a slash or a NUL, or is not UTF-8.
    package static func fileName(of step: ByteView) -> [UInt8]? {
        let name = step.percentDecoded
        let isStep = name.isEmpty || name == [ASCII.period] || name == [ASCII.period, ASCII.period]
        guard !isStep, !name.contains(0), !name.contains(ASCII.slash) else { return nil }
        return name.withView { $0.validUTF8Count } == name.count ? name : nil
    }

    /// The first byte that is neither allowed in every component, nor part of an escape, nor `allowed`.
    private static func fault(in bytes: [UInt8], besides allowed: (UInt8) -> Bool) -> Int? {
        var index = 0
        while index < bytes.count {
            if bytes[index] == ASCII.percent {
                guard index + 2 < bytes.count, ASCII.hexadecimal(bytes[index + 1]) != nil,
                    ASCII.hexadecimal(bytes[index + 2]) != nil
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
