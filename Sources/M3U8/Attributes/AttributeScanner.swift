public import ByteScan
public import CByteScan

/// Scans an attribute list from left to right, one item a call, without copying (RFC 8216 4.2).
///
/// The list is read as the field writes it: white space around commas and `=`, items that are empty or have no `=`,
/// names that occur twice, text after a closing quote. Every quote opens or closes a quoted string, and a comma or an
/// equals sign inside one is text. An unclosed quote runs to the end of the list; ``endsInsideQuotes`` then says so.
///
///     var scanner = AttributeScanner(line, from: 18)        // BANDWIDTH=1280000,CODECS="avc1.4d401e,mp4a.40.2"
///     while let attribute = scanner.next() { names.append(Array(line[attribute.name])) }
///
/// Commas, equals signs and quotes are found 64 bytes at a time, some items ahead of ``next()``.
///
/// - Complexity: O(*n*) for a list of *n* bytes.
@safe
public struct AttributeScanner {
    @usableFromInline let line: ByteView
    @usableFromInline let end: Int
    @usableFromInline var offset: Int

    /// The items at hand, and how many of them have been returned.
    @usableFromInline var items = ListItems()
    @usableFromInline var index = 0

    /// Whether a quote is still open at the end of the list. Known once ``next()`` has returned nil.
    @inlinable public var endsInsideQuotes: Bool { items.endsInsideQuotes }

    /// A scanner of the list that starts at `start` and reaches to the end of `line`, or to `end`.
    ///
    /// The list holds no line ending. Offsets in the results count from the start of `line`.
    @inlinable
    public init(_ line: ByteView, from start: Int, to end: Int? = nil) {
        precondition(start >= 0, "offset outside the view")
        self.line = line
        self.end = min(end ?? line.count, line.count)
        offset = start
    }

    /// A scanner of the list that starts at `start`, without the white space and the stray CRs at the end of `line`.
    package init(ofTag line: ByteView, from start: Int) {
        self.init(line, from: start, to: WhiteSpace.contentEnd(of: line, from: start, to: line.count))
    }

    /// The next item, or nil at the end of the list. Empty items are skipped.
    @inlinable @inline(__always)
    public mutating func next() -> Attribute? {
        while true {
            if index == items.count {
                guard offset < end else { return nil }
                Self.split(line, from: offset, to: end, &items)
                index = 0
            }
            let start = offset
            let item = unsafe listItem(&items, index)
            index &+= 1
            offset = item.stop &+ 1
            if items.arePlain {
                return unsafe Attribute(
                    item: Range(uncheckedBounds: (start, item.stop)),
                    name: Range(uncheckedBounds: (start, item.equals)),
                    value: Range(uncheckedBounds: (item.equals &+ 1, item.stop)), hasValue: true)
            }
            if let attribute = Self.trimmed(line, start, item) { return attribute }
        }
    }

    /// The first item named `name`, or nil. Of duplicates the first one counts.
    public mutating func first(named name: ByteView) -> Attribute? {
        while let attribute = next() {
            if line[attribute.name] == name { return attribute }
        }
        return nil
    }
}

extension AttributeScanner {
    /// Looks ahead for the next items, for inlined code of other packages.
    @usableFromInline
    static func split(_ line: ByteView, from start: Int, to end: Int, _ items: inout ListItems) {
        line.splitAttributes(from: start, to: end, &items)
    }

    /// The attribute of `item`, which starts at `start`, without white space around it; nil if nothing else is there.
    @usableFromInline
    static func trimmed(_ line: ByteView, _ start: Int, _ item: ListItem) -> Attribute? {
        let range = start..<item.stop
        let whole = line.trimmedRange(range, ASCII.isBlank)
        if whole.isEmpty { return nil }
        guard item.equals < item.stop else {
            return Attribute(item: range, name: whole, value: whole.upperBound..<whole.upperBound, hasValue: false)
        }
        return Attribute(
            item: range, name: line.trimmedRange(whole.lowerBound..<item.equals, ASCII.isBlank),
            value: line.trimmedRange(item.equals + 1..<whole.upperBound, ASCII.isBlank), hasValue: true)
    }
}

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
