import ByteScan

extension ASCII {
    /// Whether `byte` is white space inside a line: space, tab or form feed, and nothing else.
    @inline(__always)
    static func isLineSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab || byte == formFeed }

    /// Whether `byte` ends a line: a line feed or a carriage return.
    @inline(__always)
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
}
