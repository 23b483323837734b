internal import ByteScan

/// Space and tab: what may stand around commas and `=`, and at the end of a line.
@usableFromInline
enum WhiteSpace {
    @inlinable @inline(__always)
    static func contains(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// `range` of `view` without the white space at both ends. One that holds nothing else becomes empty.
    static func trimmed(_ view: ByteView, _ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, contains(view[lower]) { lower &+= 1 }
        while upper > lower, contains(view[upper &- 1]) { upper &-= 1 }
        return lower..<upper
    }

    /// The offset after the last byte before `end` that is neither white space nor a CR: where an item is appended to a list.
    @inline(__always)
    static func contentEnd(of view: ByteView, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= view.count, "range outside the view")
        var end = end
        while end > start {
            let last = unsafe view.uncheckedByte(at: end &- 1)
            if last > ASCII.space || !(contains(last) || last == ASCII.carriageReturn) { break }
            end &-= 1
        }
        return end
    }

    /// `line` without the CR that belongs to its ending; at the end of a text that is half of a CRLF cut short.
    @inline(__always)
    static func withoutCarriageReturn(_ line: ByteView) -> ByteView {
        let end = line.count - 1
        return end >= 0 && line[end] == ASCII.carriageReturn ? line.prefix(upTo: end) : line
    }
}
