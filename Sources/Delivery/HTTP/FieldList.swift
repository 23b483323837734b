internal import ByteScan

// How a list is read: the lines of one name together are one list (RFC 9110 5.3), with commas in between (5.6.1). Empty
// elements count for nothing (5.6.1.2). A comma inside quotes separates nothing.
//
//     no-cache, private="set-cookie, x",, no-store
//     └──────┘  └────────────────────┘    └──────┘
//
// In a quoted string a backslash takes the byte after it along (5.6.4). An entity tag has no such escapes (8.8.3):
// `"a\"` is whole.

/// Reads the elements of one field value, from left to right, never going back.
struct FieldList {
    /// What a backslash inside quotes means.
    enum Quoting {
        /// It is a byte like any other.
        case entityTags
        /// The byte after it is part of the string.
        case strings
    }

    private let value: ByteView
    private let quoting: Quoting
    private var offset = 0

    init(_ value: ByteView, _ quoting: Quoting) {
        self.value = value
        self.quoting = quoting
    }

    /// The next element that is not empty, without white space around it; nil after the last.
    mutating func next() -> ByteView? {
        while offset < value.count {
            let start = offset
            let end = elementEnd(from: start)
            offset = end &+ 1
            let element = value[start..<end].trimmed
            if !element.isEmpty { return element }
        }
        return nil
    }

    /// Where the element ends that begins at `start`: at a comma, or with the value.
    private func elementEnd(from start: Int) -> Int {
        var isQuoted = false
        var offset = start
        while true {
            offset = markOffset(from: offset)
            guard offset < value.count else { return value.count }
            switch value[offset] {
            case ASCII.quote: isQuoted.toggle()
            case ASCII.comma where !isQuoted: return offset
            case UInt8(ascii: "\\") where isQuoted && quoting == .strings: offset &+= 1
            default: break
            }
            offset &+= 1
        }
    }

    /// The offset of the first quote, comma or backslash at or after `start`; the value's end or beyond if there is
    /// none.
    private func markOffset(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let backslash = UInt8(ascii: "\\")
        var offset = start
        while !CodeSize.isScarce, offset &+ 8 <= value.count {
            let word = value.word(at: offset)
            // The lowest of the bits stands for the first byte that is `byte`.
            func places(of byte: UInt8) -> UInt64 {
                let difference = word ^ (UInt64(byte) &* ones)
                return (difference &- ones) & ~difference & (0x80 &* ones)
            }
            let marks = places(of: ASCII.quote) | places(of: ASCII.comma) | places(of: backslash)
            if marks != 0 { return offset &+ marks.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        return value.offset(from: offset) { $0 != ASCII.quote && $0 != ASCII.comma && $0 != backslash }
    }
}

extension HeaderFields {
    /// Whether `matches` is true for an element of the list that the lines of `name` are together, which it is for none
    /// of fewer bytes than `least`.
    func hasElement(
        of name: FieldName, _ quoting: FieldList.Quoting, least: Int = 1, where matches: (ByteView) -> Bool
    ) -> Bool {
        guard has(name) else { return false }
        for index in 0..<count {
            guard let value = value(of: name, at: index), value.count >= least else { continue }
            var list = FieldList(value, quoting)
            while let element = list.next() { if matches(element) { return true } }
            if isAlone(name) { return false }
        }
        return false
    }

    /// Whether Cache-Control has `no-transform` (RFC 9111 5.2.1.6, 5.2.2.6), in any case and with whatever argument.
    var forbidsTransforming: Bool {
        let forbids: StaticString = "no-transform"
        return hasElement(of: .cacheControl, .strings, least: forbids.utf8CodeUnitCount) { directive in
            guard directive.hasPrefixIgnoringCase(ByteView(forbids)) else { return false }
            let rest = directive.suffix(from: forbids.utf8CodeUnitCount).trimmed
            return rest.isEmpty || rest.first == ASCII.equals
        }
    }
}
