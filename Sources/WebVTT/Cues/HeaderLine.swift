public import ByteScan

/// A line of metadata at the head of a file; a parser gives it no meaning (W3C WebVTT, section 6.1, "in header").
@safe
public struct HeaderLine {
    /// The line without its terminator.
    public let bytes: ByteView
    /// The stream position, in bytes, at which the line begins.
    public let position: Int
    /// The line's number; the line of the signature has number 1.
    public let lineNumber: Int

    /// The line as text.
    public var text: CueText { CueText(bytes) }

    /// What the line says, where it is an `X-TIMESTAMP-MAP` (RFC 8216 3.5).
    public var timestampMap: TimestampMap? { TimestampMap(headerLine: bytes) }
}
