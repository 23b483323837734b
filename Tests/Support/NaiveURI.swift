/// RFC 3986 5.2 word for word, on text of one byte a character: slow, and easy to compare with the RFC.
public struct NaiveURI: Equatable {
    /// The scheme, 3.1.
    public var scheme: [UInt8]?
    /// The authority, 3.2.
    public var authority: [UInt8]?
    /// The path, 3.3.
    public var path: [UInt8] = []
    /// The query, 3.4.
    public var query: [UInt8]?
    /// The fragment, 3.5.
    public var fragment: [UInt8]?

    /// Appendix B, delimiter by delimiter from the left.
    public init(_ text: [UInt8]) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Array(rest[(hash + 1)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Array(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = Array(rest[..<colon])
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Array(rest[..<end])
            rest = rest[end...]
        }
        path = Array(rest)
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let others = Array("0123456789+-.".utf8)
        guard let first = bytes.first, letters.contains(first) else { return false }
        return bytes.allSatisfy { letters.contains($0) || others.contains($0) }
    }

    /// 5.2.2, strict.
    public func resolved(against base: NaiveURI) -> NaiveURI {
        var target = self
        if scheme != nil {
            target.path = Self.withoutDotSegments(path)
        } else {
            if authority != nil {
                target.path = Self.withoutDotSegments(path)
            } else {
                if path.isEmpty {
                    target.path = base.path
                    if query == nil { target.query = base.query }
                } else if path.starts(with: "/".utf8) {
                    target.path = Self.withoutDotSegments(path)
                } else {
                    target.path = Self.withoutDotSegments(merged(into: base))
                }
                target.authority = base.authority
            }
            target.scheme = base.scheme
        }
        return target
    }

    /// 5.2.3.
    private func merged(into base: NaiveURI) -> [UInt8] {
        if base.authority != nil, base.path.isEmpty { return Array("/".utf8) + path }
        guard let slash = base.path.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...slash] + path
    }

    /// 5.2.4, with its input buffer, its output buffer and its five rules; only up to the segment with a variable.
    private static func withoutDotSegments(_ path: [UInt8]) -> [UInt8] {
        guard let variable = path.firstRange(of: "{$".utf8)?.lowerBound else { return withoutDots(path) }
        let start = path[..<variable].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return withoutDots(path[..<start] + Array("x".utf8)).dropLast() + path[start...]
    }

    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        var input = path
        var output: [UInt8] = []
        func starts(_ prefix: String) -> Bool { input.starts(with: prefix.utf8) }
        func removeLast() {
            while let last = output.popLast(), last != UInt8(ascii: "/") {}
        }
        while !input.isEmpty {
            if starts("../") {
                input.removeFirst(3)
            } else if starts("./") {
                input.removeFirst(2)
            } else if starts("/./") {
                input.removeFirst(2)
            } else if input == Array("/.".utf8) {
                input = Array("/".utf8)
            } else if starts("/../") {
                input.removeFirst(3)
                removeLast()
            } else if input == Array("/..".utf8) {
                input = Array("/".utf8)
                removeLast()
            } else if input == Array(".".utf8) || input == Array("..".utf8) {
                input = []
            } else {
                repeat { output.append(input.removeFirst()) } while !input.isEmpty && !starts("/")
            }
        }
        return output
    }

    /// 5.3.
    public var text: [UInt8] {
        var result: [UInt8] = []
        if let scheme { result += scheme + Array(":".utf8) }
        if let authority { result += Array("//".utf8) + authority }
        result += path
        if let query { result += Array("?".utf8) + query }
        if let fragment { result += Array("#".utf8) + fragment }
        return result
    }
}
