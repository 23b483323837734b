public import ByteScan

/// Walks an attribute list from left to right, one item a call, without copying (RFC 8216 4.2).
///
/// The list is taken as the field writes it: white space around commas and `=`, items that are empty or have no `=`,
/// names that occur twice, text behind a closing quote. Every quote opens or closes a quoted string, and a comma or an
/// equals sign inside one is text. An unclosed quote runs to the end of the list; ``endsInsideQuotes`` then says so.
///
///     var scanner = AttributeScanner(line, from: 18)        // BANDWIDTH=1280000,CODECS="avc1.4d401e,mp4a.40.2"
///     while let attribute = scanner.next() { … line[attribute.name] … }
///
/// Commas, equals signs and quotes are found 64 bytes at a time. `window` holds the three masks of the 64 bytes at
/// `windowStart`, bit n for byte n, and is loaded again when the walk has left it:
///
///     bytes    BANDWIDTH=1280000,CODECS="avc1.4d401e,mp4a.40.2"
///     equals   .........1..............1.......................
///     commas   .................1..................1...........
///     quotes   .........................1.....................1
@safe
public struct AttributeScanner {
    @usableFromInline let line: ByteView
    @usableFromInline let end: Int
    @usableFromInline var offset: Int
    @usableFromInline var window: Window

    /// Whether a quote was still open where the list ended. Known once ``next()`` has returned nil.
    public private(set) var endsInsideQuotes = false

    /// A walk over the list that starts at `start` and reaches to the end of `line`, or to `end`.
    ///
    /// `line` holds no line ending. Offsets in the results count from the start of `line`.
    @inlinable
    public init(_ line: ByteView, from start: Int, to end: Int? = nil) {
        precondition(start >= 0, "offset outside the view")
        self.line = line
        self.end = min(end ?? line.count, line.count)
        offset = start
        window = Window()
    }

    /// A walk over the list that starts at `start`, without the white space and the stray CRs at the end of `line`.
    package init(ofTag line: ByteView, from start: Int) {
        self.init(line, from: start, to: LineBytes.contentEnd(of: line, from: start, to: line.count))
    }

    /// The next item, or nil where the list has ended. Empty items are passed over.
    @inlinable
    public mutating func next() -> Attribute? {
        while offset < end {
            let start = offset
            var stop = first(.any, from: start)
            var equals = -1
            while stop < end {
                let byte = unsafe line.uncheckedByte(at: stop)
                if byte == ASCII.comma { break }
                if byte == ASCII.equals {
                    if equals < 0 { equals = stop }
                    stop &+= 1
                } else {
                    stop = behindQuotes(openedAt: stop)
                }
                stop = equals < 0 ? first(.any, from: stop) : first(.commaOrQuote, from: stop)
            }
            offset = stop &+ 1
            let (lower, upper) = trimmed(start, stop)
            if lower == upper { continue }
            guard equals >= 0 else {
                return Attribute(item: start..<stop, name: lower..<upper, value: upper..<upper, hasValue: false)
            }
            let name = trimmed(lower, equals)
            let value = trimmed(equals &+ 1, upper)
            return Attribute(
                item: start..<stop, name: name.0..<name.1, value: value.0..<value.1, hasValue: true)
        }
        return nil
    }

    /// The first item named `name`, or nil. Of duplicates the first one counts.
    public mutating func first(named name: ByteView) -> Attribute? {
        while let attribute = next() {
            if line[attribute.name] == name { return attribute }
        }
        return nil
    }

    /// The offset behind the quote that closes the one at `quote`, or the end.
    @inlinable
    mutating func behindQuotes(openedAt quote: Int) -> Int {
        let closing = first(.quote, from: quote &+ 1)
        guard closing < end else {
            noteUnclosedQuote()
            return end
        }
        return closing &+ 1
    }

    @usableFromInline
    mutating func noteUnclosedQuote() { endsInsideQuotes = true }

    /// The bounds of the bytes from `start` to `end`, both inside the list, without the white space at both ends.
    @inlinable @inline(__always)
    func trimmed(_ start: Int, _ end: Int) -> (Int, Int) {
        var lower = start
        var upper = end
        while lower < upper, unsafe LineBytes.isWhiteSpace(line.uncheckedByte(at: lower)) { lower &+= 1 }
        while upper > lower, unsafe LineBytes.isWhiteSpace(line.uncheckedByte(at: upper &- 1)) { upper &-= 1 }
        return (lower, upper)
    }
}

extension AttributeScanner {
    /// The bytes that part a list, and where they are in the 64 bytes at `start`, so far as these are of the list.
    @usableFromInline
    struct Window {
        @usableFromInline var start = Int.min / 2
        @usableFromInline var commas: UInt64 = 0
        @usableFromInline var equals: UInt64 = 0
        @usableFromInline var quotes: UInt64 = 0

        @inlinable
        init() {}

        @inlinable @inline(__always)
        func bits(_ stop: Stop) -> UInt64 {
            switch stop {
            case .any: commas | quotes | equals
            case .commaOrQuote: commas | quotes
            case .quote: quotes
            }
        }
    }

    @usableFromInline
    enum Stop {
        case any
        case commaOrQuote
        case quote
    }

    /// The offset of the first byte of the kind at or after `start`, or the end.
    @inlinable @inline(__always)
    mutating func first(_ stop: Stop, from start: Int) -> Int {
        let shift = UInt64(bitPattern: Int64(start &- window.start))
        if shift < 64 {
            let ahead = window.bits(stop) &>> shift
            if ahead != 0 { return start &+ ahead.trailingZeroBitCount }
        }
        return firstBeyondWindow(stop, from: start)
    }

    /// The same where the window at hand has none.
    @usableFromInline
    mutating func firstBeyondWindow(_ stop: Stop, from start: Int) -> Int {
        var start = start &- window.start < ByteView.blockSize ? window.start &+ ByteView.blockSize : start
        while start < end {
            load(at: start)
            let bits = window.bits(stop)
            if bits != 0 { return start &+ bits.trailingZeroBitCount }
            start &+= ByteView.blockSize
        }
        return end
    }

    private mutating func load(at start: Int) {
        let marks = line.listMarks(at: start)
        let left = end &- start
        let inside: UInt64 = left >= ByteView.blockSize ? .max : (1 &<< UInt64(left)) &- 1
        window.start = start
        window.commas = marks.commas & inside
        window.equals = marks.equals & inside
        window.quotes = marks.quotes & inside
    }
}
