public import ByteScan

/// One line of a playlist (RFC 8216 4.1), valid during the call that hands it out.
@safe
public struct PlaylistLine {
    /// What a line is.
    public enum Kind: Equatable, Sendable {
        /// Nothing, or white space alone.
        case blank
        /// `#` without `EXT` behind it.
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
    /// The line, and behind it what else can be read of the memory it lies in.
    @usableFromInline let context: ByteView
    @usableFromInline let count: Int
    /// How it ends.
    public let ending: Ending
    /// The stream position, in bytes, at which the line begins.
    public let position: Int
    /// Where the tag's name ends, at the colon or the line's end. 0 where the line is no tag.
    public let nameEnd: Int
    /// Whether the line is longer than the limits allow, and `bytes` is only its beginning.
    public let isTruncated: Bool

    /// The line of the first `count` bytes of `context`.
    @inline(__always)
    init(
        _ context: ByteView, count: Int, ending: Ending, position: Int, isTruncated: Bool,
        _ classifier: inout LineClassifier
    ) {
        self.context = context
        self.count = count
        self.ending = ending
        self.position = position
        self.isTruncated = isTruncated
        (kind, nameEnd) = classifier.classify(context.prefix(upTo: count))
    }

    /// The line without its ending.
    @inlinable public var bytes: ByteView { context.prefix(upTo: count) }

    /// The tag's name without the `#`; nothing where the line is no tag.
    public var name: ByteView { nameEnd == 0 ? ByteView() : bytes[1..<nameEnd] }

    /// The tag's value, behind the colon; nothing where there is none.
    public var value: ByteView { nameEnd == 0 ? ByteView() : bytes.suffix(from: valueStart) }

    /// A walk over the tag's attribute list, with offsets from the start of the line.
    @inlinable
    public var attributes: AttributeScanner {
        AttributeScanner(context, from: nameEnd == 0 ? count : valueStart, to: count)
    }

    @inlinable var valueStart: Int { min(nameEnd &+ 1, count) }
}
