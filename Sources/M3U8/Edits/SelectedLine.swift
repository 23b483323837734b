public import ByteScan

/// A whole line that a rewriter's handler is shown, valid during the call.
@safe
public struct SelectedLine {
    /// What a selected line is.
    public enum Kind: Equatable, Sendable {
        /// A tag, by the name it has in code.
        case tag(TagName)
        /// A tag without a name in code; its spelling is in the line.
        case otherTag
        /// A URI.
        case uri
    }

    /// What the line is.
    public let kind: Kind
    /// The line without its ending.
    public let bytes: ByteView
    /// The line, and after it what else can be read of the memory it lies in.
    let context: ByteView
    /// The stream position, in bytes, at which the line begins.
    public let position: Int
    /// Where the tag's name ends, at the colon or the line's end. 0 for a URI.
    public let nameEnd: Int
    /// Whether attributes can be set and removed: the tag has a colon, and every quote is closed.
    public let isEditable: Bool

    /// The tag's name without the `#`; nothing for a URI.
    public var name: ByteView { kind == .uri ? ByteView() : bytes[1..<nameEnd] }

    /// Where the tag's value begins: after the colon, or at the line's end if there is none. 0 for a URI.
    public var valueStart: Int { kind == .uri ? 0 : min(nameEnd + 1, bytes.count) }

    /// Where the URI is on a URI line, without the white space around it.
    ///
    /// Nil for a tag, for white space alone, and for a comment after white space, which some players take for one.
    var uriRange: Range<Int>? {
        guard kind == .uri else { return nil }
        let uri = bytes.trimmedRange(0..<WhiteSpace.contentEnd(of: bytes, from: 0, to: bytes.count), ASCII.isBlank)
        return !uri.isEmpty && bytes[uri.lowerBound] != ASCII.hash ? uri : nil
    }

    /// A scanner of the tag's attribute list.
    public var attributes: AttributeScanner {
        let start = valueStart
        return AttributeScanner(
            context, from: start, to: WhiteSpace.contentEnd(of: bytes, from: start, to: bytes.count))
    }
}
