/// A JSON text as a tree, read by plain recursion over its scalars (RFC 8259): an oracle, and a writer.
public indirect enum NaiveJSON: Equatable {
    /// Members in their order; no key is there twice.
    case object([Member])
    /// Elements in their order.
    case array([NaiveJSON])
    /// What the string says, as scalars: equal strings need not have equal ones.
    case string([Unicode.Scalar])
    /// A number as it is written.
    case number(String)
    /// `true` or `false`.
    case truth(Bool)
    /// `null`.
    case null

    /// A key and its value.
    public struct Member: Equatable {
        /// The key.
        public var key: [Unicode.Scalar]
        /// The value.
        public var value: NaiveJSON

        /// A member.
        public init(_ key: [Unicode.Scalar], _ value: NaiveJSON) {
            self.key = key
            self.value = value
        }
    }

    /// The value that `text` is; nil if it is no JSON text, or if more than `depth` arrays and objects are open at once.
    public init?(_ text: [UInt8], depth: Int = .max) {
        guard let decoded = String(validating: text, as: UTF8.self) else { return nil }
        var reader = Reader(scalars: Array(decoded.unicodeScalars), depth: depth)
        if reader.next == "\u{FEFF}" { reader.index += 1 }
        guard let value = reader.value(0), reader.index == reader.scalars.count else { return nil }
        self = value
    }

    /// The text, without white space; what may be written as it stands is.
    public var text: String {
        switch self {
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        case .array(let values): "[" + values.map { $0.text }.joined(separator: ",") + "]"
        case .string(let scalars): Self.quoted(scalars)
        case .number(let spelling): spelling
        case .truth(let truth): truth ? "true" : "false"
        case .null: "null"
        }
    }

    private static func quoted(_ scalars: [Unicode.Scalar]) -> String {
        var text = "\""
        for scalar in scalars {
            if scalar == "\"" || scalar == "\\" {
                text += "\\"
                text.unicodeScalars.append(scalar)
            } else if scalar.value < 0x20 {
                text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private struct Reader {
        let scalars: [Unicode.Scalar]
        let depth: Int
        var index = 0

        var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

        /// The value here with the white space around it.
        mutating func value(_ open: Int) -> NaiveJSON? {
            space()
            let value = bare(open)
            space()
            return value
        }

        private mutating func space() {
            while let scalar = next, [" ", "\t", "\n", "\r"].contains(scalar) { index += 1 }
        }

        private mutating func take(_ word: String) -> Bool {
            let wanted = Array(word.unicodeScalars)
            guard Array(scalars[index...].prefix(wanted.count)) == wanted else { return false }
            index += wanted.count
            return true
        }

        private mutating func bare(_ open: Int) -> NaiveJSON? {
            if take("true") { return .truth(true) }
            if take("false") { return .truth(false) }
            if take("null") { return .null }
            if next == "\"" { return string().map { .string($0) } }
            if next == "{" || next == "[", open == depth { return nil }
            if take("{") { return members(open + 1).map { .object($0) } }
            if take("[") { return elements(open + 1).map { .array($0) } }
            return number()
        }

        private mutating func members(_ open: Int) -> [Member]? {
            space()
            if take("}") { return [] }
            var members: [Member] = []
            while true {
                space()
                guard next == "\"", let key = string(), !members.contains(where: { $0.key == key }) else { return nil }
                space()
                guard take(":"), let value = value(open) else { return nil }
                members.append(Member(key, value))
                if take("}") { return members }
                guard take(",") else { return nil }
            }
        }

        private mutating func elements(_ open: Int) -> [NaiveJSON]? {
            space()
            if take("]") { return [] }
            var elements: [NaiveJSON] = []
            while true {
                guard let value = value(open) else { return nil }
                elements.append(value)
                if take("]") { return elements }
                guard take(",") else { return nil }
            }
        }

        private mutating func number() -> NaiveJSON? {
            var rest = ""
            for scalar in scalars[index...].prefix(while: { "+-.0123456789eE".unicodeScalars.contains($0) }) {
                rest.unicodeScalars.append(scalar)
            }
            let grammar = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/
            guard rest.wholeMatch(of: grammar.matchingSemantics(.unicodeScalar)) != nil else { return nil }
            index += rest.unicodeScalars.count
            return .number(rest)
        }

        /// The string whose quote is here. Escapes become UTF-16 first, which halves of a pair must leave well-formed.
        private mutating func string() -> [Unicode.Scalar]? {
            index += 1
            var units: [UInt16] = []
            while let scalar = next {
                index += 1
                switch scalar {
                case "\"": return Self.scalars(units)
                case "\\":
                    guard let unit = escaped() else { return nil }
                    units.append(unit)
                case "\0"..<" ": return nil
                default: units += Array(String(scalar).utf16)
                }
            }
            return nil
        }

        private mutating func escaped() -> UInt16? {
            guard let letter = next else { return nil }
            index += 1
            let plain: [Unicode.Scalar: UInt16] = [
                "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
            ]
            if let unit = plain[letter] { return unit }
            let digits = scalars[index...].prefix(4)
            guard letter == "u", digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else {
                return nil
            }
            index += 4
            return UInt16(digits.map { String($0) }.joined(), radix: 16)
        }

        private static func scalars(_ units: [UInt16]) -> [Unicode.Scalar]? {
            guard let text = String(validating: units, as: UTF16.self) else { return nil }
            return Array(text.unicodeScalars)
        }
    }
}
