package import ByteScan

/// A piece of a JSON text, as a ``JSONReader`` hands it out.
///
/// Bytes are those of the text or of the reader, and valid until the reader is asked for the next event.
package enum JSONEvent: Equatable {
    /// `{`
    case beginObject
    /// A key of the innermost object, without escapes, in UTF-8. Its value comes next.
    case key(ByteView)
    /// `}`
    case endObject
    /// `[`
    case beginArray
    /// `]`
    case endArray
    /// A string, without escapes, in UTF-8. It may hold any character, U+0000 too.
    case string(ByteView)
    /// A number.
    case number(JSONNumber)
    /// `true` or `false`
    case truth(Bool)
    /// `null`
    case null
}
