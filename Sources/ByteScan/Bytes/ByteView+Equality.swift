extension ByteView {
    /// Whether the bytes at `offset` are those of `other`.
    ///
    /// An `other` that reaches past the end is not there.
    @inlinable
    public func hasBytes(_ other: ByteView, at offset: Int) -> Bool {
        guard offset >= 0, other.count <= count &- offset else { return false }
        let count = other.count
        guard count >= 8 else {
            for index in 0..<count where self[offset &+ index] != other[index] { return false }
            return true
        }
        var index = 0
        while index &+ 8 <= count {
            guard word(at: offset &+ index) == other.word(at: index) else { return false }
            index &+= 8
        }
        return word(at: offset &+ count &- 8) == other.word(at: count &- 8)
    }

    /// Whether the bytes at `offset` are those of `literal`.
    @inlinable @inline(__always)
    public func hasBytes(_ literal: StaticString, at offset: Int) -> Bool { hasBytes(ByteView(literal), at: offset) }

    /// Whether both views hold the same bytes.
    @inlinable
    public static func == (left: ByteView, right: ByteView) -> Bool {
        left.count == right.count && left.hasBytes(right, at: 0)
    }

    /// Lets a switch over a view name its cases by literals.
    @inlinable
    public static func ~= (literal: StaticString, view: ByteView) -> Bool { view == literal }

    /// Whether the view holds the bytes of `literal` and nothing else.
    @inlinable
    public static func == (left: ByteView, right: StaticString) -> Bool { left == ByteView(right) }
}

extension ByteView: Equatable {}
