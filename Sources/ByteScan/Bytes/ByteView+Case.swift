extension ByteView {
    /// Whether the bytes are those of `literal`, which is ASCII, with letters in either case.
    @inlinable
    package func equalsIgnoringCase(_ literal: StaticString) -> Bool { equalsIgnoringCase(ByteView(literal)) }

    /// Whether the bytes are those of `other`, with letters of ASCII in either case.
    @inlinable
    package func equalsIgnoringCase(_ other: ByteView) -> Bool { count == other.count && hasPrefixIgnoringCase(other) }

    /// Whether the view begins with the bytes of `prefix`, with letters of ASCII in either case.
    @inlinable
    package func hasPrefixIgnoringCase(_ prefix: ByteView) -> Bool {
        let count = prefix.count
        guard self.count >= count else { return false }
        guard count >= 8 else {
            for offset in 0..<count where !ASCII.isSame(self[offset], prefix[offset]) { return false }
            return true
        }
        // The last eight bytes may have been seen in part.
        var offset = 0
        while offset < count {
            let start = Swift.min(offset, count &- 8)
            guard ASCII.isSame(word(at: start), prefix.word(at: start)) else { return false }
            offset &+= 8
        }
        return true
    }
}
