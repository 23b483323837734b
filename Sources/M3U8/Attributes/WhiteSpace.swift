internal import ByteScan

/// Space and tab: what may stand around commas and `=`, and at the end of a line.
enum WhiteSpace {
    /// The offset after the last byte before `end` that is neither white space nor a CR: where an item is appended to a
    /// list.
    @inline(__always)
    static func contentEnd(of view: ByteView, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= view.count, "range outside the view")
        var end = end
        while end > start {
            let last = unsafe view.uncheckedByte(at: end &- 1)
            if last > ASCII.space || !(ASCII.isBlank(last) || last == ASCII.carriageReturn) { break }
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
