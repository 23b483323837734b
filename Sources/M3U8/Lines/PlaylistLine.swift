public import ByteScan

/// One line of a playlist (RFC 8216 4.1), valid during the call that hands it out.
@safe
public struct PlaylistLine {
    /// What a line is.
    public enum Kind: Equatable, Sendable {
        /// Nothing, or white space alone.
        case blank
        /// `#` without `EXT` after it.
        case comment
        /// A tag with a name in code.
        case tag(TagName)
        /// A tag without one, `#EXT…`; its spelling is in the line.
        case otherTag
        /// Anything else.
        case uri
    }

    /// How a line ends.
    public enum Ending: Equatable, Sendable {
        /// LF.
        case lineFeed
        /// CR and LF.
        case carriageReturnLineFeed
        /// CR, and with it the text: a CRLF cut short.
        case carriageReturn
        /// The text ends with the line.
        case none

        @inline(__always)
        init(hasCarriageReturn: Bool, hasLineFeed: Bool) {
            self =
                hasLineFeed
                ? (hasCarriageReturn ? .carriageReturnLineFeed : .lineFeed)
                : (hasCarriageReturn ? .carriageReturn : .none)
        }
    }

    /// What the line is.
    public let kind: Kind
    /// The line, and after it what else can be read of the memory it lies in.
    @usableFromInline let context: ByteView
    @usableFromInline let count: Int
    /// How it ends.
    public let ending: Ending
    /// The stream position, in bytes, at which the line begins.
    public let position: Int
    /// Where the tag's name ends, at the colon or the line's end. 0 if the line is no tag.
    public let nameEnd: Int
    /// Whether the line is longer than the limits allow, and `bytes` is only its beginning.
    public let isTruncated: Bool

    /// The line of the bytes that were scanned, or the first `longest` of them.
    @inline(__always)
    init(_ scanned: ScannedBytes, longest: Int, _ classifier: inout LineClassifier) {
        let endsInReturn = scanned.last == ASCII.carriageReturn
        isTruncated = scanned.count > longest
        context = scanned.context
        count = isTruncated ? longest : endsInReturn ? scanned.count &- 1 : scanned.count
        ending = Ending(hasCarriageReturn: endsInReturn, hasLineFeed: scanned.endsInLineFeed)
        position = scanned.position
        (kind, nameEnd) = classifier.classify(context.prefix(upTo: count))
    }

    /// The line of these bytes, which stands in the place of `line`.
    init(_ bytes: ByteView, in line: PlaylistLine, _ classifier: inout LineClassifier) {
        context = bytes
        count = bytes.count
        (ending, position, isTruncated) = (line.ending, line.position, false)
        (kind, nameEnd) = classifier.classify(bytes)
    }

    /// The line without its ending.
    @inlinable public var bytes: ByteView { context.prefix(upTo: count) }

    /// The tag's name without the `#`; nothing if the line is no tag.
    public var name: ByteView { nameEnd == 0 ? ByteView() : bytes[1..<nameEnd] }

    /// The tag's value, after the colon; nothing if there is none.
    public var value: ByteView { nameEnd == 0 ? ByteView() : bytes.suffix(from: valueStart) }

    /// A scanner of the tag's attribute list, with offsets from the start of the line.
    @inlinable
    public var attributes: AttributeScanner {
        AttributeScanner(context, from: nameEnd == 0 ? count : valueStart, to: count)
    }

    /// What the tag's attribute `name` holds, without quotes; nil if it is not there. Of duplicates the first one
    /// counts.
    package func content(of name: StaticString) -> ByteView? {
        var attributes = attributes
        return attributes.first(named: ByteView(name)).map { bytes[$0.content(in: bytes)] }
    }

    @inlinable var valueStart: Int { min(nameEnd &+ 1, count) }
}

/// A line as it was found: the first `count` bytes of `context`, of which so many may be missing as a limit cuts off.
struct ScannedBytes {
    let context: ByteView
    /// How many bytes the line has, its line feed not counted.
    let count: Int
    /// The last of them, or nil if there is none.
    let last: UInt8?
    let endsInLineFeed: Bool
    /// The stream position, in bytes, at which the line begins.
    let position: Int
}
