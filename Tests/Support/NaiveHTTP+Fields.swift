// How header fields, tags and paths are read, in the obvious way.

extension NaiveHTTP {
    /// Small letters for ASCII capitals, and nothing else.
    public static func lower(_ text: String) -> String {
        Self.text(bytes(text).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
    }

    /// `text` without spaces and tabs at either end.
    public static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    /// The value with spaces in place of line breaks and NUL.
    public static func unfolded(_ value: String) -> String {
        text(bytes(value).map { $0 == 0 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }

    static func values(_ name: String, _ header: [Field]) -> [String] {
        let key = lower(name)
        return header.filter { $0.key == key }.map { trimmed(unfolded($0.value)) }
    }

    static func has(_ name: String, _ header: [Field]) -> Bool {
        let key = lower(name)
        return header.contains { $0.key == key }
    }

    /// The value of all lines, if it is the same.
    static func only(_ name: String, _ header: [Field]) -> String? {
        let all = values(name, header)
        return all.allSatisfy { $0 == all[0] } ? all.first : nil
    }

    static func without(_ names: [String], _ header: [Field]) -> [Field] {
        header.filter { !names.contains($0.key) }
    }

    static func set(_ name: String, to value: String?, in header: inout [Field]) {
        header = without([lower(name)], header)
        if let value { header.append(Field(name, value)) }
    }

    /// The elements of the lists in the lines of `names`, in the order of the lines.
    static func list(_ names: [String], _ header: [Field], escapes: Bool = true) -> [String] {
        header.filter { names.contains($0.key) }.flatMap { field in
            var elements = [""]
            var isQuoted = false
            var isEscaped = false
            for character in unfolded(field.value) {
                if character == ",", !isQuoted {
                    elements.append("")
                    continue
                }
                elements[elements.count - 1].append(character)
                if isEscaped {
                    isEscaped = false
                } else if escapes, isQuoted, character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted.toggle()
                }
            }
            return elements.map(trimmed).filter { !$0.isEmpty }
        }
    }

    static func forbidsTransforming(_ header: [Field]) -> Bool {
        list(["cache-control"], header).contains {
            lower(trimmed(String($0.split(separator: "=", omittingEmptySubsequences: false)[0]))) == "no-transform"
        }
    }

    /// `W/` or nothing, and what is inside the quotes.
    static func tag(_ text: String) -> (weakness: String, opaque: String)? {
        let weakness = text.hasPrefix("W/") ? "W/" : ""
        let rest = text.dropFirst(weakness.count)
        guard rest.count >= 2, rest.first == "\"", rest.last == "\"" else { return nil }
        let opaque = String(rest.dropFirst().dropLast())
        let isLegal = bytes(opaque).allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
        return isLegal ? (weakness, opaque) : nil
    }

    /// What a derived tag was made of.
    static func parts(_ opaque: String) -> (origin: String, fingerprint: String)? {
        let digits = String(opaque.suffix(16))
        let isNumber = digits.count == 16 && digits.allSatisfy { "0123456789abcdef".contains($0) }
        let rest = opaque.dropLast(16)
        return isNumber && rest.hasSuffix("-surtitle-") ? (String(rest.dropLast(10)), digits) : nil
    }

    /// The path of a target in origin-form or absolute-form.
    static func path(of target: String) -> String {
        let reference = target.prefix { $0 != "#" }.prefix { $0 != "?" }
        if reference.hasPrefix("/") { return String(reference) }
        guard let match = reference.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/[^\/]*/) else { return "" }
        return String(reference[match.range.upperBound...])
    }

    static func decoded(_ path: String) -> [UInt8] {
        var output: [UInt8] = []
        var rest = bytes(path)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).map { Character(Unicode.Scalar($0)) }
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(String(digits), radix: 16)
            {
                output.append(value)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// Whether `path` has the form of `pattern`: all places of the pattern that can be reached, byte after byte.
    static func matches(_ path: [UInt8], _ pattern: String) -> Bool {
        let pattern = Array(lower(pattern).utf8)
        let star = UInt8(ascii: "*")
        func reachable(_ places: Set<Int>) -> Set<Int> {
            var all = places
            for place in 0..<pattern.count where all.contains(place) && pattern[place] == star { all.insert(place + 1) }
            return all
        }
        var places = reachable([0])
        for byte in bytes(lower(text(path))) {
            let next = places.filter { $0 < pattern.count }.compactMap { place in
                pattern[place] == star ? place : pattern[place] == byte ? place + 1 : nil
            }
            places = reachable(Set(next))
        }
        return places.contains(pattern.count)
    }
}
