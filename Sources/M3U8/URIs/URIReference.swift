public import ByteScan

/// A URI reference, split into ranges of its own bytes (RFC 3986 4.1).
///
///     https://user@example.com:8080/a/b?c=d#e
///     └─┬─┘   └─────────┬─────────┘└┬─┘ └┬┘ │
///     scheme        authority     path query fragment
///                  └────┬────┘
///                     host
///
/// Every byte string is a reference: the components are found by their delimiters alone (RFC 3986 appendix B), and
/// bytes that no URI may hold stay where they are. Only the scheme is checked: a letter, then letters, digits and
/// `+-.`. So `1x:y` and `{$base}:y` have no scheme and are all path.
///
/// A reference does not keep its bytes alive: it is valid as long as they are.
public struct URIReference {
    /// The reference as it was given.
    public let bytes: ByteView

    /// The bytes before the first colon, or nil for a relative reference (3.1).
    public let scheme: Range<Int>?

    /// The bytes after `//`, or nil; the range may be empty, as in `file:///a` (3.2).
    public let authority: Range<Int>?

    /// The reference without its other components; the range may be empty (3.3).
    public let path: Range<Int>

    /// The bytes after the first `?`, or nil; the range may be empty (3.4).
    public let query: Range<Int>?

    /// The bytes after the first `#`, or nil; the range may be empty (3.5).
    public let fragment: Range<Int>?

    /// Splits `bytes`.
    ///
    /// - Complexity: O(*n*), mostly 64 bytes a step.
    public init(_ bytes: ByteView) {
        // Most have at most 64 bytes, which are loaded once.
        let block = bytes.block(at: 0)
        let isShort = bytes.count <= ByteView.blockSize
        func first(_ byte: UInt8, in view: ByteView) -> Int? {
            guard isShort else { return view.firstOffset(of: byte) }
            let offset = block.equal(to: byte).bits.trailingZeroBitCount
            return offset < view.count ? offset : nil
        }
        let hash = first(ASCII.hash, in: bytes)
        let beforeFragment = bytes.prefix(upTo: hash ?? bytes.count)
        let mark = first(ASCII.questionMark, in: beforeFragment)
        let hierarchy = beforeFragment.prefix(upTo: mark ?? beforeFragment.count)
        let colon = first(ASCII.colon, in: hierarchy).flatMap { Self.isScheme(hierarchy.prefix(upTo: $0)) ? $0 : nil }
        var pathStart = colon.map { $0 &+ 1 } ?? 0

        if hierarchy.hasBytes("//", at: pathStart) {
            let start = pathStart &+ 2
            pathStart = hierarchy.firstOffset(of: ASCII.slash, from: start) ?? hierarchy.count
            authority = start..<pathStart
        } else {
            authority = nil
        }
        self.bytes = bytes
        scheme = colon.map { 0..<$0 }
        path = pathStart..<hierarchy.count
        query = mark.map { ($0 &+ 1)..<beforeFragment.count }
        fragment = hash.map { ($0 &+ 1)..<bytes.count }
    }

    /// The host inside the authority, between user information and port, or nil if there is no authority (3.2.2).
    ///
    /// An IP literal keeps its brackets. The range is empty if the authority names no host, as in `file:///a`.
    public var host: Range<Int>? {
        guard let authority else { return nil }
        let prefix = bytes.prefix(upTo: authority.upperBound)
        // The last `@`, as browsers have it: an unescaped one belongs to the user information.
        let at = prefix.suffix(from: authority.lowerBound).lastOffset(of: ASCII.at, before: authority.count)
        let start = at.map { authority.lowerBound &+ $0 &+ 1 } ?? authority.lowerBound
        guard start < prefix.count, prefix[start] == ASCII.openingBracket else {
            return start..<(prefix.firstOffset(of: ASCII.colon, from: start) ?? prefix.count)
        }
        guard let bracket = prefix.firstOffset(of: ASCII.closingBracket, from: start) else {
            return start..<prefix.count
        }
        return start..<(prefix.firstOffset(of: ASCII.colon, from: bracket) ?? prefix.count)
    }

    /// Whether this is a `data:` URI, which contains what it refers to (RFC 2397).
    package var isData: Bool { hasScheme(ByteView("data")) }

    /// Whether it has none, or is an `http:` or `https:` URI: what can be resolved, and have another host or query. Of
    /// others, such as `skd:` and `urn:`, nobody here knows what their bytes mean.
    package var isRelativeOrHTTP: Bool { scheme == nil || isHTTP }

    /// Whether this is an `http:` or `https:` URI.
    package var isHTTP: Bool { hasScheme(ByteView("http")) || hasScheme(ByteView("https")) }

    /// Whether this is an `http:` or `https:` URI that names a host: where a request could be sent.
    package var isHTTPWithHost: Bool { isHTTP && host?.isEmpty == false }

    /// Whether its scheme is `name`, in either case (3.1). `name` holds nothing but what a scheme may hold.
    package func hasScheme(_ name: ByteView) -> Bool {
        guard let scheme, scheme.count == name.count else { return false }
        // All bytes of a scheme but capital letters have the bit.
        for offset in 0..<name.count where bytes[offset] | 0x20 != name[offset] | 0x20 { return false }
        return true
    }

    /// Whether it has neither scheme nor authority, and a path that does not begin with a slash (RFC 3986 4.2).
    package var isRelativePath: Bool {
        scheme == nil && authority == nil && !path.isEmpty && bytes[path.lowerBound] != ASCII.slash
    }

    /// Whether it contains a variable reference `{$…}`, so that it is known only after substitution (8216bis 4.3).
    public var holdsVariable: Bool { bytes.firstVariable(from: 0) != nil }

    /// The offset at which the first variable reference `{$…}` begins; nil if there is none.
    var firstVariable: Int? { bytes.firstVariable(from: 0) }

    /// Whether the bytes before the first colon are a scheme.
    private static func isScheme(_ bytes: ByteView) -> Bool {
        guard let first = bytes.first, ASCII.isLetter(first) else { return false }
        return bytes.allSatisfy(ASCII.isSchemeByte)
    }
}

extension ByteView {
    /// The offset of the first `{$` at or after `start`; nil if there is none.
    func firstVariable(from start: Int) -> Int? {
        var start = start
        while let brace = firstOffset(of: ASCII.openingBrace, from: start) {
            start = brace &+ 1
            if start < count, self[start] == ASCII.dollar { return brace }
        }
        return nil
    }
}
