internal import ByteScan

/// What the bytes of a line mean to both scanners.
@usableFromInline
enum LineBytes {
    /// Space and tab: what may stand around commas, `=` and at the end of a line.
    @inlinable @inline(__always)
    static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// `line` without the CR that belongs to its ending; at the end of a text that is half of a CRLF cut short.
    @inline(__always)
    static func withoutCarriageReturn(_ line: ByteView) -> ByteView {
        let end = line.count - 1
        return end >= 0 && line[end] == ASCII.carriageReturn ? line.prefix(upTo: end) : line
    }

    /// The offset behind the last byte before `end` that is neither white space nor a CR: where an item is appended.
    @inline(__always)
    static func contentEnd(of view: ByteView, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= view.count, "range outside the view")
        var end = end
        while end > start {
            let last = unsafe view.uncheckedByte(at: end &- 1)
            if last > ASCII.space || !(isWhiteSpace(last) || last == ASCII.carriageReturn) { break }
            end &-= 1
        }
        return end
    }
}
